#pragma once
// Whether a frame was longer on its way than the quickest, by the stamps of its sender, whose clock may be any.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtime/plant/time.hpp"

namespace takt::udp {

/// The quickest of the last 8 to 16 s is looked at: a clock that drifts against this machine's makes nobody late.
/// One writer, the I/O thread.
class Lateness {
 public:
  explicit Lateness(WallDuration limit) noexcept : limit_(limit) {}

  /// @param stamp_ns  of the sender
  /// @return how much longer than the quickest
  WallDuration take(WallTime arrival, std::int64_t stamp_ns) noexcept {
    // Stamps are anything a foreign program may write: their difference wraps.
    const auto way =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(arrival.ns()) - static_cast<std::uint64_t>(stamp_ns));
    if (arrival - begin_ >= span || !has_begun_) {
      earlier_ = has_begun_ && arrival - begin_ < span + span ? now_ : most;
      now_ = most, begin_ = arrival, has_begun_ = true;
    }
    now_ = std::min(now_, way);
    const auto longer = static_cast<std::uint64_t>(way) - static_cast<std::uint64_t>(std::min(now_, earlier_));
    return WallDuration{static_cast<std::int64_t>(std::min<std::uint64_t>(longer, most))};
  }
  [[nodiscard]] bool is_late(WallDuration longer) const noexcept { return limit_.ns() > 0 && longer > limit_; }

 private:
  static constexpr WallDuration span{8'000'000'000};
  static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  WallDuration limit_;
  bool has_begun_ = false;
  WallTime begin_;
  std::int64_t now_ = most, earlier_ = most;  // the shortest ways
};

}  // namespace takt::udp
