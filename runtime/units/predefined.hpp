#pragma once
// Names that expressions have from the start: the constant pi, the simulated time, words of the language. The one list
// of plants, definitions of elements, scenarios and rigs: nothing else may take such a name where it would hide it.

#include <cstdint>
#include <span>
#include <string_view>

namespace takt {

/// Where a name is given. What is predefined differs: `i` is a current in a law and an index in a plant.
enum class NamePlace : std::uint8_t {
  plant = 1,       ///< parameters and inputs of a plant, which its scenarios name, too
  block = 2,       ///< control blocks and parameters of parts
  definition = 4,  ///< what an element definition names
  scenario = 8     ///< variables of scenarios, buses and hosts of rigs
};

/// "the number 3.14159...": what the name means in that place. Empty: it is free.
[[nodiscard]] std::string_view predefined_meaning(std::string_view name, NamePlace place);

/// Functions of expressions, which a table of the name would hide.
[[nodiscard]] std::span<const std::string_view> function_names();
[[nodiscard]] bool is_function_name(std::string_view name);

}  // namespace takt
