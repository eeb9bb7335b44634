#pragma once
// Histogram of fixed memory with logarithmic buckets, 64 to an octave: a percentile is exact to 0.8 %.
// Source of the layout: G. Tene, HdrHistogram (log-linear buckets); written anew.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace takt {

/// Counts of whole numbers (counter ticks or nanoseconds) below 2^40.  One writer; read after the run.
/// Real-time: record() is about 3 ns, no branch that depends on more than the value's size.
class Histogram {
 public:
  static constexpr unsigned sub_bits = 6, octaves = 34;
  static constexpr std::uint64_t limit = (std::uint64_t{1} << (sub_bits + octaves)) - 1;
  static constexpr std::size_t bucket_count = (octaves + 1) << sub_bits;

  void record(std::uint64_t value) noexcept {
    value = std::min(value, limit);
    ++buckets_[index(value)];
    ++count_;
    sum_ += value;
    max_ = std::max(max_, value);
  }

  /// All values times `factor`: in another unit. To the width of a bucket.
  void scale(double factor) noexcept {
    Histogram scaled;
    const auto times = [factor](double value) { return std::min(static_cast<std::uint64_t>(value * factor), limit); };
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
      scaled.buckets_[index(times(middle(bucket)))] += buckets_[bucket];
    scaled.count_ = count_;
    scaled.sum_ = static_cast<std::uint64_t>(static_cast<double>(sum_) * factor);
    scaled.max_ = times(static_cast<double>(max_));
    *this = scaled;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept {
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }

  /// Smallest bucket's middle below which at least `share` (0..1) of the values lie; never above max().
  [[nodiscard]] double percentile(double share) const noexcept {
    if (count_ == 0) return 0.0;
    const double wanted = share * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
      seen += buckets_[bucket];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return std::min(middle(bucket), static_cast<double>(max_));
    }
    return static_cast<double>(max_);
  }

  [[nodiscard]] const std::array<std::uint64_t, bucket_count>& buckets() const noexcept { return buckets_; }
  /// Smallest value that falls into the bucket.
  [[nodiscard]] static constexpr std::uint64_t lower_bound(std::size_t bucket) noexcept {
    const std::size_t octave = bucket >> sub_bits, sub = bucket & (sub_size - 1);
    return octave == 0 ? sub : (sub_size + sub) << (octave - 1);
  }

 private:
  static constexpr std::size_t sub_size = std::size_t{1} << sub_bits;

  static constexpr std::size_t index(std::uint64_t value) noexcept {
    if (value < sub_size) return value;
    const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - sub_bits;  // >= 1
    return (std::size_t{octave} << sub_bits) + ((value >> (octave - 1)) & (sub_size - 1));
  }
  static constexpr double middle(std::size_t bucket) noexcept {
    const std::size_t octave = bucket >> sub_bits;
    const double width = octave == 0 ? 0.0 : static_cast<double>((std::uint64_t{1} << (octave - 1)) - 1);
    return static_cast<double>(lower_bound(bucket)) + 0.5 * width;
  }

  std::array<std::uint64_t, bucket_count> buckets_{};
  std::uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

/// What the reports show of a histogram, in the unit of `scale`.
struct Percentiles {
  double mean = 0.0, p50 = 0.0, p99 = 0.0, p999 = 0.0, max = 0.0;
};

[[nodiscard]] inline Percentiles percentiles(const Histogram& h, double scale) noexcept {
  return {h.mean() * scale, h.percentile(0.5) * scale, h.percentile(0.99) * scale, h.percentile(0.999) * scale,
          static_cast<double>(h.max()) * scale};
}

}  // namespace takt
