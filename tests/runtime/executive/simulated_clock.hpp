#pragma once
// A clock whose time moves only when somebody waits, sleeps or computes, so that pacing is tested without real time.

#include <algorithm>
#include <cstdint>

#include "runtime/executive/clock.hpp"

namespace takt::test {

class SimulatedClock final : public Clock {
 public:
  WallTime time{1'000'000'000};
  WallDuration sleep_latency{20'000};  ///< every sleep ends that late
  WallDuration read_cost{10};          ///< each reading of clock or counter takes that long
  WallDuration slept;
  int sleeps = 0;

  WallTime now() noexcept override { return time += read_cost; }
  std::uint64_t ticks() noexcept override { return static_cast<std::uint64_t>((time += read_cost).ns()); }
  void sleep_until(WallTime until) noexcept override {
    const WallTime before = time;
    time = std::max(time, until) + sleep_latency;
    slept += time - before;
    ++sleeps;
  }
  void spin_until(WallTime until) noexcept override { time = std::max(time, until); }
  void compute(std::int64_t ns) noexcept { time += WallDuration{ns}; }
};

}  // namespace takt::test
