#pragma once
// Histogram of durations with a fixed number of buckets, four per octave (values are right to 19 %).

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace takt::can {

/// One writer. Real-time: record() is a few instructions, no allocation.
class LatencyHistogram {
 public:
  void record(std::int64_t ns) noexcept {
    const std::uint64_t value = ns > 0 ? static_cast<std::uint64_t>(ns) : 0U;
    ++buckets_[bucket(value)];
    ++count_;
    sum_ += value;
    if (value > max_) max_ = value;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Upper end of the bucket that holds this share of the values, at most the largest value. ns
  [[nodiscard]] std::uint64_t percentile(double share) const {
    const double wanted = share * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
      seen += buckets_[k];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return std::min(upper(k), max_);
    }
    return max_;
  }
  [[nodiscard]] std::uint64_t mean() const { return count_ > 0 ? sum_ / count_ : 0; }  ///< ns
  [[nodiscard]] std::uint64_t largest() const { return max_; }                         ///< ns

 private:
  static std::size_t bucket(std::uint64_t value) noexcept {
    if (value < 4) return static_cast<std::size_t>(value);
    const auto octave = static_cast<unsigned>(std::bit_width(value)) - 3U;  // value >> octave is 4..7
    return static_cast<std::size_t>(octave) * 4U + static_cast<std::size_t>(value >> octave);
  }
  static std::uint64_t upper(std::size_t bucket) {
    if (bucket < 8) return bucket;
    const auto octave = static_cast<unsigned>(bucket / 4U - 1U);
    return ((std::uint64_t{bucket % 4U + 4U} + 1U) << octave) - 1U;
  }
  std::array<std::uint64_t, 4 * 63> buckets_{};
  std::uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

}  // namespace takt::can
