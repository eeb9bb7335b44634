#pragma once
// Ids of frames as people write them. As candump does: eight hexadecimal digits are an id of 29 bits, whatever its
// value.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::can {

inline constexpr std::uint32_t largest_standard_id = 0x7FF, largest_extended_id = 0x1FFF'FFFF;

struct WrittenId {
  std::uint32_t id = 0;
  bool is_eight_digits = false;  ///< 0x00000123: 29 bits
};

/// Decimal, or hexadecimal behind 0x.  @return nothing where it is none, above 29 bits, or has more than eight digits
[[nodiscard]] inline std::optional<WrittenId> read_id(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  WrittenId read{.is_eight_digits = is_hex && text.size() == 8};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read.id, is_hex ? 16 : 10);
  if (text.empty() || (is_hex && text.size() > 8) || error != std::errc{} || end != text.data() + text.size() ||
      read.id > largest_extended_id)
    return std::nullopt;
  return read;
}

/// 0x123, or 0x00000123 of 29 bits.
[[nodiscard]] inline std::string id_text(std::uint32_t id, bool extended) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "0x";
  for (int nibble = extended ? 7 : 2; nibble >= 0; --nibble) text += digits[id >> (4 * nibble) & 0xFU];
  return text;
}

}  // namespace takt::can
