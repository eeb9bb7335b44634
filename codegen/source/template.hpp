#pragma once
// Fixed text with holes: files *.in beside those that fill them, built in by takt_embed() of CMake.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::codegen {

using Holes = std::vector<std::pair<std::string_view, std::string>>;

/// The text with the value of NAME for each @NAME@.
/// @throws std::logic_error  where a hole has no value, or a value no hole
[[nodiscard]] std::string filled(std::string_view text, const Holes& holes);

}  // namespace takt::codegen
