#include "runtime/io/can/protect/protection.hpp"

namespace takt::can {
namespace {

using Bits = std::array<std::uint8_t, 64>;

void add_bits(const Field& field, Bits& bits) noexcept {
  for (std::size_t k = 0; k < field.count; ++k) {
    const FieldPiece& piece = field.pieces[k];
    bits[piece.byte] = static_cast<std::uint8_t>(bits[piece.byte] | low_bits(piece.width) << piece.low_bit);
  }
}

void write(const Field& field, std::uint64_t value, std::span<std::uint8_t> data) noexcept {
  for (std::size_t k = 0; k < field.count; ++k) {
    const FieldPiece& piece = field.pieces[k];
    const std::uint64_t mask = low_bits(piece.width);
    data[piece.byte] = static_cast<std::uint8_t>((data[piece.byte] & ~(mask << piece.low_bit)) |
                                                 (value >> piece.raw_low & mask) << piece.low_bit);
  }
}

std::uint64_t read(const Field& field, std::span<const std::uint8_t> data) noexcept {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < field.count; ++k) {
    const FieldPiece& piece = field.pieces[k];
    value |= (std::uint64_t{data[piece.byte]} >> piece.low_bit & low_bits(piece.width)) << piece.raw_low;
  }
  return value;
}

/// Bytes that belong to the checksum are left out; of those that do in part, its bits count as 0.
std::uint64_t checksum(const Protection& p, std::uint64_t counter, std::span<const std::uint8_t> data) noexcept {
  CrcSum sum(p.crc);
  const auto add_ids = [&] {
    for (std::size_t k = 0; k < p.id_byte_count; ++k) sum.add(p.id_bytes[k]);
    if (p.id_list_count > 0) sum.add(p.id_list[counter % p.id_list_count]);
  };
  Bits own{};
  add_bits(p.checksum, own);
  if (p.ids_first) add_ids();
  for (std::size_t k = p.from; k <= p.to; ++k)
    if (own[k] != 0xFF) sum.add(static_cast<std::uint8_t>(data[k] & ~own[k]));
  if (!p.ids_first) add_ids();
  return sum.value();
}

bool is_intact(const Protection& p, std::uint64_t counter, std::span<const std::uint8_t> data) noexcept {
  for (std::size_t k = 0; k < p.constant_count; ++k)
    if (read(p.constants[k].field, data) != p.constants[k].value) return false;
  if (p.counter.count > 0 && counter >= p.counters) return false;
  return p.checksum.count == 0 || read(p.checksum, data) == checksum(p, counter, data);
}

}  // namespace

void protect(const Protection& p, std::uint64_t counter, std::span<std::uint8_t> data) noexcept {
  for (std::size_t k = 0; k < p.constant_count; ++k) write(p.constants[k].field, p.constants[k].value, data);
  write(p.counter, counter, data);
  if (p.checksum.count > 0) write(p.checksum, checksum(p, counter, data), data);
}

std::uint64_t next_counter(const Protection& p, std::uint64_t counter) noexcept {
  return counter + 1 < p.counters ? counter + 1 : 0;
}

Checked check(const Protection& p, Receiver& receiver, std::span<const std::uint8_t> data) noexcept {
  const std::uint64_t counter = read(p.counter, data);
  if (!is_intact(p, counter, data)) return {.verdict = Verdict::wrong_checksum};
  const Receiver before = receiver;
  receiver = {.seen = true, .counter = counter};
  if (!before.seen) return {.verdict = Verdict::initial};
  if (p.counter.count == 0) return {.verdict = Verdict::ok};
  const std::uint64_t step = (counter + p.counters - before.counter) % p.counters;
  if (step == 0) return {.verdict = Verdict::repeated};
  if (step == 1) return {.verdict = Verdict::ok};
  if (step > p.largest_step) return {.verdict = Verdict::wrong_sequence};
  return {.verdict = Verdict::some_lost, .lost = step - 1};
}

std::array<std::uint8_t, 64> protected_bits(const Protection& p) noexcept {
  Bits bits{};
  add_bits(p.counter, bits);
  add_bits(p.checksum, bits);
  for (std::size_t k = 0; k < p.constant_count; ++k) add_bits(p.constants[k].field, bits);
  return bits;
}

}  // namespace takt::can
