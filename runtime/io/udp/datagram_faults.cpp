#include "runtime/io/udp/datagram_faults.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "runtime/plant/quantity.hpp"
#include "runtime/stats/format.hpp"

namespace takt::udp {
namespace {

constexpr std::uint16_t most_frames = 1023;

/// " x5" behind a fault, which is cut off.
std::uint16_t frames_of(std::string_view& written) {
  const auto blank = written.rfind(" x");
  if (blank == std::string_view::npos) return 0;
  const std::string_view digits = written.substr(blank + 2);
  unsigned count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || end != digits.data() + digits.size() || count == 0 || count > most_frames)
    throw std::runtime_error("'" + std::string(written.substr(blank + 1)) +
                             "' is no number of frames: x1 to x1023, or nothing for all");
  written = written.substr(0, blank);
  return static_cast<std::uint16_t>(count);
}

}  // namespace

Fault read_fault(std::string_view written) {
  Fault fault;
  const std::string_view whole = written;
  fault.frames = frames_of(written);
  constexpr std::string_view delay = "delay ";
  if (written == "drop") {
    fault.kind = Fault::Kind::drop;
  } else if (written == "freeze") {
    fault.kind = Fault::Kind::freeze;
  } else if (written.starts_with(delay)) {
    const double seconds = parse_quantity(written.substr(delay.size()), "s");
    if (!(seconds > 0.0 && seconds <= 60.0)) throw std::runtime_error("a delay is longer than 0 s, up to 60 s");
    fault.kind = Fault::Kind::delay, fault.delay_us = static_cast<std::uint32_t>(seconds * 1e6 + 0.5);
  } else {
    throw std::runtime_error("'" + std::string(whole) + "' is no fault of a UDP frame: " + frame_fault_kinds);
  }
  return fault;
}

std::string text(const Fault& fault) {
  std::string out = fault.kind == Fault::Kind::drop     ? "drop"
                    : fault.kind == Fault::Kind::freeze ? "freeze"
                    : fault.kind == Fault::Kind::delay  ? "delay " + short_duration(fault.delay_us * 1e-6)
                                                        : "";
  return fault.frames > 0 ? out + " x" + std::to_string(fault.frames) : out;
}

std::uint64_t word_of(const Fault& fault) noexcept {
  return static_cast<std::uint64_t>(fault.kind) | std::uint64_t{fault.frames} << 4U |
         std::uint64_t{fault.delay_us} << 14U;
}

Fault fault_of(std::uint64_t word) noexcept {
  const std::uint64_t kind = word & 15U;
  if (kind > static_cast<std::uint64_t>(Fault::Kind::freeze)) return {};
  return {static_cast<Fault::Kind>(kind), static_cast<std::uint32_t>(word >> 14U & 0xFFFFFFFFU),
          static_cast<std::uint16_t>(word >> 4U & most_frames)};
}

bool DelayedFrames::put(std::span<const std::uint8_t> bytes, std::size_t place, WallTime due) noexcept {
  if (frames_.size() == frames_.capacity() || bytes.size() > most_bytes) {
    ++lost_;
    return false;
  }
  Frame& frame = frames_.emplace_back();
  frame.due = due, frame.place = place, frame.length = bytes.size();
  std::copy(bytes.begin(), bytes.end(), frame.bytes.begin());
  return true;
}

std::optional<DelayedFrames::Frame> DelayedFrames::take(WallTime now) noexcept {
  const auto earlier = [](const Frame& a, const Frame& b) { return a.due < b.due; };
  const auto first = std::min_element(frames_.begin(), frames_.end(), earlier);  // of equal ones the one put first
  if (first == frames_.end() || first->due > now) return std::nullopt;
  const Frame frame = *first;
  frames_.erase(first);
  return frame;
}

}  // namespace takt::udp
