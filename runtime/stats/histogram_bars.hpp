#pragma once
// A histogram thinned out for drawing.

#include "runtime/stats/histogram.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Eight bars to an octave between the first and the last value; bounds times `scale`.
[[nodiscard]] inline HistogramBars make_bars(const Histogram& histogram, double scale) {
  constexpr std::size_t merged = 8;
  const auto& buckets = histogram.buckets();
  HistogramBars bars;
  for (std::size_t first = 0; first < buckets.size(); first += merged) {
    std::uint64_t count = 0;
    for (std::size_t i = first; i < first + merged; ++i) count += buckets[i];
    if (count == 0 && bars.count.empty()) continue;
    const std::uint64_t upper =
        first + merged < buckets.size() ? Histogram::lower_bound(first + merged) : Histogram::limit;
    bars.lower.push_back(static_cast<double>(Histogram::lower_bound(first)) * scale);
    bars.upper.push_back(static_cast<double>(upper) * scale);
    bars.count.push_back(count);
  }
  while (!bars.count.empty() && bars.count.back() == 0)
    bars.lower.pop_back(), bars.upper.pop_back(), bars.count.pop_back();
  return bars;
}

}  // namespace takt
