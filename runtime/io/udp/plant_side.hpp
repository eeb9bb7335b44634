#pragma once
// The real-time thread's side of a UDP bus: values between its rings and the plant. No socket is seen from here.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/io/udp/plan.hpp"
#include "runtime/io/udp/time_out_log.hpp"
#include "runtime/io/udp/value_ring.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::udp {

/// Phases: receives() and sends() for each frame (allocate, throw), then the others, wait-free.
class PlantSide {
 public:
  /// Of a frame that is received.
  struct Counts {
    std::uint64_t used = 0;  ///< that a release has taken
    std::uint64_t timeouts = 0;
    WallDuration max_age;  ///< at releases, while not timed out
  };

  PlantSide(std::uint16_t bus, TimeOutLog& log) : bus_(bus), log_(log) {}

  /// Throws std::runtime_error: the plant has no such input, or signal.
  void receives(const FramePlan& plan, ValueRing& ring, const PlantDescription& plant);
  void sends(const FramePlan& plan, ValueRing& ring, const PlantDescription& plant);

  /// Takes what has come, for the next latch(); not beside it.
  void hear_meanwhile() noexcept;
  /// A release sees what has arrived by then, however late it is computed.
  void latch(SimTime now, WallTime release, std::span<double> inputs) noexcept;
  void publish(SimTime now, WallTime wall, const std::byte* memory) noexcept;
  void publish_safe(SimTime now, WallTime wall) noexcept;

  [[nodiscard]] const std::vector<std::size_t>& senders() const noexcept { return senders_; }
  /// Offsets in plant memory of what is sent.
  [[nodiscard]] std::vector<std::size_t> sent_offsets() const;
  // after the run
  [[nodiscard]] const Counts& counts(std::size_t frame) const noexcept { return inlets_[frame].counts; }
  [[nodiscard]] std::uint64_t send_ring_full() const noexcept { return send_ring_full_; }
  /// ns between a frame's arrival and the release that took it.
  [[nodiscard]] const Histogram& arrival_to_window() const noexcept { return arrival_to_window_; }

 private:
  struct Value {
    std::size_t input = 0;
    double safe = 0.0;
    bool moves = false;              // it is extrapolated
    double least = 0.0, most = 0.0;  // SI, where it is
    double newest = 0.0, before = 0.0;
  };
  struct Inlet {
    const FramePlan* plan = nullptr;
    ValueRing* ring = nullptr;
    std::vector<Value> values;
    bool has_time = false, timed_out = false;
    bool has_early = false;  // what no release has seen yet
    std::uint32_t seen = 0;  // 2: two frames or more
    WallTime stamp;
    std::int64_t apart_ns = 0;  // the newest two, by the sender's stamps; 0: nothing is concluded from them
    std::int64_t time_ns = 0;
    Counts counts;
  };
  static constexpr std::size_t not_of_plant = static_cast<std::size_t>(-1);
  struct Outlet {
    const FramePlan* plan = nullptr;
    ValueRing* ring = nullptr;
    std::vector<const FieldPlan*> fields;
    std::vector<std::size_t> offsets;  // not_of_plant: a number that is sent until the safe one is
    std::vector<SimDuration> windows;  // of who computes each: it is new where a window has ended
    std::vector<double> values;        // newest, as they stand in the frame
    bool was_sent = false;
    SimTime due;
  };
  void take(Inlet& inlet, const ValueRing::Row& row) noexcept;
  /// @return false: nothing new
  bool take_new(Inlet& inlet, WallTime release, WallTime wall) noexcept;
  static void show(const Inlet& inlet, WallTime release, std::span<double> inputs) noexcept;
  void judge(std::size_t frame, SimTime now, WallTime release) noexcept;
  void hand_over(Outlet& outlet, SimTime now, WallTime wall) noexcept;

  std::uint16_t bus_;
  TimeOutLog& log_;
  std::vector<Inlet> inlets_;
  std::vector<Outlet> outlets_;
  std::vector<std::size_t> senders_;
  std::optional<WallTime> first_latch_;
  std::uint64_t send_ring_full_ = 0;
  Histogram arrival_to_window_;
};

}  // namespace takt::udp
