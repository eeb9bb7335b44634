#pragma once
// Words of a line that somebody has written.

#include <string_view>

namespace takt {

/// Without blanks at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace takt
