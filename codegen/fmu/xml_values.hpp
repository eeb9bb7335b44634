#pragma once
// Values of XML attributes, written as XML Schema says (part 2): blanks around a value do not
// count.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::codegen::xml {

[[nodiscard]] std::string_view trimmed(std::string_view text);
/// xs:list: what stands between blanks
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

/// xs:double: "1.5e-3", "INF", "-INF", "NaN"; no hexadecimal digits, no "nan". Too small: 0. Beyond
/// what a double holds: nothing.
[[nodiscard]] std::optional<double> number(std::string_view text);
/// "true", "false", "1", "0"
[[nodiscard]] std::optional<bool> boolean(std::string_view text);
/// xs:hexBinary  @return its bytes
[[nodiscard]] std::optional<std::string> bytes(std::string_view text);
/// xs:dateTime
[[nodiscard]] bool is_date_time(std::string_view text);

/// Digits with a sign; nothing where Integer cannot hold it.
template <class Integer>
std::optional<Integer> integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  if (text == "-0") return Integer{0};
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace takt::codegen::xml
