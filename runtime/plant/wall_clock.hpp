#pragma once
// Wall time as the kernel tells it.

#include <time.h>

#include "runtime/plant/time.hpp"

namespace takt {

/// CLOCK_MONOTONIC.  Real-time: no system call where the vDSO serves the clock.
[[nodiscard]] inline WallTime wall_now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return WallTime{std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec};
}

/// For calls of the kernel that take an absolute time.
[[nodiscard]] inline timespec to_timespec(WallTime t) noexcept {
  return {t.ns() / 1'000'000'000, t.ns() % 1'000'000'000};
}
/// For those that take a time-out: not below 0.
[[nodiscard]] inline timespec to_timespec(WallDuration d) noexcept {
  const std::int64_t ns = d.ns() > 0 ? d.ns() : 0;
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

}  // namespace takt
