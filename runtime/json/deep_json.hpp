#pragma once
// JSON from outside that nests as what it describes: trees of expressions. Beside parse_json.hpp, with a limit of its
// own. Not real-time.

#include "runtime/json/parse_json.hpp"

namespace takt {

/// Of sums of a thousand terms. What reads such a tree recurses, with small frames.
inline constexpr std::size_t most_tree_levels = 4000;

/// @throw JsonError
template <class Json>
[[nodiscard]] Json parse_deep_json(std::string_view text) {
  if (json_excess<most_tree_levels>(text) == JsonExcess::levels)
    throw JsonError("lists and objects stand in each other more than " + std::to_string(most_tree_levels) +
                    " levels deep");
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    throw JsonError(json_mistake(error.what()));
  }
}

}  // namespace takt
