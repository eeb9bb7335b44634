#include "runtime/toml/key_depth.hpp"

#include <algorithm>

namespace takt {
namespace {

bool in_bare_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Position after the string that begins at `at`; of an unfinished one the end of the line or of the text.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = text.substr(at, 3);
  const bool many_lines = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
  for (at += many_lines ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (!many_lines && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    } else if (many_lines && text.substr(at, 3) == triple) {
      return at + 3;
    }
  }
  return text.size();
}

KeyPlace place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_start = before.rfind('\n');
  return {static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<std::uint32_t>(at - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1)};
}

}  // namespace

std::optional<KeyPlace> too_deep_key(std::string_view text) {
  std::size_t parts = 0, start = 0;  // of the name that is being read
  bool after_dot = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\t') {
      ++at;
    } else if (c == '.') {
      after_dot = true, ++at;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'' || in_bare_key(c)) {
      if (!after_dot) parts = 0, start = at;
      if (++parts > most_key_parts) return place_of(text, start);
      after_dot = false;
      if (c == '"' || c == '\'')
        at = after_string(text, at);
      else
        at = static_cast<std::size_t>(
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), in_bare_key) - text.begin());
    } else {
      parts = 0, after_dot = false, ++at;
    }
  }
  return std::nullopt;
}

}  // namespace takt
