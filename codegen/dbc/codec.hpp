#pragma once
// Decoding and encoding by walking the DBC: for `takt can` and as the plain twin of the emitted
// codecs in tests.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "runtime/io/can/codec.hpp"

namespace takt::codegen {

/// Raw bits, not sign-extended, one per signal of the message; nullopt where the signal is not in
/// this frame.
using RawValues = std::vector<std::optional<std::uint64_t>>;
/// Values in DBC units, likewise. A double holds whole numbers up to 2^53; beyond, raw values and
/// texts are exact.
using SignalValues = std::vector<std::optional<double>>;

/// Raw bits of a signal.  @pre the signal is usable and fits data
[[nodiscard]] std::uint64_t raw_bits(const DbcSignal& signal, std::span<const std::uint8_t> data);
/// @return empty where data is shorter than the message
[[nodiscard]] RawValues decode_raw(const DbcMessage& message, std::span<const std::uint8_t> data);
[[nodiscard]] SignalValues decode_message(const DbcMessage& message,
                                          std::span<const std::uint8_t> data);
/// Signals without a value take their start value; multiplexed ones are written where their
/// multiplexer says so.
[[nodiscard]] std::vector<std::uint8_t> encode_raw(const DbcMessage& message,
                                                   const RawValues& values);
[[nodiscard]] std::vector<std::uint8_t> encode_message(const DbcMessage& message,
                                                       const SignalValues& values);

/// Value in DBC units, or the double nearest to it.
[[nodiscard]] double value_of(const DbcSignal& signal, std::uint64_t raw);
/// The nearest raw value, saturated at the range of the field.
[[nodiscard]] std::uint64_t raw_of(const DbcSignal& signal, double value);
/// Factor and offset of an integer signal where both are whole numbers: its values are exact.
[[nodiscard]] std::optional<can::WholeScale> whole_scale(const DbcSignal& signal);
/// The same, only where a value may be beyond 2^53: there doubles do not suffice.
[[nodiscard]] std::optional<can::WholeScale> wide_scale(const DbcSignal& signal);
/// Value in DBC units where it is exact.
[[nodiscard]] std::optional<can::Whole> whole_value(const DbcSignal& signal, std::uint64_t raw);
/// All digits of a whole value; of others as many, ten at least, as lead back to the same raw
/// value.
[[nodiscard]] std::string value_text(const DbcSignal& signal, std::uint64_t raw);
/// Of a number in DBC units as text; whole numbers are exact with a whole scale. nullopt: it is no
/// number.
[[nodiscard]] std::optional<std::uint64_t> raw_of_text(const DbcSignal& signal,
                                                       std::string_view text);

/// Whether the field holds the value, as the nearest raw value: what saturates it does not, nor
/// does NaN where the raw value is a whole number.
[[nodiscard]] bool holds(const DbcSignal& signal, double value);
/// The same of a number in DBC units as text; whole numbers are exact.  @pre raw_of_text() reads it
[[nodiscard]] bool holds_text(const DbcSignal& signal, std::string_view text);
/// What the field holds, for people: "raw values 0 to 65535 (16 bits), that is 0 to 6553.5 V".
[[nodiscard]] std::string field_text(const DbcSignal& signal);
/// Values strictly between them are held, in DBC units.
struct ValueLimits {
  double low = 0.0, high = 0.0;
};
/// nullopt: of a double, which holds everything.
[[nodiscard]] std::optional<ValueLimits> value_limits(const DbcSignal& signal);

/// Value of a signal nobody gave one: its start value, else 0 brought into [minimum, maximum]. DBC
/// units.
[[nodiscard]] double default_value(const DbcSignal& signal);
/// Name of a raw value (VAL_), or nullptr.
[[nodiscard]] const std::string* value_name(const DbcSignal& signal, std::uint64_t raw);
/// The raw value that a name of VAL_ stands for.
[[nodiscard]] std::uint64_t raw_of_name(const DbcSignal& signal, const ValueName& name);

}  // namespace takt::codegen
