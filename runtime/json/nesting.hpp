#pragma once
// How deeply a text nests, were it JSON, and how many members its objects have: known before it is parsed, in one pass
// without memory of its own. Not real-time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace takt {

/// What is written here nests 10 levels at most. Copies, comparisons and printing recurse.
inline constexpr std::size_t most_json_levels = 64;
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

enum class JsonExcess : std::uint8_t { none, levels, members };

/// The first of both that is beyond its limit, up to where the text may cease to be JSON.
/// @tparam most_levels  another limit is of what reads trees with small frames (deep_json.hpp)
/// @param most_members  of one object: those that keep their order look for every new member among all before it
template <std::size_t most_levels = most_json_levels>
[[nodiscard]] JsonExcess json_excess(std::string_view text, std::size_t most_members = any_number) noexcept {
  std::array<std::size_t, most_levels + 1> members{};
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
      if (++depth > most_levels) return JsonExcess::levels;
      members[depth] = 0;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return JsonExcess::none;  // no JSON: a parser ends here
      --depth;
    } else if (c == ':' && ++members[depth] > most_members) {
      return JsonExcess::members;
    }
  }
  return JsonExcess::none;
}

}  // namespace takt
