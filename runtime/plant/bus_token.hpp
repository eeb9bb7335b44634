#pragma once
// The token that clients of a virtual bus present.

#include <algorithm>
#include <string_view>

namespace takt {

/// What protocols carry as one word.
[[nodiscard]] inline bool is_token_letter(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
}

/// Long enough not to be guessed, short enough for every protocol.
[[nodiscard]] inline bool is_bus_token(std::string_view text) noexcept {
  return text.size() >= 8 && text.size() <= 64 && std::all_of(text.begin(), text.end(), is_token_letter);
}

inline constexpr std::string_view bus_token_rule = "8 to 64 letters, digits, - and _";
/// In place of a token: the environment variable that has it.
inline constexpr std::string_view bus_token_variable = "env:";

/// As long for a wrong text as for a right one of the same length.
[[nodiscard]] inline bool is_same_token(std::string_view given, std::string_view token) noexcept {
  unsigned differ = given.size() == token.size() ? 0U : 1U;
  for (std::size_t k = 0; k < given.size() && k < token.size(); ++k)
    differ |= static_cast<unsigned>(given[k] != token[k]);
  return differ == 0;
}

}  // namespace takt
