#pragma once
// Keys of TOML with so many parts that the tables they make could not be walked or freed on any stack.

#include <cstdint>
#include <optional>
#include <string_view>

namespace takt {

/// Keys add up where tables nest (the parser takes 256 inline tables in each other): a few thousand levels at most.
inline constexpr std::size_t most_key_parts = 16;

struct KeyPlace {
  std::uint32_t line = 1, column = 1;
};

/// Of a text that need not be right TOML: the first name of more than most_key_parts parts, outside of strings and
/// comments.
[[nodiscard]] std::optional<KeyPlace> too_deep_key(std::string_view text);

}  // namespace takt
