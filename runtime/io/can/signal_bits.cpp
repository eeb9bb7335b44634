#include "runtime/io/can/signal_bits.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/io/can/codec.hpp"

namespace takt::can {
namespace {

/// Calls f(byte, bit within it) for each bit of the field, the least significant first. Big-endian fields go up through
/// a byte and then on to the one before.
void for_bits(const SignalBits& signal, auto&& f) {
  if (!signal.big_endian) {
    for (unsigned k = 0; k < signal.length; ++k) f((signal.start + k) / 8U, (signal.start + k) % 8U);
    return;
  }
  const unsigned most = signal.start / 8U * 8U + (7U - signal.start % 8U);  // counted from the first bit on the wire
  for (unsigned k = 0; k < signal.length; ++k) {
    const unsigned place = most + signal.length - 1U - k;
    f(place / 8U, 7U - place % 8U);
  }
}

std::uint64_t mask(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

std::uint64_t get_raw(const SignalBits& signal, const std::uint8_t* data) noexcept {
  std::uint64_t raw = 0;
  unsigned k = 0;
  for_bits(signal, [&](unsigned byte, unsigned bit) { raw |= std::uint64_t{(data[byte] >> bit) & 1U} << k++; });
  return raw;
}

void set_raw(const SignalBits& signal, std::uint64_t raw, std::uint8_t* data) noexcept {
  for_bits(signal, [&](unsigned byte, unsigned bit) {
    data[byte] = static_cast<std::uint8_t>((data[byte] & ~(1U << bit)) | static_cast<unsigned>(raw & 1U) << bit);
    raw >>= 1U;
  });
}

bool is_there(std::span<const SignalBits> signals, std::size_t index, const std::uint8_t* data) noexcept {
  for (std::size_t steps = 0; signals[index].chosen_by != SignalBits::none && steps < signals.size(); ++steps) {
    const std::uint64_t raw = get_raw(signals[signals[index].chosen_by], data);
    bool chosen = false;
    for (const RawRange& page : signals[index].pages) chosen = chosen || (raw >= page.first && raw <= page.last);
    if (!chosen) return false;
    index = signals[index].chosen_by;
  }
  return true;
}

std::optional<std::uint64_t> raw_of(const SignalBits& signal, double value) {
  using Type = SignalBits::Type;
  if (!std::isfinite(value)) return std::nullopt;
  if (signal.type == Type::float32) return to_float32(value, signal.factor, signal.offset);
  if (signal.type == Type::float64) return to_float64(value, signal.factor, signal.offset);
  const bool is_signed = signal.type == Type::signed_integer;
  const double raw = nearest((value - signal.offset) / signal.factor);
  const double end = std::ldexp(1.0, is_signed ? signal.length - 1 : signal.length);
  if (!(raw < end && raw >= (is_signed ? -end : 0.0))) return std::nullopt;
  return (is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(raw)) : static_cast<std::uint64_t>(raw)) &
         mask(signal.length);
}

HeldValues held_values(const SignalBits& signal) {
  using Type = SignalBits::Type;
  constexpr double above = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<float>::max();
  // A double has infinity itself: nothing is beyond it.
  if (signal.type == Type::float64) return {absent, absent};
  const bool is_signed = signal.type == Type::signed_integer, is_float = signal.type == Type::float32;
  const double end = std::ldexp(1.0, is_signed ? signal.length - 1 : signal.length);
  // Whole numbers are rounded: what is less than half a step beyond the ends is held.
  const double first = is_float ? -largest : (is_signed ? -end : 0.0) - 0.5, last = is_float ? largest : end - 0.5;
  HeldValues held{first * signal.factor + signal.offset, last * signal.factor + signal.offset};
  if (held.low > held.high) std::swap(held.low, held.high);
  if (is_float) held = {std::nextafter(held.low, -above), std::nextafter(held.high, above)};
  return held;
}

double value_of(const SignalBits& signal, std::uint64_t raw) {
  switch (signal.type) {
    case SignalBits::Type::unsigned_integer:
      return from_unsigned(raw, signal.factor, signal.offset);
    case SignalBits::Type::signed_integer:
      return from_signed(raw, signal.length, signal.factor, signal.offset);
    case SignalBits::Type::float32:
      return from_float32(raw, signal.factor, signal.offset);
    case SignalBits::Type::float64:
      return from_float64(raw, signal.factor, signal.offset);
  }
  return 0.0;
}

}  // namespace takt::can
