#include "runtime/stats/decimated_series.hpp"

#include <catch2/catch.hpp>
#include <cmath>

TEST_CASE("a long series keeps its peaks, its sum and its order in fixed memory") {
  takt::DecimatedSeries series(64);
  double sum = 0.0;
  for (int i = 0; i < 10'000; ++i) {
    const double value = i == 6'543 ? 99.0 : i == 123 ? -5.0 : 1.0;
    series.add(i * 0.001, value);
    sum += value;
  }
  REQUIRE(series.size() <= 64);
  REQUIRE(series.size() > 32);
  double total = 0.0, high = 0.0, low = 0.0;
  std::uint64_t samples = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i > 0) CHECK(series[i].time_s > series[i - 1].time_s);
    total += series[i].sum;
    samples += series[i].samples;
    high = std::max(high, series[i].high);
    low = std::min(low, series[i].low);
  }
  CHECK(total == sum);
  CHECK(samples == 10'000);
  CHECK(high == 99.0);
  CHECK(low == -5.0);
}

TEST_CASE("a short series is kept sample by sample") {
  takt::DecimatedSeries series(8);
  for (int i = 0; i < 8; ++i) series.add(i, 10.0 * i);
  REQUIRE(series.size() == 8);
  CHECK(series[5].low == 50.0);
  CHECK(series[5].high == 50.0);
}

TEST_CASE("a sample that is no number hides none of its neighbours") {
  takt::DecimatedSeries series(8);
  for (int i = 0; i < 64; ++i) series.add(i, i % 8 == 0 ? std::nan("") : i);
  REQUIRE(series.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(series[i].low == 8.0 * static_cast<double>(i) + 1.0);
    CHECK(series[i].high == 8.0 * static_cast<double>(i) + 7.0);
    CHECK(std::isnan(series[i].sum));
  }
}
