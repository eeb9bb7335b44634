#pragma once
// Plant memory by name.

#include <string>

#include "runtime/plant/description.hpp"

namespace takt {

/// Before the run: the value (SI, or with a unit) into the parameter's place.  @return it in SI
/// @throw std::runtime_error  no such parameter (with the nearest names), or not a value of its unit
double set_parameter(const PlantDescription& plant, const std::string& path, const std::string& value);

/// One line per entry: role, path, value now, unit.
[[nodiscard]] std::string memory_table(const PlantDescription& plant);

/// One line per fault of an element: element, name, what changes, what happens. Empty where the plant has none.
[[nodiscard]] std::string fault_list(const PlantDescription& plant);

}  // namespace takt
