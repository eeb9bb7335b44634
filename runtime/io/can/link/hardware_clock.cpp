#include "runtime/io/can/link/hardware_clock.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>

namespace takt::can {

WallTime HardwareClock::at(std::int64_t hardware, WallTime arrived) noexcept {
  const Point point{hardware, arrived.ns() - hardware};
  if (!has_begun_) begin(point);
  if (std::abs(point.delay - delay_at(hardware)) > 1'000'000'000 || bucket_begin_ - hardware > least_jump_back_ns) {
    ++jumps_;
    begin(point);
  }
  if (hardware - bucket_begin_ >= bucket_ns) {
    close_bucket();
    least_ = point;
    bucket_begin_ = hardware;
  } else if (point.delay - least_.delay <
             static_cast<std::int64_t>(slope_ * static_cast<double>(hardware - least_.hardware))) {
    least_ = point;
  }
  // A wait shorter than all before: the line goes through it until the next bucket.
  if (point.delay < delay_at(hardware)) base_ = point;
  return arrived - WallDuration{point.delay - delay_at(hardware)};
}

void HardwareClock::begin(Point point) noexcept {
  has_begun_ = true;
  count_ = 0;
  least_ = base_ = point;
  bucket_begin_ = point.hardware;
  slope_ = 0.0;
}

void HardwareClock::close_bucket() noexcept {
  if (count_ == most_buckets) {
    std::move(points_.begin() + 1, points_.end(), points_.begin());
    --count_;
  }
  points_[count_++] = least_;
  fit();
}

/// Lower hull by Andrew's monotone chain; its side over the mean time.
void HardwareClock::fit() noexcept {
  std::array<Point, most_buckets> hull{};
  std::size_t size = 0;
  const auto turns_right = [](const Point& a, const Point& b, const Point& c) {
    return static_cast<double>(b.hardware - a.hardware) * static_cast<double>(c.delay - a.delay) <=
           static_cast<double>(c.hardware - a.hardware) * static_cast<double>(b.delay - a.delay);
  };
  const std::span<const Point> points(points_.data(), count_);
  for (const Point& point : points) {
    while (size >= 2 && turns_right(hull[size - 2], hull[size - 1], point)) --size;
    hull[size++] = point;
  }
  if (count_ < least_buckets) {  // too short for a slope: the shortest wait of all
    base_ = *std::min_element(points.begin(), points.end(),
                              [](const Point& a, const Point& b) { return a.delay < b.delay; });
    return;
  }
  const std::int64_t first = points.front().hardware;
  const std::int64_t mean =
      first + std::accumulate(points.begin(), points.end(), std::int64_t{0}, [&](std::int64_t sum, const Point& p) {
                return sum + (p.hardware - first);
              }) / static_cast<std::int64_t>(count_);
  std::size_t right = 1;
  while (right + 1 < size && hull[right].hardware < mean) ++right;
  const Point &a = hull[right - 1], &b = hull[right];
  base_ = a;
  // Crystals differ by less than 1 in 1000; steeper is noise of few points.
  slope_ =
      std::clamp(static_cast<double>(b.delay - a.delay) / static_cast<double>(b.hardware - a.hardware), -1e-3, 1e-3);
}

std::int64_t HardwareClock::delay_at(std::int64_t hardware) const noexcept {
  return base_.delay + static_cast<std::int64_t>(slope_ * static_cast<double>(hardware - base_.hardware));
}

}  // namespace takt::can
