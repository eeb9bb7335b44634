#pragma once
// What a rig file says about the protection of a message, and what follows from it: where the fields of a profile stand
// and what its checksum goes over.
// Source: AUTOSAR FO R22-11, E2E Protocol Specification, chapters of the profiles; the bit offsets count as there, byte
// by byte, from the least significant bit of each.

#include <array>
#include <cstdint>

#include "runtime/io/can/protect/protection.hpp"

namespace takt::can {

enum class Profile : std::uint8_t { plain, p01, p02, p04, p05, p06, p07, p11, p22 };

/// How a 16-bit data id takes part in profiles 1 and 11.
enum class DataIdMode : std::uint8_t {
  both,   ///< both bytes go into the checksum
  alt,    ///< the low byte with even counters, the high one with odd ones; profile 1 only
  low,    ///< the low byte; profile 1 only
  nibble  ///< the low byte and 0; the low nibble of the high byte is sent
};

struct ProtectionSettings {
  Profile profile = Profile::plain;
  std::uint16_t length = 8;  ///< bytes of the message
  std::uint32_t data_id = 0;
  DataIdMode data_id_mode = DataIdMode::both;
  std::uint16_t offset = 0;  ///< bits, of the header; profiles 2, 4, 5, 6, 7, 22
  std::uint16_t crc_offset = 0, counter_offset = 8, data_id_nibble_offset = 12;  ///< bits; profiles 1 and 11
  std::array<std::uint8_t, 16> data_id_list{};  ///< profiles 2 and 22: all; plain: data_id_count of them
  std::uint8_t data_id_count = 0;
  std::uint32_t max_delta_counter = 2;
  bool take_wrong = false;

  // plain
  Field counter{}, checksum{};
  std::uint64_t counters = 0;  ///< number of values of the counter
  Crc crc{};
  std::uint16_t from = 0, to = 0;  ///< bytes, both included
  bool data_ids_first = false;
};

/// `width` bits from bit `offset` on, of one byte.
[[nodiscard]] constexpr Field bits_field(unsigned offset, unsigned width) noexcept {
  Field field{.count = 1, .width = static_cast<std::uint8_t>(width)};
  field.pieces[0] = {.byte = static_cast<std::uint8_t>(offset / 8),
                     .low_bit = static_cast<std::uint8_t>(offset % 8),
                     .width = static_cast<std::uint8_t>(width)};
  return field;
}

/// Whole bytes, the most significant one first or last.  @param bytes  1..8
[[nodiscard]] constexpr Field bytes_field(unsigned first, unsigned bytes, bool big_endian) noexcept {
  Field field{.count = static_cast<std::uint8_t>(bytes), .width = static_cast<std::uint8_t>(8 * bytes)};
  for (unsigned k = 0; k < bytes; ++k)
    field.pieces[k] = {.byte = static_cast<std::uint8_t>(first + k),
                       .width = 8,
                       .raw_low = static_cast<std::uint8_t>(8 * (big_endian ? bytes - 1 - k : k))};
  return field;
}

namespace detail {

/// Profiles 1 and 11: CRC-8, counter 0..14.
constexpr void make_as_profile_1(const ProtectionSettings& s, Protection& p) noexcept {
  const auto low = static_cast<std::uint8_t>(s.data_id), high = static_cast<std::uint8_t>(s.data_id >> 8U);
  p.crc = crc8_of_profile_1;
  p.checksum = bits_field(s.crc_offset, 8);
  p.counter = bits_field(s.counter_offset, 4);
  p.counters = 15;
  p.ids_first = true;
  p.id_bytes = {low, high};
  p.id_byte_count = 2;
  if (s.data_id_mode == DataIdMode::low) p.id_byte_count = 1;
  if (s.data_id_mode == DataIdMode::alt) {
    p.id_byte_count = 0;
    p.id_list = {low, high};
    p.id_list_count = 2;
  }
  if (s.data_id_mode == DataIdMode::nibble) {
    p.id_bytes = {low, 0};
    p.constants[0] = {.field = bits_field(s.data_id_nibble_offset, 4), .value = high & 0xFU};
    p.constant_count = 1;
  }
}

/// Profiles 2 and 22: CRC-8H2F, counter 0..15, whose first value is 1.
constexpr void make_as_profile_2(const ProtectionSettings& s, Protection& p) noexcept {
  p.crc = crc8_h2f;
  p.checksum = bits_field(s.offset, 8);
  p.counter = bits_field(s.offset + 8U, 4);
  p.counters = 16;
  p.first = 1;
  p.id_list = s.data_id_list;
  p.id_list_count = 16;
}

constexpr void make_plain(const ProtectionSettings& s, Protection& p) noexcept {
  p.crc = s.crc;
  p.checksum = s.checksum;
  p.counter = s.counter;
  p.counters = s.counters;
  p.from = s.from;
  p.to = s.to;
  p.id_list = s.data_id_list;
  p.id_list_count = s.data_id_count;
  p.ids_first = s.data_ids_first;
}

constexpr void make_long_header(const ProtectionSettings& s, Protection& p) noexcept {
  const unsigned at = s.offset / 8U;
  const bool is_4 = s.profile == Profile::p04;  // length, counter, data id, CRC; else CRC, length, counter, data id
  p.crc = is_4 ? crc32_p4 : crc64_ecma;
  p.checksum = is_4 ? bytes_field(at + 8, 4, true) : bytes_field(at, 8, true);
  p.counter = is_4 ? bytes_field(at + 2, 2, true) : bytes_field(at + 12, 4, true);
  p.counters = is_4 ? 1ULL << 16U : 1ULL << 32U;
  p.constants[0] = {.field = is_4 ? bytes_field(at, 2, true) : bytes_field(at + 8, 4, true), .value = s.length};
  p.constants[1] = {.field = bytes_field(at + (is_4 ? 4 : 16), 4, true), .value = s.data_id};
  p.constant_count = 2;
}

constexpr void make_short_header(const ProtectionSettings& s, Protection& p) noexcept {
  const unsigned at = s.offset / 8U;
  const auto low = static_cast<std::uint8_t>(s.data_id), high = static_cast<std::uint8_t>(s.data_id >> 8U);
  const bool is_6 = s.profile == Profile::p06;  // CRC and length most significant byte first; else CRC last, no length
  p.crc = crc16_ccitt;
  p.checksum = bytes_field(at, 2, is_6);
  p.counter = bytes_field(at + (is_6 ? 4 : 2), 1, true);
  p.counters = 256;
  p.id_bytes = is_6 ? std::array<std::uint8_t, 2>{high, low} : std::array<std::uint8_t, 2>{low, high};
  p.id_byte_count = 2;
  if (!is_6) return;
  p.constants[0] = {.field = bytes_field(at + 2, 2, true), .value = s.length};
  p.constant_count = 1;
}

}  // namespace detail

/// @pre the fields lie in the message: last_byte_of() says up to where they reach
[[nodiscard]] constexpr Protection make_protection(const ProtectionSettings& s) noexcept {
  Protection p;
  p.length = s.length;
  p.to = static_cast<std::uint16_t>(s.length - 1U);
  p.largest_step = s.max_delta_counter;
  p.take_wrong = s.take_wrong;
  switch (s.profile) {
    case Profile::plain:
      detail::make_plain(s, p);
      break;
    case Profile::p01:
    case Profile::p11:
      detail::make_as_profile_1(s, p);
      break;
    case Profile::p02:
    case Profile::p22:
      detail::make_as_profile_2(s, p);
      break;
    case Profile::p04:
    case Profile::p07:
      detail::make_long_header(s, p);
      break;
    case Profile::p05:
    case Profile::p06:
      detail::make_short_header(s, p);
      break;
  }
  return p;
}

/// The last byte of a frame that a field of the protection stands in.
[[nodiscard]] constexpr unsigned last_byte_of(const Protection& p) noexcept {
  unsigned last = 0;
  const auto look = [&](const Field& field) {
    for (std::size_t k = 0; k < field.count; ++k)
      if (field.pieces[k].byte > last) last = field.pieces[k].byte;
  };
  look(p.counter);
  look(p.checksum);
  for (std::size_t k = 0; k < p.constant_count; ++k) look(p.constants[k].field);
  return last;
}

}  // namespace takt::can
