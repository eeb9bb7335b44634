#pragma once
// What is counted in every window of one subsystem, in one line of the cache: histograms are large, and where there are
// thousands of subsystems each visit to one costs more than a small window.

#include <array>
#include <cstdint>
#include <limits>

#include "runtime/stats/histogram.hpp"

namespace takt {

/// Call order: begin(), then record() per window, flush() before the histogram is read.
/// Real-time: record() is a few ns; every seventh time it visits the histogram.
class alignas(64) WindowStats {
 public:
  /// @param turn  of this one among others, so that not all visit their histograms in one macro-step
  void begin(Histogram& histogram, std::size_t turn) noexcept {
    histogram_ = &histogram;
    room_ = static_cast<std::uint16_t>(1 + turn % capacity);
  }
  void record(std::uint64_t ticks) noexcept {
    total += ticks;
    if (ticks > std::numeric_limits<std::uint32_t>::max()) return histogram_->record(ticks);
    staged_[count_++] = static_cast<std::uint32_t>(ticks);
    if (count_ == room_) flush();
  }
  void flush() noexcept {
    flush_into(*histogram_);
    count_ = 0, room_ = capacity;
  }
  /// A copy of the histogram with what has not been counted in it yet.
  void flush_into(Histogram& histogram) const noexcept {
    for (std::uint16_t i = 0; i < count_; ++i) histogram.record(staged_[i]);
  }

  std::uint64_t total = 0, overruns = 0;
  double usual = 0.0;  ///< running mean over about 64 windows, ticks

 private:
  static constexpr std::uint16_t capacity = 7;
  Histogram* histogram_ = nullptr;
  std::uint16_t count_ = 0, room_ = capacity;
  std::array<std::uint32_t, capacity> staged_{};
};
static_assert(sizeof(WindowStats) == 64);

}  // namespace takt
