#pragma once
// JSON from outside that nests as what it describes: trees of expressions. Beside parse_json.hpp, with a limit of its
// own. Not real-time.

#include "runtime/json/parse_json.hpp"

namespace takt {

/// Of sums of a thousand terms. What reads such a tree recurses, with small frames.
inline constexpr std::size_t most_tree_levels = 4000;

/// Whether lists and objects stand in each other more deeply, up to where the text may cease to be JSON.
[[nodiscard]] inline bool nests_too_deeply(std::string_view text) noexcept {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most_tree_levels) return true;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return false;  // no JSON: a parser ends here
      --depth;
    }
  }
  return false;
}

/// @throw JsonError
template <class Json>
[[nodiscard]] Json parse_deep_json(std::string_view text) {
  if (nests_too_deeply(text))
    throw JsonError("lists and objects stand in each other more than " + std::to_string(most_tree_levels) +
                    " levels deep");
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    throw JsonError(json_mistake(error.what()));
  }
}

}  // namespace takt
