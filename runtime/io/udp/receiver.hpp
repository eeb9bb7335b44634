#pragma once
// From what has come to values of the plant: the I/O thread's side of the frames that a UDP bus receives.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/udp/datagram_faults.hpp"
#include "runtime/io/udp/lateness.hpp"
#include "runtime/io/udp/plan.hpp"
#include "runtime/io/udp/sequence.hpp"
#include "runtime/io/udp/value_ring.hpp"

namespace takt::udp {

/// One writer, the I/O thread; the rings are read by the real-time thread. Any bytes may come.
class Receiver {
 public:
  /// Of the whole bus: datagrams of its peer that are none of its frames.
  struct Refused {
    std::uint64_t wrong_length = 0;
    std::uint64_t wrong_constant = 0;
    std::uint64_t wrong_order = 0;  ///< among those: their constants would be right in the other byte order
    std::size_t length = 0;         ///< of the first with a wrong one
  };
  struct Counts {
    std::uint64_t frames = 0;  ///< taken: their values have gone on to the plant
    std::uint64_t late = 0, not_numbers = 0, out_of_range = 0;
    std::uint64_t ring_full = 0;  ///< taken, and dropped: more came than fit between two releases
    WallTime first, newest;
    WallDuration latest;  ///< the greatest that a frame was later than the quickest
  };

  /// @param rows  of each ring, a power of two
  Receiver(const BusPlan& bus, std::size_t rows);
  /// Makes room for what faults delay.
  void prepare() { delayed_.prepare(); }

  /// A datagram of the peer.
  void hear(std::span<const std::uint8_t> bytes, WallTime arrival) noexcept;
  /// Those that a fault has delayed, as if they came now.
  void hear_delayed(WallTime now) noexcept;

  [[nodiscard]] ValueRing& ring(std::size_t frame) noexcept { return *inlets_[frame].ring; }
  [[nodiscard]] FaultPoint& fault(std::size_t frame) noexcept { return *inlets_[frame].fault; }

  // after the I/O thread
  [[nodiscard]] const Refused& refused() const noexcept { return refused_; }
  [[nodiscard]] const Counts& counts(std::size_t frame) const noexcept { return inlets_[frame].counts; }
  /// nullptr: the frame has no counter.
  [[nodiscard]] const Sequence::Counts* sequence(std::size_t frame) const noexcept {
    return inlets_[frame].sequence ? &inlets_[frame].sequence->counts() : nullptr;
  }
  /// Its values that came and were never a number: names; empty: there are none.
  [[nodiscard]] std::string never_numbers(std::size_t frame) const;
  [[nodiscard]] std::uint64_t met(std::size_t frame) const noexcept { return inlets_[frame].fault->met(); }
  [[nodiscard]] const DelayedFrames& delayed() const noexcept { return delayed_; }

 private:
  struct Inlet {
    const FramePlan* plan = nullptr;
    const FieldPlan *counter = nullptr, *time = nullptr;
    std::optional<Sequence> sequence;
    Lateness lateness{WallDuration{}};
    std::unique_ptr<ValueRing> ring;
    std::unique_ptr<FaultPoint> fault;
    std::vector<std::uint64_t> numbers;  // by joined field: how often it was one
    std::vector<double> frozen;          // values while they are
    bool is_frozen = false;
    Counts counts;
  };
  /// Index of the frame that it is; their number: of none.
  [[nodiscard]] std::size_t frame_of(std::span<const std::uint8_t> bytes) noexcept;
  [[nodiscard]] bool has_constants(const FramePlan& plan, const std::uint8_t* bytes, bool big_endian) const noexcept;
  void take(Inlet& inlet, std::span<const std::uint8_t> bytes, WallTime arrival) noexcept;
  void decode(Inlet& inlet, const std::uint8_t* bytes, double* values) noexcept;

  const BusPlan& bus_;
  std::vector<Inlet> inlets_;
  DelayedFrames delayed_;
  Refused refused_;
};

/// Whether it has a value of its own in each frame: of the plant, or a number that is sent until the safe one is.
[[nodiscard]] bool is_joined(const FieldPlan& field) noexcept;
/// Those fields of a frame, in their order.
[[nodiscard]] std::vector<const FieldPlan*> joined_fields(const FramePlan& plan);

}  // namespace takt::udp
