#include "codegen/dbc/codec.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/dbc/dbc_bits.hpp"
#include "runtime/io/can/codec.hpp"

namespace takt::codegen {
namespace {

double to_value(const DbcSignal& signal, std::uint64_t raw) {
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

std::uint64_t to_raw(const DbcSignal& signal, double value) {
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

/// Is the signal in a frame whose multiplexers have these raw values?
bool present(const DbcMessage& message, const DbcSignal& signal, std::span<const std::uint64_t> raws) {
  const DbcSignal* at = &signal;
  for (std::size_t steps = 0; at->multiplexed_by && steps <= message.signals.size(); ++steps) {
    const std::uint64_t raw = raws[*at->multiplexed_by];
    const bool inside = std::any_of(at->mux_values.begin(), at->mux_values.end(),
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
    const std::uint64_t field = (std::uint64_t{data[piece.byte]} >> piece.low_bit) & largest_unsigned(piece.width);
    raw |= field << piece.raw_low;
  }
  return raw;
}

SignalValues decode_message(const DbcMessage& message, std::span<const std::uint8_t> data) {
  if (data.size() < message.length || !message.usable) return {};
  std::vector<std::uint64_t> raws(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    if (message.signals[k].usable) raws[k] = raw_bits(message.signals[k], data);
  }
  SignalValues values(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    const auto& signal = message.signals[k];
    if (signal.usable && present(message, signal, raws)) values[k] = to_value(signal, raws[k]);
  }
  return values;
}

std::vector<std::uint8_t> encode_message(const DbcMessage& message, const SignalValues& values) {
  std::vector<std::uint8_t> data(message.length);
  std::vector<std::uint64_t> raws(message.signals.size());
  for (std::size_t k = 0; k < raws.size(); ++k) {
    const auto& signal = message.signals[k];
    if (signal.usable) raws[k] = to_raw(signal, k < values.size() && values[k] ? *values[k] : default_value(signal));
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

double default_value(const DbcSignal& signal) {
  if (signal.start_raw) return *signal.start_raw * signal.factor + signal.offset;
  if (signal.minimum < signal.maximum) return std::clamp(0.0, signal.minimum, signal.maximum);
  return 0.0;
}

const std::string* value_name(const DbcSignal& signal, double value) {
  const double raw = can::nearest((value - signal.offset) / signal.factor);
  for (const auto& named : signal.values) {
    if (static_cast<double>(named.value) == raw) return &named.name;
  }
  return nullptr;
}

}  // namespace takt::codegen
