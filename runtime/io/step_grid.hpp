#pragma once
// The grid of an I/O thread, which is never woken by the real-time thread.

#include "runtime/plant/time.hpp"

namespace takt {

/// The grid lies so that it comes soon after what the plant hands over: with a fifth of it to spare, as a plant that is
/// later than that waits for all of it.
/// @param handed_over  wall time of the newest; WallTime{}: nothing yet
/// @return half a step of the grid later at least, one and a half at most
[[nodiscard]] constexpr WallTime next_step(WallTime time, WallDuration grid, WallTime handed_over) noexcept {
  const WallTime next = time + grid;
  if (handed_over == WallTime{}) return next;
  const WallDuration off = (next - (handed_over + grid / 5)) % grid, back = off < WallDuration{} ? off + grid : off;
  return next - (back > grid / 2 ? back - grid : back);
}

}  // namespace takt
