#pragma once
// Text for terminals.

#include <cstddef>
#include <string>
#include <string_view>

namespace takt::command_line {

/// Of help on standard output: that of the terminal, 40 to 100; 100 where it is none.
[[nodiscard]] std::size_t help_width();

/// Breaks text at blanks so that no line is longer than `width`; every line begins with `indent` blanks. A word that
/// is longer stays whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100);

}  // namespace takt::command_line
