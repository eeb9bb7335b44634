#pragma once
// Decoding and encoding by walking the DBC: for `takt can` and as the plain twin of the emitted codecs in tests.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codegen/dbc/dbc.hpp"

namespace takt::codegen {

/// Values in DBC units, one per signal of the message; nullopt where the signal is not in this frame.
using SignalValues = std::vector<std::optional<double>>;

/// Raw bits of a signal, not sign-extended.  @pre the signal is usable and fits data
[[nodiscard]] std::uint64_t raw_bits(const DbcSignal& signal, std::span<const std::uint8_t> data);
/// @return empty where data is shorter than the message
[[nodiscard]] SignalValues decode_message(const DbcMessage& message, std::span<const std::uint8_t> data);
/// Signals without a value take their start value; multiplexed ones are written where their multiplexer says so.
[[nodiscard]] std::vector<std::uint8_t> encode_message(const DbcMessage& message, const SignalValues& values);

/// Value of a signal nobody gave one: its start value, else 0 brought into [minimum, maximum]. DBC units.
[[nodiscard]] double default_value(const DbcSignal& signal);
/// Name of a raw value (VAL_), or nullptr.
[[nodiscard]] const std::string* value_name(const DbcSignal& signal, double value);

}  // namespace takt::codegen
