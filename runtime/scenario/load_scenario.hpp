#pragma once
// A scenario file, with the files that it includes, to a program. Not real-time.

#include <string>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/program.hpp"

namespace takt {

/// @throw std::runtime_error  "file:line:column: cause; remedy", or why the file cannot be read
[[nodiscard]] ScenarioProgram load_scenario(const std::string& file, const PlantDescription& plant);

/// The same from a text.
/// @param file  as messages name it; files it names are relative to its folder
[[nodiscard]] ScenarioProgram read_scenario(const std::string& text, const std::string& file,
                                            const PlantDescription& plant);

}  // namespace takt
