#include "runtime/stats/window_stats.hpp"

#include <catch2/catch.hpp>

using takt::Histogram;
using takt::WindowStats;

TEST_CASE("no window is lost between the stage and the histogram, whatever its turn and length") {
  for (std::size_t turn = 0; turn < 20; ++turn) {
    for (std::uint64_t windows = 0; windows < 30; ++windows) {
      Histogram histogram;
      WindowStats stats;
      stats.begin(histogram, turn);
      std::uint64_t sum = 0;
      for (std::uint64_t k = 0; k < windows; ++k) {
        const std::uint64_t ticks = k % 5 == 4 ? (std::uint64_t{1} << 33) + k : 100 + k;  // some need more than 32 bits
        stats.record(ticks);
        sum += ticks;
      }
      stats.flush();
      CHECK(histogram.count() == windows);
      CHECK(stats.total == sum);
      if (windows > 0)
        CHECK(histogram.mean() == Approx(static_cast<double>(sum) / static_cast<double>(windows)).epsilon(1e-12));
    }
  }
}

TEST_CASE("subsystems visit their histograms at different times") {
  Histogram first, second;
  WindowStats a, b;
  a.begin(first, 0), b.begin(second, 1);
  a.record(1), b.record(1);
  CHECK(first.count() == 1);
  CHECK(second.count() == 0);
}
