#include "runtime/stats/histogram.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

using takt::Histogram;

TEST_CASE("every value falls into the bucket whose bounds enclose it") {
  for (std::size_t bucket = 0; bucket + 1 < Histogram::bucket_count; ++bucket) {
    const auto low = Histogram::lower_bound(bucket), high = Histogram::lower_bound(bucket + 1);
    REQUIRE(low < high);
    for (const auto value : {low, high - 1}) {
      Histogram h;
      h.record(value);
      REQUIRE(h.buckets()[bucket] == 1);
    }
  }
}

TEST_CASE("percentiles of log-normal values are exact to the bucket width") {
  std::mt19937_64 generator(7);
  std::lognormal_distribution<double> distribution(9.0, 1.5);
  std::vector<std::uint64_t> values(100'000);
  Histogram h;
  for (auto& value : values) h.record(value = static_cast<std::uint64_t>(distribution(generator)));
  std::sort(values.begin(), values.end());
  for (const double share : {0.5, 0.9, 0.99, 0.999}) {
    const double exact = static_cast<double>(values[static_cast<std::size_t>(share * 100'000.0) - 1]);
    CHECK(h.percentile(share) == Approx(exact).epsilon(1.0 / 128.0));  // half a bucket of 1/64
  }
  CHECK(h.max() == values.back());
  double sum = 0.0;
  for (const auto value : values) sum += static_cast<double>(value);
  CHECK(h.mean() == Approx(sum / 1e5));
}

TEST_CASE("an empty histogram reads zero and a huge value is kept at the limit") {
  Histogram h;
  CHECK(h.percentile(0.5) == 0.0);
  CHECK(h.mean() == 0.0);
  h.record(~std::uint64_t{0});
  CHECK(h.max() == Histogram::limit);
  CHECK(h.buckets().back() == 1);
}
