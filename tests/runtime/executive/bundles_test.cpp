// Windows of copies that are computed at once: the same bits, whatever they exchange and whoever computes them.

#include "runtime/executive/bundles.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tests/runtime/support/random_network.hpp"
#include "tests/runtime/support/run_network.hpp"
#include "tests/runtime/support/same_results.hpp"

namespace {

using takt::Placement;
using takt::RunResults;
using takt::test::any_placement;
using takt::test::check_same;
using takt::test::RandomNetwork;
using takt::test::run;

void (*run_of_one)(std::byte* own, const takt::Window&) noexcept = nullptr;

/// All subsystems of a random network are alike.
std::array<takt::BundledRun, 1> bundled(RandomNetwork& network, std::uint32_t copies) {
  run_of_one = network.description().subsystems[0].run;
  const auto together = [](std::byte* const* own, std::size_t count, const takt::Window& window) noexcept {
    for (std::size_t k = 0; k < count; ++k) run_of_one(own[k], window);
  };
  return {{{.run = run_of_one, .together = together, .copies = copies}}};
}

}  // namespace

TEST_CASE("windows computed at once give the same bits as one by one, by any number of workers") {
  std::mt19937 random(20261127);
  std::size_t together = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const std::uint32_t subsystems = 8 + seed % 17;
    RandomNetwork network({.seed = seed,
                           .subsystems = subsystems,
                           .groups = 1 + seed % 4,
                           .exchanges = subsystems / 2 + seed % 9,
                           .most_work = 40});
    const RunResults alone = run(network, {.macro_steps = 30});
    const auto known = bundled(network, seed % 2 == 0 ? 2 : 4);
    for (std::uint16_t workers = 1; workers <= 3; ++workers) {
      const Placement placement = any_placement(random, subsystems, workers);
      const takt::PlantDescription plant = network.description();
      const takt::Schedule schedule(plant);
      const takt::WorkPlan work(plant, schedule, placement);
      for (std::uint16_t worker = 0; worker < work.parts().size(); ++worker)
        for (const takt::Bundle& bundle : takt::find_bundles(plant, work, worker, known))
          if (bundle.copies > 1) together += bundle.copies;
      check_same(
          run(network,
              {.macro_steps = 30, .placement = placement, .cpus = std::vector<int>(workers, 0), .bundled = known}),
          alone);
    }
  }
  CHECK(together > 1000);
}

TEST_CASE("what stands in a bundle exchanges nothing, and what it waits for comes before all of it") {
  std::mt19937 random(20261128);
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const std::uint32_t subsystems = 8 + seed % 11;
    RandomNetwork network({.seed = seed, .subsystems = subsystems, .groups = 1 + seed % 3, .exchanges = 6});
    const auto known = bundled(network, 4);
    const takt::PlantDescription plant = network.description();
    const takt::Schedule schedule(plant);
    const takt::WorkPlan work(plant, schedule,
                              any_placement(random, subsystems, static_cast<std::uint16_t>(1 + seed % 3)));
    for (std::uint16_t worker = 0; worker < work.parts().size(); ++worker) {
      const takt::WorkPlan::Part& part = work.parts()[worker];
      const std::vector<takt::Bundle> bundles = takt::find_bundles(plant, work, worker, known);
      for (std::size_t begin = 0; begin < bundles.size(); begin += bundles[begin].copies) {
        std::set<std::uint16_t> inside;
        const std::size_t end = begin + bundles[begin].copies;
        REQUIRE(end <= part.slots.size());
        for (std::size_t at = begin; at < end; ++at) {
          CHECK(inside.insert(part.slots[at].subsystem).second);
          CHECK(part.slots[at].start == part.slots[begin].start);
          CHECK(part.slots[at].opens == part.slots[begin].opens);
          CHECK(part.slots[at].due == part.slots[begin].due);
          for (std::uint32_t i = part.first_wait[at]; at > begin && i < part.first_wait[at + 1]; ++i)
            if (part.waits[i].slots > 0)
              CHECK(work.parts()[part.waits[i].worker].order[static_cast<std::size_t>(part.waits[i].slots) - 1] <
                    part.order[begin]);
        }
        for (const takt::ExchangePlan& exchange : plant.exchanges)
          CHECK((exchange.producer == exchange.consumer || !inside.contains(exchange.producer) ||
                 !inside.contains(exchange.consumer)));
      }
    }
  }
}

TEST_CASE("a value that is no number in a bundle names the subsystem that computed it") {
  RandomNetwork network({.seed = 5, .subsystems = 8, .groups = 1, .exchanges = 1});
  network.poison(5, 0.01);
  const RunResults alone = run(network, {.macro_steps = 200});
  const auto known = bundled(network, 4);
  const RunResults at_once = run(network, {.macro_steps = 200, .bundled = known});
  CHECK_FALSE(alone.stopped_because.empty());
  CHECK(at_once.stopped_because == alone.stopped_because);
  CHECK(at_once.macro_steps == alone.macro_steps);
}
