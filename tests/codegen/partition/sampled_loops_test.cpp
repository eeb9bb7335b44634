#include "codegen/plan/sampled_loops.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace takt::codegen;

namespace {

constexpr std::int64_t us = 1000, ms = 1'000'000;

/// 0: a circuit, else a control block of that period.
DaeResult subsystems(const std::vector<std::int64_t>& periods) {
  DaeResult dae;
  for (const std::int64_t period : periods) {
    Surrogate surrogate;
    if (period > 0) surrogate.kind = ControlTask{.period_ns = period, .updates = {}};
    dae.subsystems.push_back(std::move(surrogate));
  }
  return dae;
}

/// Producer and consumer.
std::vector<Dependency> reads(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::vector<Dependency> dependencies;
  for (const auto& [producer, consumer] : pairs) dependencies.push_back({producer, consumer, 0.0});
  return dependencies;
}

}  // namespace

TEST_CASE("a controller and its circuit exchange at its period, the slow part around them does not") {
  // 0 electric, 1 solid, 2 current control, 3 a slow display
  const SampledLoops found =
      sampled_loops(subsystems({0, 0, 50 * us, ms}), reads({{2, 0}, {0, 2}, {0, 1}, {1, 0}, {0, 3}}), ms);
  REQUIRE(found.groups.size() == 1);
  CHECK(found.groups[0].period_ns == 50 * us);
  CHECK(found.groups[0].members == std::vector<std::size_t>{0, 2});
  CHECK_FALSE(found.groups[0].parent);
  REQUIRE(found.pairs.size() == 1);
  CHECK(found.pairs[0].loop);
}

TEST_CASE("circuits on the way round a loop of control exchange as often as it is sampled") {
  // control drives 0, which moves 1, which moves 2, which control measures
  const SampledLoops found =
      sampled_loops(subsystems({0, 0, 0, 100 * us}), reads({{3, 0}, {0, 1}, {1, 2}, {2, 3}}), ms);
  REQUIRE(found.groups.size() == 1);
  CHECK(found.groups[0].members == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(std::all_of(found.pairs.begin(), found.pairs.end(),
                    [](const SampledPair& pair) { return pair.loop && pair.period_ns == 100 * us; }));
}

TEST_CASE("a cascade of controllers nests") {
  // current control of 50 us acts on 0; speed control of 200 us measures 1, which 0 moves, and tells the former
  const SampledLoops found =
      sampled_loops(subsystems({0, 0, 50 * us, 200 * us}), reads({{2, 0}, {0, 2}, {0, 1}, {1, 3}, {3, 2}}), ms);
  REQUIRE(found.groups.size() == 2);
  CHECK(found.groups[0].period_ns == 200 * us);
  CHECK(found.groups[0].members == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(found.groups[1].period_ns == 50 * us);
  CHECK(found.groups[1].members == std::vector<std::size_t>{0, 2});
  CHECK(found.groups[1].parent == 0u);
}

TEST_CASE("loops that share nothing are groups side by side") {
  const SampledLoops found =
      sampled_loops(subsystems({0, 50 * us, 0, 50 * us}), reads({{1, 0}, {0, 1}, {3, 2}, {2, 3}}), ms);
  REQUIRE(found.groups.size() == 2);
  CHECK(found.groups[0].members.size() == 2);
  CHECK(found.groups[1].members.size() == 2);
}

TEST_CASE("a period that does not divide the one around it takes the largest part of both") {
  const SampledLoops found = sampled_loops(subsystems({0, 300 * us}), reads({{1, 0}, {0, 1}}), ms);
  REQUIRE(found.groups.size() == 1);
  CHECK(found.groups[0].period_ns == 100 * us);
}

TEST_CASE("blocks as slow as the plant ask for nothing") {
  CHECK(sampled_loops(subsystems({0, ms}), reads({{1, 0}, {0, 1}}), ms).groups.empty());
}
