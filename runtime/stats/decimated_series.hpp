#pragma once
// A time series of fixed memory: when full, neighbours are merged and each point stands for twice as many samples.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace takt {

/// Points keep the smallest and largest value and the sum of the samples they stand for, so no peak is lost.
/// Phases: reserve in the constructor, then add() by one writer, then read.
/// Real-time: add() is wait-free; every 2^n samples one merge over the whole (bounded, about 1 us for 1024 points).
class DecimatedSeries {
 public:
  struct Point {
    double time_s = 0.0;  ///< of the first sample
    double low = 0.0, high = 0.0, sum = 0.0;
    std::uint64_t samples = 0;
    [[nodiscard]] double mean() const noexcept { return samples == 0 ? 0.0 : sum / static_cast<double>(samples); }
  };

  explicit DecimatedSeries(std::size_t capacity = 1024) : points_(std::max<std::size_t>(2, capacity + capacity % 2)) {}

  void add(double time_s, double value) noexcept {
    if (used_ == 0 || points_[used_ - 1].samples >= stride_) {
      if (used_ == points_.size()) merge();
      points_[used_++] = {time_s, value, value, 0.0, 0};
    }
    Point& p = points_[used_ - 1];
    p.low = least(value, p.low);
    p.high = most(value, p.high);
    p.sum += value;
    ++p.samples;
    last_ = value;
  }

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  /// The value added last, as it was; 0 where there is none.
  [[nodiscard]] double last() const noexcept { return last_; }
  [[nodiscard]] const Point& operator[](std::size_t i) const noexcept { return points_[i]; }

 private:
  /// NaN is no value: the other one counts.
  static double least(double a, double b) noexcept { return a < b || b != b ? a : b; }
  static double most(double a, double b) noexcept { return a > b || b != b ? a : b; }
  void merge() noexcept {
    for (std::size_t i = 0; i < used_ / 2; ++i) {
      const Point a = points_[2 * i], b = points_[2 * i + 1];
      points_[i] = {a.time_s, least(a.low, b.low), most(a.high, b.high), a.sum + b.sum, a.samples + b.samples};
    }
    used_ /= 2;
    stride_ *= 2;
  }

  std::vector<Point> points_;
  std::size_t used_ = 0;
  std::uint64_t stride_ = 1;
  double last_ = 0.0;
};

}  // namespace takt
