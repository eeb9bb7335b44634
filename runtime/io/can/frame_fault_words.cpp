// Faults of frames as people write them.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/dlc.hpp"
#include "runtime/io/can/frame_faults.hpp"
#include "runtime/io/can/id_text.hpp"
#include "runtime/io/can/protect/protection.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/stats/format.hpp"
#include "runtime/units/nearest.hpp"
#include "runtime/units/words.hpp"

namespace takt::can {
namespace {

using Kind = FrameFault::Kind;

struct Word {
  const char* name;
  Kind kind;
};
constexpr std::array<Word, 11> words{{{"drop", Kind::drop},
                                      {"delay", Kind::delay},
                                      {"duplicate", Kind::duplicate},
                                      {"length", Kind::length},
                                      {"id", Kind::id},
                                      {"reorder", Kind::reorder},
                                      {"freeze", Kind::freeze},
                                      {"freeze", Kind::freeze_signal},
                                      {"value", Kind::value},
                                      {"checksum", Kind::checksum},
                                      {"counter", Kind::counter}}};

/// Decimal, or hexadecimal behind 0x.
std::optional<std::uint32_t> whole(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::uint32_t delay_us(std::string_view text) {
  const double seconds = parse_quantity(text, "s");
  if (!(seconds > 0.0 && seconds <= 60.0)) throw std::runtime_error("a delay is longer than 0 s, up to 60 s");
  return static_cast<std::uint32_t>(seconds * 1e6 + 0.5);
}

std::uint32_t length(std::string_view text, const MessageInfo& message) {
  const auto bytes = whole(text);
  const bool is_good =
      bytes && *bytes <= (message.fd ? 64U : 8U) && fd_length(static_cast<std::uint8_t>(*bytes)) == *bytes;
  if (is_good) return *bytes;
  throw std::runtime_error(message.fd ? "a CAN FD frame has 0 to 8, 12, 16, 20, 24, 32, 48 or 64 bytes: length 12"
                                      : "a frame of this message has 0 to 8 bytes: length 4");
}

std::uint32_t id(std::string_view text, const MessageInfo& message) {
  const auto read = read_id(text);
  if (read && (message.extended || read->id <= largest_standard_id) && !read->is_eight_digits) return read->id;
  if (read && read->is_eight_digits) return message.extended ? read->id : read->id | FrameFault::extended_mark;
  throw std::runtime_error(message.extended ? "an id of 29 bits: id 0x18FF0001"
                                            : "an id of 11 bits: id 0x123; of 29 bits: id 0x00000123");
}

/// What the protection writes would be written again, over the fault.
void check_unprotected(const SignalBits& signal, const MessageInfo& message) {
  if (message.protection == nullptr) return;
  const auto own = protected_bits(*message.protection);
  std::array<std::uint8_t, 64> bits{};
  set_raw(signal, ~std::uint64_t{0}, bits.data());
  for (std::size_t k = 0; k < bits.size(); ++k)
    if ((bits[k] & own[k]) != 0)
      throw std::runtime_error("signal " + std::string(signal.name) + " has bits that the protection of message " +
                               message.name + " writes: the faults checksum and counter are for them");
}

std::uint16_t signal_of(std::string_view name, const MessageInfo& message) {
  std::vector<std::string> names;
  for (const SignalBits& signal : message.signals) names.emplace_back(signal.name);
  const auto found = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (found != names.end() && index >= FrameFault::most_signals)
    throw std::runtime_error("signal " + std::string(name) + " is not among the first " +
                             std::to_string(FrameFault::most_signals) + " of message " + message.name +
                             ", which are those that a fault can name");
  if (found != names.end()) {
    check_unprotected(message.signals[index], message);
    return static_cast<std::uint16_t>(index);
  }
  const std::string hint = did_you_mean(std::string(name), names);
  throw std::runtime_error("message " + std::string(message.name) + " has no signal '" + std::string(name) + "'" +
                           (hint.empty() ? "" : "; " + hint));
}

/// What fits into the word of a fault: raw values of 32 bits, floats in DBC units.
std::uint32_t value_bits(std::string_view text, const SignalBits& signal) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("a value is a number in the unit of the database: value " + std::string(signal.name) +
                             " 12.5");
  const auto raw = raw_of(signal, value);
  if (!raw)
    throw std::runtime_error("signal " + std::string(signal.name) + " cannot have the value " + short_number(value));
  using Type = SignalBits::Type;
  if (signal.type == Type::float32 || signal.type == Type::float64) {
    if (std::abs(value) > double{std::numeric_limits<float>::max()})
      throw std::runtime_error("a fault gives values of single precision, not " + short_number(value) + " of signal " +
                               signal.name);
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  const std::int64_t whole = sign_extended(*raw, signal.length);
  const bool fits = signal.type == Type::signed_integer ? whole == static_cast<std::int32_t>(whole)
                                                        : *raw <= std::numeric_limits<std::uint32_t>::max();
  if (!fits)
    throw std::runtime_error("a fault gives raw values of up to 32 bits, not " + short_number(value) + " of signal " +
                             signal.name);
  return static_cast<std::uint32_t>(*raw);
}

/// The fault's last word, if it says how many frames it meets: taken off.
std::uint32_t take_frames(std::string_view& text) {
  const auto space = text.rfind(' ');
  if (space == std::string_view::npos || text[space + 1] != 'x') return 0;
  const std::string_view number = text.substr(space + 2);
  if (number.find_first_not_of("0123456789") != std::string_view::npos) return 0;  // a signal whose name begins so
  const auto frames = whole(number);
  if (!frames || *frames == 0 || *frames > FrameFault::most_frames)
    throw std::runtime_error("a number of frames, 1 to " + std::to_string(FrameFault::most_frames) +
                             ", is written so: drop x5");
  text = trimmed(text.substr(0, space));
  return *frames;
}

void check_protected(Kind kind, const MessageInfo& message) {
  const Protection* const protection = message.protection;
  const bool is_sum = kind == Kind::checksum;
  if (protection != nullptr && (is_sum ? protection->checksum : protection->counter).count > 0) return;
  throw std::runtime_error("message " + std::string(message.name) + " has no " + (is_sum ? "checksum" : "counter") +
                           " that the rig knows: [bus.NAME.protect] of the rig file names it");
}

void read_argument(std::string_view argument, const MessageInfo& message, FrameFault& fault) {
  switch (fault.kind) {
    case Kind::delay:
      fault.amount = delay_us(argument);
      break;
    case Kind::length:
      fault.amount = length(argument, message);
      break;
    case Kind::id:
      fault.amount = id(argument, message);
      break;
    case Kind::freeze_signal:
      fault.signal = signal_of(argument, message);
      break;
    case Kind::value: {
      const std::string_view name = argument.substr(0, argument.find(' '));
      fault.signal = signal_of(name, message);
      fault.amount = value_bits(trimmed(argument.substr(name.size())), message.signals[fault.signal]);
      break;
    }
    case Kind::checksum:
    case Kind::counter:
      check_protected(fault.kind, message);
      [[fallthrough]];
    default:
      if (!argument.empty())
        throw std::runtime_error("'" + std::string(argument) + "' means nothing here; drop x5 meets five frames");
  }
}

}  // namespace

FrameFault parse_frame_fault(std::string_view text, const MessageInfo& message) {
  FrameFault fault;
  text = trimmed(text);
  fault.frames = take_frames(text);
  const std::string_view name = text.substr(0, text.find(' '));
  const std::string_view argument = trimmed(text.substr(name.size()));
  const auto* const word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return name == w.name; });
  if (word == words.end()) throw std::runtime_error("'" + std::string(name) + "' is none of " + frame_fault_kinds);
  fault.kind = word->kind == Kind::freeze && !argument.empty() ? Kind::freeze_signal : word->kind;
  read_argument(argument, message, fault);
  return fault;
}

std::string frame_fault_text(const FrameFault& fault, const MessageInfo& message) {
  const auto* const word =
      std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.kind == fault.kind; });
  std::string text = word == words.end() ? "none" : word->name;
  if (fault.kind == Kind::delay) text += " " + std::to_string(fault.amount) + " us";
  if (fault.kind == Kind::length) text += " " + std::to_string(fault.amount);
  if (fault.kind == Kind::id)
    text += " " + id_text(fault.amount & ~FrameFault::extended_mark,
                          message.extended || (fault.amount & FrameFault::extended_mark) != 0);
  if ((fault.kind == Kind::freeze_signal || fault.kind == Kind::value) && fault.signal < message.signals.size()) {
    const SignalBits& signal = message.signals[fault.signal];
    text += " " + std::string(signal.name);
    if (fault.kind == Kind::value) text += " " + formatted("%.17g", value_of(signal, given_raw(fault, signal)));
  }
  return fault.frames > 0 ? text + " x" + std::to_string(fault.frames) : text;
}

}  // namespace takt::can
