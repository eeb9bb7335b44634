// What measured runs mean: synthetic measurements whose answer is known.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tools/fit/verdict.hpp"

using namespace takt::tools;

namespace {

MeasuredRun run(double computing, double last, std::uint64_t late = 0) {
  return {.computing = computing,
          .response = {.p50 = computing, .p99 = last * 0.8, .p999 = last * 0.9, .max = last},
          .late = late,
          .windows = 10'000};
}

/// A core on which the n-th copy takes `cost(n)` of it, and answers come `beyond` later than all have been computed.
template <class Cost>
Measured measured(Cost cost, double beyond, double usable = 1.0) {
  Measured m;
  m.board.rt_runtime_us = usable >= 1.0 ? -1.0 : usable * 1e6;
  for (int count = 1; count <= 64; count *= 2) {
    CopiesRun copies{.count = count};
    const double last = count * cost(count) + beyond;
    const bool held = last <= 1.0 && count * cost(count) <= usable;
    for (int k = 0; k < count; ++k) copies.runs.push_back(run(cost(count), held ? last : 1.5, held ? 0 : 500));
    m.doubled.push_back(copies);
    if (!held) break;
  }
  return m;
}

}  // namespace

TEST_CASE("a plan holds where nothing is late, and not where the margin is negative") {
  CHECK(holding(run(0.3, 0.9), 0.0).holds);
  CHECK(holding(run(0.3, 0.9), 0.0).margin == Approx(0.1));
  CHECK_FALSE(holding(run(0.3, 1.1, 3), 0.0).holds);
  CHECK_FALSE(holding(run(0.3, 1.01, 0), 0.0).holds);  // late while the run began: not counted, but not in time
  CHECK(holding(run(0.3, 1.01, 0), 0.0).margin == Approx(-0.01));
}

TEST_CASE("some windows may be late where that is asked for, but no more") {
  CHECK(holding(run(0.3, 1.05, 10), 1e-3).holds);  // p99.9 is 0.945
  CHECK_FALSE(holding(run(0.3, 1.05, 11), 1e-3).holds);
  CHECK_FALSE(holding(run(0.3, 1.2, 5), 1e-3).holds);  // p99.9 is 1.08
  CHECK(holding(run(0.3, 1.2, 100), 1e-2).holds);
  CHECK(latest({.p99 = 0.1, .p999 = 0.2, .max = 0.3}, 0.0) == 0.3);
}

TEST_CASE("several runs at once hold together or not at all") {
  const std::vector<MeasuredRun> one_late{run(0.3, 0.5), run(0.3, 1.2, 1)};
  CHECK_FALSE(holding(one_late, 0.0).holds);
  CHECK(holding(one_late, 0.0).windows == 20'000);
  std::vector<MeasuredRun> one_failed{run(0.3, 0.5), run(0.3, 0.5)};
  one_failed[1].failure = "it ran out of memory";
  CHECK_FALSE(holding(one_failed, 0.0).holds);
  CHECK(holding(one_failed, 0.0).failure == "it ran out of memory");
  CHECK_FALSE(holding(std::vector<MeasuredRun>{}, 0.0).holds);
}

TEST_CASE("copies of constant cost: as many as fit beside what answers take beyond computing") {
  CHECK(predicted_copies(measured([](int) { return 0.1; }, 0.05), 0.0) == 9);  // 9*0.1 + 0.05
  CHECK(predicted_copies(measured([](int) { return 0.1; }, 0.15), 0.0) == 8);
  CHECK(predicted_copies(measured([](int) { return 0.3; }, 0.01), 0.0) == 3);
  CHECK(predicted_copies(measured([](int) { return 0.6; }, 0.1), 0.0) == 1);
  CHECK(predicted_copies(measured([](int) { return 1.4; }, 0.1), 0.0) == 0);
}

/// A core that is taken away now and then: for a time with the mean `mean`, once in `every` periods. What was to be
/// computed meanwhile waits, and is worked off in what is left of the periods after.
CopiesRun copies_beside_a_thief(int count, double cost, double mean, double every) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count));
  std::exponential_distribution<double> taken(1.0 / mean);
  std::uniform_real_distribution<double> dice(0.0, 1.0);
  constexpr std::size_t windows = 200'000;
  std::vector<double> answers;
  double waiting = 0.0;
  std::uint64_t late = 0;
  for (std::size_t k = 0; k < windows; ++k) {
    if (dice(random) < 1.0 / every) waiting += taken(random);
    const double answer = waiting + count * cost;
    answers.push_back(answer);
    late += answer > 1.0 ? 1 : 0;
    waiting = std::max(0.0, answer - 1.0);
  }
  std::ranges::sort(answers);
  MeasuredRun one{.computing = cost,
                  .response = {.p50 = answers[windows / 2],
                               .p99 = answers[windows / 100 * 99],
                               .p999 = answers[windows / 1000 * 999],
                               .max = answers.back()},
                  .late = late,
                  .windows = windows};
  return {.count = count, .runs = std::vector<MeasuredRun>(static_cast<std::size_t>(count), one)};
}

TEST_CASE("a core that is taken away now and then holds fewer, as many as are predicted") {
  for (const double late : {1e-2, 1e-3})
    for (const double mean : {0.2, 0.5, 1.5})
      for (const double every : {300.0, 1000.0}) {
        constexpr double cost = 0.09;
        int held = 0;
        while (holding(copies_beside_a_thief(held + 1, cost, mean, every).runs, late).holds) ++held;
        Measured m;
        for (int count = 1; m.doubled.empty() || holding(m.doubled.back().runs, late).holds; count *= 2)
          m.doubled.push_back(copies_beside_a_thief(count, cost, mean, every));
        INFO("late " << late << ", taken for " << mean << " once in " << every << ": " << held << " held");
        const auto predicted = predicted_copies(m, late);
        REQUIRE(predicted);
        CHECK(std::abs(*predicted - held) <= 1);
      }
}

TEST_CASE("copies that cost more the more they are") {
  const auto cost = [](int count) { return 0.05 * (1.0 + 0.02 * count); };  // caches: all take 0.05 n (1 + 0.02 n)
  int fit = 0;
  while ((fit + 1) * cost(fit + 1) + 0.04 <= 1.0) ++fit;
  const auto predicted = predicted_copies(measured(cost, 0.04), 0.0);
  REQUIRE(predicted);
  CHECK(std::abs(*predicted - fit) <= 1);
  CHECK(fit < static_cast<int>(0.96 / cost(1)));  // what one copy costs alone would promise more
}

TEST_CASE("nothing is predicted beyond what was measured") {
  Measured all_hold = measured([](int) { return 0.001; }, 0.01);
  CHECK(held_copies(all_hold, 0.0).held == 64);
  CHECK_FALSE(held_copies(all_hold, 0.0).not_held);
  CHECK_FALSE(predicted_copies(all_hold, 0.0));
  Measured failed = measured([](int) { return 0.1; }, 0.05);
  for (CopiesRun& copies : failed.doubled) copies.runs.front().failure = "no memory";
  CHECK_FALSE(predicted_copies(failed, 0.0));
}

TEST_CASE("what the kernel counts goes before what the plant counts itself") {
  Measured m = measured([](int) { return 0.06; }, 0.01);  // 16 * 0.06 + 0.01 fits; but waking up takes as much again
  REQUIRE(m.doubled.size() == 6);
  m.doubled.resize(4);
  for (CopiesRun& copies : m.doubled) copies.used = 0.12 * copies.count;
  m.doubled.push_back({.count = 16, .runs = {run(0.06, 4.0, 900)}, .used = 0.95});
  CHECK(predicted_copies(m, 0.0) == 8);
  m.doubled[3].used = 0.075 * 8;
  m.doubled[2].used = 0.075 * 4;
  CHECK(predicted_copies(m, 0.0) == 13);
}

TEST_CASE("the kernel's limit for real-time threads bounds copies") {
  CHECK(predicted_copies(measured([](int) { return 0.0968; }, 0.001, 0.95), 0.0) == 9);
  CHECK(predicted_copies(measured([](int) { return 0.0968; }, 0.001), 0.0) == 10);
}

TEST_CASE("of measured numbers, the largest below which all hold") {
  Measured m = measured([](int) { return 0.1; }, 0.05);
  CHECK(held_copies(m, 0.0).held == 8);
  CHECK(held_copies(m, 0.0).not_held == 16);
  m.between = {{.count = 12, .runs = {run(0.1, 1.3, 100)}},
               {.count = 10, .runs = {run(0.1, 1.1, 2)}},
               {.count = 9, .runs = {run(0.1, 0.95)}}};
  CHECK(held_copies(m, 0.0).held == 9);
  CHECK(held_copies(m, 0.0).not_held == 10);
  m.doubled.clear();
  m.between.clear();
  CHECK(held_copies(m, 0.0).held == 0);
  CHECK_FALSE(predicted_copies(m, 0.0));
}

TEST_CASE("causes are of the machine or of the plant") {
  MeasuredRun late = run(0.3, 1.2, 4);
  CHECK(machine_share(late) == 0.0);
  late.causes = {{"stolen by the host", 3}, {"computed long", 1}};
  CHECK(machine_share(late) == 0.75);
}
