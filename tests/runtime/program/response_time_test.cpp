#include "runtime/program/response_time.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "runtime/stats/schedule_sheet.hpp"

using takt::PeriodicLoad;
using takt::response_time;

// Three tasks with C = 3, 3, 5 and T = 7, 12, 20: A. Burns, A. Wellings, Real-Time Systems and Programming Languages,
// the chapter on response-time analysis.
TEST_CASE("response times of three tasks are those of the textbook") {
  const std::vector<PeriodicLoad> loads{{7, 3}, {12, 3}};
  CHECK(response_time(3, {}, 1000) == 3);
  CHECK(response_time(3, {loads.data(), 1}, 1000) == 6);
  CHECK(response_time(5, loads, 1000) == 20);
}

TEST_CASE("one in a million of an exponential tail is where the distribution has it") {
  // P(X > x) = exp(-(x - 3)/7)/2
  const auto beyond = [](double probability) { return 3 + 7 * std::log(0.5 / probability); };
  const takt::Percentiles seen{.mean = 0, .p50 = 3, .p99 = beyond(1e-2), .p999 = beyond(1e-3), .max = beyond(1e-3)};
  CHECK(takt::one_in_a_million(seen, 2000) == Approx(beyond(1e-6)));
  // The largest of 2000 lies beyond what the others say.
  const takt::Percentiles alone{.mean = 0, .p50 = 3, .p99 = 3, .p999 = 3, .max = beyond(1.0 / 2000)};
  CHECK(takt::one_in_a_million(alone, 2000) == Approx(beyond(1e-6)));
}

TEST_CASE("a thread that those above leave no time never ends") {
  const std::vector<PeriodicLoad> loads{{10, 6}, {20, 8}};
  CHECK(std::isinf(response_time(1, loads, 1000)));
}

TEST_CASE("a rate holds, is tight or does not hold its deadline") {
  takt::ForetoldRate rate;
  rate.deadline_us = 100;
  rate.response_us = 80;
  CHECK(rate.verdict() == std::string("holds"));
  rate.response_us = 100;
  CHECK(rate.verdict() == std::string("tight"));
  CHECK(rate.slack_us() == 0);
  rate.response_us = 101;
  CHECK(rate.verdict() == std::string("does not hold"));
}
