#pragma once
// Time stamps of a controller's own clock as CLOCK_MONOTONIC.
//
// A frame is stamped by the controller and, later by an unknown wait >= 0, by the kernel. Of many frames the shortest
// waits lie on a straight line over the controller's time; its slope is the drift of the two clocks. The line below all
// points with the least sum of distances (Moon, Skelly, Towsley: Estimation and Removal of Clock Skew from Network
// Delay Measurements, INFOCOM 1999, is such a line) is the side of their lower hull over the mean time.

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/plant/time.hpp"

namespace takt::can {

class HardwareClock {
 public:
  /// @param hardware  ns of the controller's clock  @param arrived  stamp of the kernel for the same frame
  /// @return when the controller has seen it, `arrived` at the latest. The shortest wait cannot be known: it is in it.
  /// One reader; no heap.
  [[nodiscard]] WallTime at(std::int64_t hardware, WallTime arrived) noexcept;
  /// How often the controller's clock has jumped, ahead by a second or more, back by 10 ms or more.
  [[nodiscard]] std::uint64_t jumps() const noexcept { return jumps_; }

 private:
  static constexpr std::int64_t bucket_ns = 500'000'000;
  static constexpr std::int64_t least_jump_back_ns = 10'000'000;  ///< less is frames that come out of their order
  static constexpr std::size_t most_buckets = 32, least_buckets = 8;
  struct Point {
    std::int64_t hardware = 0, delay = 0;  ///< delay: arrived - hardware
  };
  void begin(Point point) noexcept;
  void close_bucket() noexcept;
  void fit() noexcept;
  [[nodiscard]] std::int64_t delay_at(std::int64_t hardware) const noexcept;

  std::array<Point, most_buckets> points_{};  // shortest wait of each bucket, oldest first
  std::size_t count_ = 0;
  Point least_;  // of the bucket that is open
  std::int64_t bucket_begin_ = 0;
  bool has_begun_ = false;
  Point base_;  // of the line
  double slope_ = 0.0;
  std::uint64_t jumps_ = 0;
};

}  // namespace takt::can
