#include "runtime/io/can/frame_faults.hpp"

#include <algorithm>
#include <bit>

#include "runtime/io/can/id_text.hpp"
#include "runtime/io/can/protect/protection.hpp"

namespace takt::can {
namespace {

using Kind = FrameFault::Kind;

bool is_of_signal(Kind kind) { return kind == Kind::freeze_signal || kind == Kind::value; }

// A word: kind 4 bits, how many faults were before it 8, frames 10, signal 10, amount 32.
constexpr unsigned kind_at = 60, before_at = 52, frames_at = 42, signal_at = 32;
constexpr std::uint64_t before_mask = 0xFF, signal_mask = 0x3FF;

std::uint64_t packed(const FrameFault& fault, std::uint64_t before) {
  return std::uint64_t{fault.amount} | std::uint64_t{fault.signal} << signal_at |
         std::uint64_t{fault.frames} << frames_at | (before & before_mask) << before_at |
         static_cast<std::uint64_t>(fault.kind) << kind_at;
}

FrameFault unpacked(std::uint64_t order) {
  FrameFault fault{.kind = static_cast<Kind>(order >> kind_at),
                   .amount = static_cast<std::uint32_t>(order),
                   .frames = static_cast<std::uint32_t>(order >> frames_at) & FrameFault::most_frames,
                   .signal = static_cast<std::uint16_t>(order >> signal_at & signal_mask)};
  constexpr std::uint32_t longest_delay_us = 60'000'000;
  if (fault.kind > FrameFault::last_kind) fault.kind = Kind::none;
  if (fault.kind == Kind::delay) fault.amount = std::min(fault.amount, longest_delay_us);
  return fault;
}

}  // namespace

std::uint64_t word_of(const FrameFault& fault) noexcept { return packed(fault, 0); }

FrameFault frame_fault_of(std::uint64_t word) noexcept { return unpacked(word); }

std::uint64_t given_raw(const FrameFault& fault, const SignalBits& signal) noexcept {
  if (signal.type == SignalBits::Type::signed_integer)
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(fault.amount)});
  if (signal.type == SignalBits::Type::unsigned_integer) return fault.amount;
  const double value = std::bit_cast<float>(fault.amount);
  return raw_of(signal, value).value_or(0);
}

FrameFaults::FrameFaults(std::vector<const MessageInfo*> messages)
    : messages_(std::move(messages)), slots_(messages_.size()) {
  delayed_.reserve(most_delayed);
}

void FrameFaults::inject(std::size_t message, const FrameFault& fault) noexcept {
  auto& order = slots_[message].order;
  const std::uint64_t before = (order.load(std::memory_order_relaxed) >> before_at) + 1;  // its only writer
  order.store(packed(fault, before), std::memory_order_relaxed);  // one word: nothing else to be seen with it
}

void FrameFaults::read_order(Slot& slot) {
  const std::uint64_t order = slot.order.load(std::memory_order_relaxed);
  if (order == slot.seen) return;
  slot.seen = order, slot.fault = unpacked(order);
  slot.frozen.reset();
  slot.frozen_raw.reset();
}

/// The fault that a frame meets now, counted; none where there is none, or where it is for the other function.
/// @pre read_order()
FrameFault FrameFaults::obeyed(Slot& slot, bool by_signals) {
  const FrameFault fault = slot.fault;
  if (fault.kind == Kind::none || is_of_signal(fault.kind) != by_signals) return {};
  ++slot.met;
  if (fault.frames > 0 && --slot.fault.frames == 0) slot.fault.kind = Kind::none;
  return fault;
}

void FrameFaults::alter(std::size_t message, Frame& frame) {
  Slot& slot = slots_[message];
  read_order(slot);
  const auto signals = messages_[message]->signals;
  const std::size_t signal = slot.fault.signal;
  if (!is_of_signal(slot.fault.kind) || signal >= signals.size()) return;
  // Before it is counted: of a multiplexed message a fault meets the frames that carry its signal.
  if (frame.len < messages_[message]->length || !is_there(signals, signal, frame.data.data())) return;
  alter_signal(slot, obeyed(slot, true), signals[signal], frame);
}

/// One bit of it. A word from foreign memory may ask for it where there is none.
void FrameFaults::break_checksum(const Protection* protection, Frame& frame) {
  if (protection == nullptr || protection->checksum.count == 0) return;
  const FieldPiece& piece = protection->checksum.pieces[0];
  frame.data[piece.byte] = static_cast<std::uint8_t>(frame.data[piece.byte] ^ 1U << piece.low_bit);
}

void FrameFaults::alter_signal(Slot& slot, const FrameFault& fault, const SignalBits& signal, Frame& frame) {
  if (fault.kind == Kind::freeze_signal && !slot.frozen_raw) slot.frozen_raw = get_raw(signal, frame.data.data());
  set_raw(signal, fault.kind == Kind::value ? given_raw(fault, signal) : *slot.frozen_raw, frame.data.data());
}

void FrameFaults::delay(const Frame& frame, WallTime due) {
  if (delayed_.size() == most_delayed) {
    ++lost_;
    return;
  }
  delayed_.push_back({due, ++number_, frame});
  std::push_heap(delayed_.begin(), delayed_.end(), later);
}

FrameFaults::Outcome FrameFaults::meet(std::size_t message, const Frame& frame, WallTime now) {
  Slot& slot = slots_[message];
  read_order(slot);
  const FrameFault fault = obeyed(slot, false);
  Outcome outcome{.frames = {frame, frame}, .count = 1};
  Frame& only = outcome.frames[0];
  switch (fault.kind) {
    case Kind::drop:
      outcome.count = 0;
      break;
    case Kind::duplicate:
      outcome.count = 2;
      break;
    case Kind::id:
      only.extended = frame.extended || (fault.amount & FrameFault::extended_mark) != 0;
      only.id = fault.amount & (only.extended ? largest_extended_id : largest_standard_id);
      break;
    case Kind::length:
      only.len = static_cast<std::uint8_t>(std::min(fault.amount, frame.fd ? 64U : 8U));
      break;
    case Kind::freeze:
      if (!slot.frozen) slot.frozen = frame;
      only.data = slot.frozen->data;
      break;
    case Kind::checksum:
      break_checksum(messages_[message]->protection, only);
      break;
    case Kind::counter:
      outcome.counter_stands = true;
      break;
    case Kind::delay:
      outcome.count = 0;
      delay(frame, now + WallDuration{std::int64_t{fault.amount} * 1000});
      break;
    case Kind::reorder:
      if (slot.held) break;
      slot.held = frame;
      outcome.count = 0;
      return outcome;
    default:
      break;
  }
  if (slot.held && outcome.count == 1) {  // the next one, be the fault over or not, has passed it
    outcome.frames[1] = *slot.held;
    outcome.frames[1].stamp = frame.stamp;
    outcome.count = 2;
    slot.held.reset();
  }
  return outcome;
}

std::uint64_t FrameFaults::held() const {
  const auto held = std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.held.has_value(); });
  return delayed_.size() + static_cast<std::uint64_t>(held);
}

bool FrameFaults::take_delayed(WallTime now, Frame& frame) {
  if (delayed_.empty() || delayed_.front().due > now) return false;
  std::pop_heap(delayed_.begin(), delayed_.end(), later);
  frame = delayed_.back().frame;
  delayed_.pop_back();
  return true;
}

}  // namespace takt::can
