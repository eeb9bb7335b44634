#include "runtime/io/can/bus_faults.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "runtime/io/can/id_text.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/units/words.hpp"

namespace takt::can {
namespace {

enum class Kind : std::uint8_t { none, cut, babble };
constexpr std::uint64_t stopped = 1;
constexpr std::uint32_t extended_mark = 0x8000'0000U;
constexpr std::uint32_t shortest_us = 100, longest_us = 60'000'000;

/// A word as read: kind 4 bits, time between frames 28 bits (us), id with its mark 32 bits.
struct BusFault {
  Kind kind = Kind::none;
  std::uint32_t between_us = 0, id = 0;
};

BusFault unpacked(std::uint64_t word) {
  BusFault fault{.kind = static_cast<Kind>(word >> 60U),
                 .between_us = static_cast<std::uint32_t>(word >> 32U) & 0x0FFF'FFFFU,
                 .id = static_cast<std::uint32_t>(word)};
  if (fault.kind > Kind::babble) fault.kind = Kind::none;
  fault.between_us = std::clamp(fault.between_us, shortest_us, longest_us);
  return fault;
}

std::uint64_t packed(const BusFault& fault) {
  return static_cast<std::uint64_t>(fault.kind) << 60U | std::uint64_t{fault.between_us} << 32U | fault.id;
}

std::optional<std::uint32_t> parse_id(std::string_view text) {
  const auto read = read_id(text);
  if (!read) return std::nullopt;
  return read->is_eight_digits || read->id > largest_standard_id ? read->id | extended_mark : read->id;
}

}  // namespace

std::uint64_t parse_node_fault(std::string_view text) {
  if (trimmed(text) == "stopped") return stopped;
  throw std::runtime_error("'" + std::string(text) + "': a node can be " + node_fault_kinds);
}

std::string node_fault_text(std::uint64_t word) { return word == 0 ? "none" : "stopped"; }

std::uint64_t parse_bus_fault(std::string_view text) {
  text = trimmed(text);
  if (text == "cut") return packed({.kind = Kind::cut});
  const std::string_view name = text.substr(0, text.find(' '));
  if (name != "babble") throw std::runtime_error("'" + std::string(name) + "' is none of " + bus_fault_kinds);
  const std::string_view rest = trimmed(text.substr(name.size()));
  const std::string_view id_text = rest.substr(0, rest.find(' ')), time = trimmed(rest.substr(id_text.size()));
  const auto id = parse_id(id_text);
  if (!id || time.empty())
    throw std::runtime_error("a babbling node has an id and a time between its frames: babble 0x123 1 ms");
  const double seconds = parse_quantity(time, "s");
  if (!(seconds >= shortest_us * 1e-6 && seconds <= longest_us * 1e-6))
    throw std::runtime_error("between two frames of a babbling node pass 100 us to 60 s");
  return packed({.kind = Kind::babble, .between_us = static_cast<std::uint32_t>(seconds * 1e6 + 0.5), .id = *id});
}

std::string bus_fault_text(std::uint64_t word) {
  const BusFault fault = unpacked(word);
  if (fault.kind == Kind::none) return "none";
  if (fault.kind == Kind::cut) return "cut";
  return "babble " + id_text(fault.id & largest_extended_id, (fault.id & extended_mark) != 0) + " " +
         std::to_string(fault.between_us) + " us";
}

bool BusFaults::is_stopped(std::uint16_t node) const {
  return node < nodes() && words_[node].load(std::memory_order_relaxed) != 0;
}

bool BusFaults::loses(std::uint16_t node) {
  if (!is_stopped(node)) return false;
  ++lost_[node];
  return true;
}

bool BusFaults::cuts() {
  if (unpacked(words_.back().load(std::memory_order_relaxed)).kind != Kind::cut) return false;
  ++cut_;
  return true;
}

bool BusFaults::babbles(WallTime now, Frame& frame) {
  const std::uint64_t word = words_.back().load(std::memory_order_relaxed);
  const BusFault fault = unpacked(word);
  if (word != seen_) seen_ = word, next_ = now;
  if (fault.kind != Kind::babble || now < next_) return false;
  const WallDuration between{std::int64_t{fault.between_us} * 1000};
  // More than the longest grid has between two of its steps; of a thread that was held up, the rest is left out.
  constexpr std::int64_t most_behind = 1100;
  if (now - next_ > between * most_behind) next_ = now;
  next_ = next_ + between;
  frame = {};
  frame.extended = (fault.id & extended_mark) != 0;
  frame.id = fault.id & (frame.extended ? largest_extended_id : largest_standard_id);
  frame.len = 8;
  return true;
}

}  // namespace takt::can
