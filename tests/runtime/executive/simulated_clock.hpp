#pragma once
// A clock whose time moves only when somebody waits, sleeps or computes, so that pacing is tested without real time.

#include <algorithm>
#include <cstdint>

#include "runtime/executive/clock.hpp"

namespace takt::test {

class SimulatedClock final : public Clock {
 public:
  std::int64_t now = 1'000'000'000;
  std::int64_t sleep_latency_ns = 20'000;  ///< every sleep ends that late
  std::int64_t read_cost_ns = 10;          ///< each reading of clock or counter takes that long
  std::int64_t slept_ns = 0;
  int sleeps = 0;

  std::int64_t now_ns() noexcept override { return now += read_cost_ns; }
  std::uint64_t ticks() noexcept override { return static_cast<std::uint64_t>(now += read_cost_ns); }
  void sleep_until(std::int64_t time_ns) noexcept override {
    const std::int64_t before = now;
    now = std::max(now, time_ns) + sleep_latency_ns;
    slept_ns += now - before;
    ++sleeps;
  }
  void spin_until(std::int64_t time_ns) noexcept override { now = std::max(now, time_ns); }
  void compute(std::int64_t ns) noexcept { now += ns; }
};

}  // namespace takt::test
