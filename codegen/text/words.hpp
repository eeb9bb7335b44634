#pragma once
// Words of input files that stand for one of a few things: parsed once, an enumeration from then
// on.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::codegen {

template <class T, std::size_t n>
using Words = std::array<std::pair<std::string_view, T>, n>;

template <class T, std::size_t n>
[[nodiscard]] std::optional<T> meaning(const Words<T, n>& words, std::string_view word) {
  for (const auto& [text, value] : words)
    if (text == word) return value;
  return std::nullopt;
}

/// @pre value is one of the words
template <class T, std::size_t n>
[[nodiscard]] constexpr std::string_view word_of(const Words<T, n>& words, T value) {
  for (const auto& [text, known] : words)
    if (known == value) return text;
  return {};
}

template <class T, std::size_t n>
[[nodiscard]] std::vector<std::string> all_words(const Words<T, n>& words) {
  std::vector<std::string> list;
  for (const auto& entry : words) list.emplace_back(entry.first);
  return list;
}

}  // namespace takt::codegen
