// Who computes what: every placement is possible, and good ones are found.

#include "runtime/executive/placement.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "runtime/executive/rate_split.hpp"
#include "tests/runtime/support/random_network.hpp"

using takt::Placement;
using takt::PlacementResult;
using takt::PlacementSearch;
using takt::Schedule;
using takt::WorkPlan;
using takt::test::RandomNetwork;

namespace {

std::vector<double> any_costs(std::mt19937& random, std::size_t count) {
  std::vector<double> costs(count);
  for (double& cost : costs) cost = 1e-6 * (1.0 + static_cast<double>(random() % 100));
  return costs;
}

}  // namespace

TEST_CASE("placements keep between the bound and what list scheduling promises") {
  std::mt19937 random(1);
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    RandomNetwork network({.seed = seed, .subsystems = 5 + seed % 20, .groups = 1, .exchanges = seed});
    const takt::PlantDescription plant = network.description();
    const Schedule schedule(plant);
    const PlacementSearch search(plant, schedule, any_costs(random, plant.subsystems.size()));
    for (const std::size_t cores : {2, 3, 4}) {
      INFO("seed " << seed << ", cores " << cores);
      const PlacementResult result = search.place(cores);
      const auto [work, critical, reached] = result.concurrency;
      CHECK(critical <= work * (1.0 + 1e-12));
      CHECK(reached >= result.concurrency.bound(cores) * (1.0 - 1e-9));
      CHECK(result.workers <= cores);
      CHECK(std::set<std::uint16_t>(result.placement.begin(), result.placement.end()).size() == result.workers);
      // Graham's bound for list scheduling, an exchange for each step of the longest chain, and the least gain on top.
      const double m = static_cast<double>(cores), chain = 20.0 * PlacementSearch::Crossing{}.journey_s;
      CHECK(reached <= std::max((2.0 - 1.0 / m) * result.concurrency.bound(cores) + chain, work));
    }
  }
}

TEST_CASE("what exchanges nothing is shared out evenly; a chain stays on one core") {
  RandomNetwork apart({.subsystems = 12, .groups = 1, .exchanges = 0});
  const takt::PlantDescription plant = apart.description();
  const std::vector<double> costs(12, 10e-6);
  const PlacementResult result = PlacementSearch(plant, Schedule(plant), costs).place(3);
  CHECK(result.workers == 3);
  CHECK(result.concurrency.reached == Approx(40e-6));
  CHECK(result.concurrency.critical_path == Approx(10e-6));

  takt::PlantDescription chain = plant;
  std::vector<takt::ExchangePlan> exchanges;
  for (std::uint16_t i = 0; i + 1 < 12; ++i)
    exchanges.push_back({.producer = chain.windows[i].subsystem, .consumer = chain.windows[i + 1].subsystem});
  // And the first reads what the last had: then nothing can overlap.
  exchanges.push_back({.producer = chain.windows[11].subsystem, .consumer = chain.windows[0].subsystem, .lag = 1});
  chain.exchanges = exchanges;
  const PlacementResult alone = PlacementSearch(chain, Schedule(chain), costs).place(3);
  CHECK(alone.workers == 1);
  CHECK(alone.concurrency.critical_path == Approx(120e-6));
}

TEST_CASE("every wait is for something that comes before in the order of the schedule") {
  std::mt19937 random(2);
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    RandomNetwork network({.seed = seed, .subsystems = 10, .groups = 1 + seed % 6, .exchanges = 40});
    const takt::PlantDescription plant = network.description();
    const Schedule schedule(plant);
    for (const takt::Precedence& p : precedences(plant, schedule)) CHECK((p.earlier > 0 || p.before < p.after));
    Placement placement(10);
    for (std::size_t i = 0; i < 10; ++i) placement[i] = static_cast<std::uint16_t>(i < 3 ? i : random() % 3);
    const WorkPlan work(plant, schedule, placement);
    std::size_t slots = 0;
    for (const WorkPlan::Part& part : work.parts()) {
      slots += part.slots.size();
      CHECK(part.due.back() == part.slots.size());
      CHECK(part.due.size() == schedule.instants().size() + 1);
      CHECK(part.first_wait.size() == part.slots.size() + 1);
    }
    CHECK(slots == schedule.slots().size());
  }
}

TEST_CASE("long windows that nobody waits for get a thread below the short ones") {
  RandomNetwork network({.seed = 4, .subsystems = 3, .groups = 1, .exchanges = 0});
  takt::PlantDescription plant = network.description();
  std::vector<takt::SubsystemDescription> subsystems(plant.subsystems.begin(), plant.subsystems.end());
  subsystems[0].period_ns = 10'000'000, subsystems[1].period_ns = 1'000'000, subsystems[2].period_ns = 100'000'000;
  plant.subsystems = subsystems;
  const Placement one(3, 0);
  const std::vector<double> costs{3e-3, 0.1e-3, 20e-3};
  CHECK(takt::has_slower_parts(plant));
  takt::RateSplit split = takt::split_by_rate(plant, one, costs);
  CHECK(split.placement == Placement{1, 0, 2});
  CHECK(split.below == std::vector<int>{0, 1, 2});
  CHECK(split.core_of == std::vector<std::size_t>{0, 0, 0});

  const std::vector<double> short_windows{50e-6, 0.1e-3, 20e-3};  // not worth a switch of threads
  CHECK(takt::split_by_rate(plant, one, short_windows).placement == Placement{0, 0, 1});

  const std::vector<takt::ExchangePlan> waits{{.producer = 1, .consumer = 2}};
  plant.exchanges = waits;
  split = takt::split_by_rate(plant, one, costs);
  CHECK(split.placement == Placement{1, 0, 0});

  split = takt::split_by_rate(plant, Placement{1, 0, 1}, costs);  // on the second core the shortest is of 10 ms
  CHECK(split.placement == Placement{2, 0, 1});
  CHECK(split.core_of == std::vector<std::size_t>{0, 1, 1});
}

TEST_CASE("what other processes compute is waited for by threads of its own") {
  RandomNetwork network({.seed = 4, .subsystems = 4, .groups = 1, .exchanges = 0});
  takt::PlantDescription plant = network.description();
  std::vector<takt::SubsystemDescription> subsystems(plant.subsystems.begin(), plant.subsystems.end());
  for (takt::SubsystemDescription& s : subsystems) s.period_ns = 1'000'000;
  plant.subsystems = subsystems;
  const Placement one(4, 0);
  const std::vector<double> costs(4, 1e-4);
  CHECK_FALSE(takt::has_slower_parts(plant));
  subsystems[1].foreign = subsystems[3].foreign = true;
  CHECK(takt::has_slower_parts(plant));
  takt::RateSplit split = takt::split_by_rate(plant, one, costs);
  CHECK(split.placement == Placement{0, 1, 0, 2});
  CHECK(split.below == std::vector<int>{0, 1, 1});
  CHECK(split.core_of == std::vector<std::size_t>{0, 0, 0});

  const std::vector<takt::ExchangePlan> within{{.producer = 0, .consumer = 3, .lag = 0},
                                               {.producer = 1, .consumer = 0, .lag = 1}};
  plant.exchanges = within;  // 0 and 3 are computed one after the other
  split = takt::split_by_rate(plant, one, costs);
  CHECK(split.placement == Placement{0, 1, 0, 0});

  for (takt::SubsystemDescription& s : subsystems) s.foreign = true;
  plant.exchanges = {};
  split = takt::split_by_rate(plant, one, costs);  // nothing else is there: one of them leads
  CHECK(split.placement == Placement{0, 1, 2, 3});
  CHECK(split.below == std::vector<int>{0, 1, 1, 1});
}
