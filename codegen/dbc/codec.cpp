#include "codegen/dbc/codec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr double two_53 = 9007199254740992.0, two_62 = 4611686018427387904.0;

bool is_integer(const DbcSignal& signal) {
  return signal.type == RawType::unsigned_integer || signal.type == RawType::signed_integer;
}

/// Of a whole number in the text; nullopt where it is none, or one of more than 37 digits.
std::optional<can::Whole> whole_of_text(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 37) return std::nullopt;
  can::Whole value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return negative ? -value : value;
}

std::string text_of_whole(can::Whole value) {
  std::string digits;
  const bool negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (negative ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::uint64_t saturated(const DbcSignal& signal, can::Whole raw) {
  if (signal.type == RawType::unsigned_integer)
    return can::saturated_unsigned(raw, largest_unsigned(signal.length));
  return can::saturated_signed(raw, largest_signed(signal.length)) &
         largest_unsigned(signal.length);
}

can::Whole smallest_raw(const DbcSignal& signal) {
  return signal.type == RawType::signed_integer ? -can::Whole{largest_signed(signal.length)} - 1
                                                : can::Whole{0};
}

can::Whole largest_raw(const DbcSignal& signal) {
  return signal.type == RawType::signed_integer ? can::Whole{largest_signed(signal.length)}
                                                : can::Whole{largest_unsigned(signal.length)};
}

bool holds_whole(const DbcSignal& signal, can::Whole value, can::WholeScale scale) {
  const can::Whole raw = can::whole_raw(value, scale);
  return raw >= smallest_raw(signal) && raw <= largest_raw(signal);
}

/// Of a signal nobody gave a value.
std::uint64_t default_raw(const DbcSignal& signal) {
  if (signal.start_raw && is_integer(signal) && can::is_whole(*signal.start_raw))
    return saturated(signal, static_cast<can::Whole>(*signal.start_raw));
  return raw_of(signal, default_value(signal));
}

/// Is the signal in a frame whose multiplexers have these raw values?
bool present(const DbcMessage& message, const DbcSignal& signal,
             std::span<const std::uint64_t> raws) {
  const DbcSignal* at = &signal;
  for (std::size_t steps = 0; at->multiplexed_by && steps <= message.signals.size(); ++steps) {
    const std::uint64_t raw = raws[*at->multiplexed_by];
    const bool inside =
        std::any_of(at->mux_values.begin(), at->mux_values.end(),
                    [&](const MuxRange& r) { return raw >= r.first && raw <= r.last; });
    if (!inside) return false;
    at = &message.signals[*at->multiplexed_by];
  }
  return true;
}

}  // namespace

std::uint64_t raw_bits(const DbcSignal& signal, std::span<const std::uint8_t> data) {
  std::uint64_t raw = 0;
  for (const auto& piece : bit_pieces(signal)) {
    const std::uint64_t field =
        (std::uint64_t{data[piece.byte]} >> piece.low_bit) & largest_unsigned(piece.width);
    raw |= field << piece.raw_low;
  }
  return raw;
}

RawValues decode_raw(const DbcMessage& message, std::span<const std::uint8_t> data) {
  if (data.size() < message.length || !message.usable) return {};
  std::vector<std::uint64_t> raws(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    if (message.signals[k].usable) raws[k] = raw_bits(message.signals[k], data);
  }
  RawValues values(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    const auto& signal = message.signals[k];
    if (signal.usable && present(message, signal, raws)) values[k] = raws[k];
  }
  return values;
}

SignalValues decode_message(const DbcMessage& message, std::span<const std::uint8_t> data) {
  SignalValues values;
  const RawValues raws = decode_raw(message, data);
  for (std::size_t k = 0; k < raws.size(); ++k)
    values.push_back(raws[k] ? std::optional(value_of(message.signals[k], *raws[k]))
                             : std::nullopt);
  return values;
}

std::vector<std::uint8_t> encode_raw(const DbcMessage& message, const RawValues& values) {
  std::vector<std::uint8_t> data(message.length);
  std::vector<std::uint64_t> raws(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    const auto& signal = message.signals[k];
    if (signal.usable) raws[k] = k < values.size() && values[k] ? *values[k] : default_raw(signal);
  }
  for (std::size_t k = 0; k < raws.size(); ++k) {
    const auto& signal = message.signals[k];
    if (!signal.usable || !present(message, signal, raws)) continue;
    for (const auto& piece : bit_pieces(signal)) {
      const std::uint64_t field = (raws[k] >> piece.raw_low) & largest_unsigned(piece.width);
      data[piece.byte] = static_cast<std::uint8_t>(data[piece.byte] | (field << piece.low_bit));
    }
  }
  return data;
}

std::vector<std::uint8_t> encode_message(const DbcMessage& message, const SignalValues& values) {
  RawValues raws(message.signals.size());
  for (std::size_t k = 0; k < raws.size() && k < values.size(); ++k)
    if (values[k] && message.signals[k].usable) raws[k] = raw_of(message.signals[k], *values[k]);
  return encode_raw(message, raws);
}

double value_of(const DbcSignal& signal, std::uint64_t raw) {
  if (const auto whole = whole_value(signal, raw)) return static_cast<double>(*whole);
  switch (signal.type) {
    case RawType::unsigned_integer:
      return can::from_unsigned(raw, signal.factor, signal.offset);
    case RawType::signed_integer:
      return can::from_signed(raw, signal.length, signal.factor, signal.offset);
    case RawType::float32:
      return can::from_float32(raw, signal.factor, signal.offset);
    case RawType::float64:
      return can::from_float64(raw, signal.factor, signal.offset);
  }
  return 0.0;
}

std::uint64_t raw_of(const DbcSignal& signal, double value) {
  if (const auto scale = whole_scale(signal); scale && can::is_whole(value))
    return saturated(signal, can::whole_raw(static_cast<can::Whole>(value), *scale));
  switch (signal.type) {
    case RawType::unsigned_integer:
      return can::to_unsigned(value, signal.factor, signal.offset, largest_unsigned(signal.length));
    case RawType::signed_integer:
      return can::to_signed(value, signal.factor, signal.offset, largest_signed(signal.length)) &
             largest_unsigned(signal.length);
    case RawType::float32:
      return can::to_float32(value, signal.factor, signal.offset);
    case RawType::float64:
      return can::to_float64(value, signal.factor, signal.offset);
  }
  return 0;
}

std::optional<can::WholeScale> whole_scale(const DbcSignal& signal) {
  const auto whole = [](double x) { return std::abs(x) < two_62 && x == std::trunc(x); };
  if (!is_integer(signal) || signal.factor == 0.0 || !whole(signal.factor) || !whole(signal.offset))
    return std::nullopt;
  return can::WholeScale{static_cast<std::int64_t>(signal.factor),
                         static_cast<std::int64_t>(signal.offset)};
}

std::optional<can::WholeScale> wide_scale(const DbcSignal& signal) {
  const double largest =
      std::exp2(signal.length) * std::abs(signal.factor) + std::abs(signal.offset);
  return largest > two_53 ? whole_scale(signal) : std::nullopt;
}

std::optional<can::Whole> whole_value(const DbcSignal& signal, std::uint64_t raw) {
  const auto scale = whole_scale(signal);
  if (!scale) return std::nullopt;
  const can::Whole whole = signal.type == RawType::signed_integer
                               ? can::Whole{can::sign_extended(raw, signal.length)}
                               : can::Whole{raw};
  return whole * scale->factor + scale->offset;
}

std::string value_text(const DbcSignal& signal, std::uint64_t raw) {
  if (const auto whole = whole_value(signal, raw)) return text_of_whole(*whole);
  const double value = value_of(signal, raw);
  std::array<char, 40> text{};
  for (int digits = 10; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    if (raw_of_text(signal, text.data()) == raw) break;
  }
  return text.data();
}

std::optional<std::uint64_t> raw_of_text(const DbcSignal& signal, std::string_view text) {
  const auto scale = whole_scale(signal);
  if (const auto whole = whole_of_text(text); scale && whole)
    return saturated(signal, can::whole_raw(*whole, *scale));
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return raw_of(signal, value);
}

bool holds(const DbcSignal& signal, double value) {
  if (const auto scale = whole_scale(signal); scale && can::is_whole(value))
    return holds_whole(signal, static_cast<can::Whole>(value), *scale);
  const auto limits = value_limits(signal);
  if (!limits || (std::isnan(value) && !is_integer(signal))) return true;
  return value > limits->low && value < limits->high;
}

bool holds_text(const DbcSignal& signal, std::string_view text) {
  const auto scale = whole_scale(signal);
  if (const auto whole = whole_of_text(text); scale && whole)
    return holds_whole(signal, *whole, *scale);
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return holds(signal, value);
}

std::optional<ValueLimits> value_limits(const DbcSignal& signal) {
  if (signal.type == RawType::float64) return std::nullopt;
  constexpr double largest_float = std::numeric_limits<float>::max();
  const double above = std::numeric_limits<double>::infinity();
  // A raw value is rounded: what is less than half a step beyond the ends is held.
  const double first =
      is_integer(signal) ? static_cast<double>(smallest_raw(signal)) - 0.5 : -largest_float;
  const double last =
      is_integer(signal) ? static_cast<double>(largest_raw(signal)) + 0.5 : largest_float;
  ValueLimits limits{first * signal.factor + signal.offset, last * signal.factor + signal.offset};
  if (limits.low > limits.high) std::swap(limits.low, limits.high);
  if (!is_integer(signal))
    limits = {std::nextafter(limits.low, -above), std::nextafter(limits.high, above)};
  return limits;
}

std::string field_text(const DbcSignal& signal) {
  const std::string unit = signal.unit.empty() ? "" : " " + signal.unit;
  if (!is_integer(signal)) {
    const auto limits = value_limits(signal).value_or(ValueLimits{-HUGE_VAL, HUGE_VAL});
    return "numbers of " + std::to_string(signal.length) + " bits, that is " +
           number_text(limits.low) + " to " + number_text(limits.high) + unit;
  }
  const can::Whole first = smallest_raw(signal), last = largest_raw(signal);
  std::string low = value_text(signal, saturated(signal, first)),
              high = value_text(signal, saturated(signal, last));
  if (signal.factor < 0) std::swap(low, high);
  return "raw values " + text_of_whole(first) + " to " + text_of_whole(last) + " (" +
         std::to_string(signal.length) +
         (signal.length == 1 ? " bit), that is " : " bits), that is ") + low + " to " + high + unit;
}

double default_value(const DbcSignal& signal) {
  if (signal.start_raw) return *signal.start_raw * signal.factor + signal.offset;
  if (signal.minimum < signal.maximum) return std::clamp(0.0, signal.minimum, signal.maximum);
  return 0.0;
}

std::uint64_t raw_of_name(const DbcSignal& signal, const ValueName& name) {
  if (is_integer(signal)) return saturated(signal, name.value);
  return raw_of(signal, static_cast<double>(name.value) * signal.factor + signal.offset);
}

const std::string* value_name(const DbcSignal& signal, std::uint64_t raw) {
  for (const auto& named : signal.values) {
    const bool same = signal.type == RawType::signed_integer
                          ? can::sign_extended(raw, signal.length) == named.value
                      : signal.type == RawType::unsigned_integer
                          ? can::Whole{raw} == named.value
                          : raw_of_name(signal, named) == raw;
    if (same) return &named.name;
  }
  return nullptr;
}

}  // namespace takt::codegen
