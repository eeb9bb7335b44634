#include "runtime/io/can/frame_faults.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "runtime/io/can/dlc.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/units/words.hpp"

namespace takt::can {
namespace {

using Kind = FrameFault::Kind;

struct Word {
  const char* name;
  Kind kind;
};
constexpr std::array<Word, 5> words{{{"drop", Kind::drop},
                                     {"delay", Kind::delay},
                                     {"duplicate", Kind::duplicate},
                                     {"length", Kind::length},
                                     {"id", Kind::id}}};

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
  const auto value = whole(text);
  if (value && *value <= (message.extended ? 0x1FFFFFFFU : 0x7FFU)) return *value;
  throw std::runtime_error(message.extended ? "an id of 29 bits: id 0x18FF0001" : "an id of 11 bits: id 0x123");
}

std::uint64_t packed(const FrameFault& fault, std::uint64_t generation) {
  return std::uint64_t{fault.amount} | std::uint64_t{fault.frames} << 32U | (generation & 0xFFU) << 52U |
         static_cast<std::uint64_t>(fault.kind) << 60U;
}

/// Of any word: it may come from memory that another process writes.
FrameFault unpacked(std::uint64_t order) {
  FrameFault fault{.kind = static_cast<Kind>(order >> 60U),
                   .amount = static_cast<std::uint32_t>(order),
                   .frames = static_cast<std::uint32_t>(order >> 32U) & FrameFault::most_frames};
  constexpr std::uint32_t longest_delay_us = 60'000'000;
  if (fault.kind > Kind::id) fault.kind = Kind::none;
  if (fault.kind == Kind::delay) fault.amount = std::min(fault.amount, longest_delay_us);
  return fault;
}

}  // namespace

std::uint64_t word_of(const FrameFault& fault) noexcept { return packed(fault, 0); }

FrameFault frame_fault_of(std::uint64_t word) noexcept { return unpacked(word); }

FrameFault parse_frame_fault(std::string_view text, const MessageInfo& message) {
  FrameFault fault;
  text = trimmed(text);
  const auto space = text.rfind(' ');
  if (space != std::string_view::npos && text[space + 1] == 'x') {
    const auto frames = whole(text.substr(space + 2));
    if (!frames || *frames == 0 || *frames > FrameFault::most_frames)
      throw std::runtime_error("a number of frames is written so: drop x5");
    fault.frames = *frames;
    text = trimmed(text.substr(0, space));
  }
  const std::string_view name = text.substr(0, text.find(' '));
  const std::string_view argument = trimmed(text.substr(name.size()));
  const auto* const word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return name == w.name; });
  if (word == words.end()) throw std::runtime_error("'" + std::string(name) + "' is none of " + frame_fault_kinds);
  fault.kind = word->kind;
  if (fault.kind == Kind::delay) fault.amount = delay_us(argument);
  if (fault.kind == Kind::length) fault.amount = length(argument, message);
  if (fault.kind == Kind::id) fault.amount = id(argument, message);
  if ((fault.kind == Kind::drop || fault.kind == Kind::duplicate) && !argument.empty())
    throw std::runtime_error("'" + std::string(argument) + "' behind " + word->name + " means nothing; " + word->name +
                             " x5 meets five frames");
  return fault;
}

std::string frame_fault_text(const FrameFault& fault) {
  const auto* const word =
      std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.kind == fault.kind; });
  std::string text = word == words.end() ? "none" : word->name;
  if (fault.kind == Kind::delay) text += " " + std::to_string(fault.amount) + " us";
  if (fault.kind == Kind::length || fault.kind == Kind::id) text += " " + std::to_string(fault.amount);
  return fault.frames > 0 ? text + " x" + std::to_string(fault.frames) : text;
}

FrameFaults::FrameFaults(std::size_t messages) : slots_(messages) { delayed_.reserve(most_delayed); }

void FrameFaults::inject(std::size_t message, const FrameFault& fault) noexcept {
  auto& order = slots_[message].order;
  const std::uint64_t generation = (order.load(std::memory_order_relaxed) >> 52U) + 1;  // its only writer
  order.store(packed(fault, generation), std::memory_order_relaxed);  // one word: nothing else to be seen with it
}

FrameFaults::Outcome FrameFaults::meet(std::size_t message, const Frame& frame, WallTime now) {
  Slot& slot = slots_[message];
  const std::uint64_t order = slot.order.load(std::memory_order_relaxed);
  if (order != slot.seen) slot.seen = order, slot.fault = unpacked(order);
  Outcome outcome{.frames = {frame, frame}, .count = 1};
  const FrameFault fault = slot.fault;
  if (fault.kind == Kind::none) return outcome;
  ++slot.met;
  if (fault.frames > 0 && --slot.fault.frames == 0) slot.fault.kind = Kind::none;
  Frame& only = outcome.frames[0];
  if (fault.kind == Kind::drop) outcome.count = 0;
  if (fault.kind == Kind::duplicate) outcome.count = 2;
  if (fault.kind == Kind::id) only.id = fault.amount & (frame.extended ? 0x1FFFFFFFU : 0x7FFU);
  if (fault.kind == Kind::length) only.len = static_cast<std::uint8_t>(std::min(fault.amount, frame.fd ? 64U : 8U));
  if (fault.kind == Kind::delay) {
    outcome.count = 0;
    if (delayed_.size() == most_delayed) {
      ++lost_;
    } else {
      delayed_.push_back({now + WallDuration{std::int64_t{fault.amount} * 1000}, ++number_, frame});
      std::push_heap(delayed_.begin(), delayed_.end(), later);
    }
  }
  return outcome;
}

bool FrameFaults::take_delayed(WallTime now, Frame& frame) {
  if (delayed_.empty() || delayed_.front().due > now) return false;
  std::pop_heap(delayed_.begin(), delayed_.end(), later);
  frame = delayed_.back().frame;
  delayed_.pop_back();
  return true;
}

}  // namespace takt::can
