#pragma once
// Who computes a plant does not matter: any placement of it, and what must be the same.

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "runtime/executive/work_plan.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt::test {

/// Every worker gets something.
inline Placement any_placement(std::mt19937& random, std::size_t subsystems, std::uint16_t workers) {
  Placement placement(subsystems);
  for (std::size_t i = 0; i < subsystems; ++i)
    placement[i] = static_cast<std::uint16_t>(i < workers ? i : random() % workers);
  std::shuffle(placement.begin(), placement.end(), random);
  return placement;
}

inline void check_same(const RunResults& a, const RunResults& b) {
  CHECK(a.digest == b.digest);
  CHECK(a.macro_steps == b.macro_steps);
  CHECK(a.stopped_because == b.stopped_because);
  REQUIRE(a.couplings.size() == b.couplings.size());
  for (std::size_t i = 0; i < a.couplings.size(); ++i) {
    CHECK(a.couplings[i].sent == b.couplings[i].sent);
    CHECK(a.couplings[i].received == b.couplings[i].received);
    CHECK(a.couplings[i].in_transit == b.couplings[i].in_transit);
    CHECK(a.couplings[i].residual == b.couplings[i].residual);
    CHECK(a.couplings[i].alarms == b.couplings[i].alarms);
    CHECK(b.couplings[i].closes);
  }
  for (std::size_t i = 0; i < a.subsystems.size(); ++i) CHECK(a.subsystems[i].windows == b.subsystems[i].windows);
}

}  // namespace takt::test
