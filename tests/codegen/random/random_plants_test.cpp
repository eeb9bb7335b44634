// 1000 random plants over all domains and couplings, each from its text to its plan, against what is known of it
// without the generator:
//   the tree's verdict          the exact pencil index and degree of freedom of the papers' form of every circuit
//   the structural path         the exact pencil index of the loop and cutset form of every circuit
//   every reduced circuit       index at most 1, as many states as the exact pencil has, and values that solve the
//   unreduced equations,
//                               from random inputs, so on its own
//   couplings                   no cycle in which each changes the next without delay
//   the whole plant             undecomposed, has the largest index of its circuits
//   wrong ones                  nothing but the code that was planted
// Prints counts per stratum. TAKT_RANDOM_SEED: other plants. TAKT_RANDOM_ONLY: one of them, by number. Not reached:
// circuits with switches (switched_laws_test, random_switches.py), and orifices, valves and fans between nodes that
// store no mass, whose Newton iteration need not settle.

#include "tests/codegen/random/random_plants.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <set>

#include "codegen/dae/structural/loop_cutset_form.hpp"
#include "codegen/dae/structural/structural_surrogate.hpp"
#include "codegen/partition/make_plan.hpp"
#include "tests/codegen/model/network_of.hpp"
#include "tests/codegen/random/plant_pencil.hpp"
#include "tests/codegen/random/plant_solution.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

constexpr std::uint64_t default_seed = 20261121;

/// TAKT_RANDOM_SEED runs the same campaign with other plants.
std::uint64_t seed() {
  const char* given = std::getenv("TAKT_RANDOM_SEED");
  return given == nullptr ? default_seed : std::strtoull(given, nullptr, 10);
}

struct Counts {
  int plants = 0, circuits = 0, couplings = 0, index_1 = 0, index_2 = 0, structural = 0, singular = 0, refused = 0;
};

struct Analysed {
  std::optional<Network> bare, network;  ///< as loaded, and as derived
  TopologyResult topology;
  DaeResult dae;
  Plan plan;
  std::set<std::string> errors;
  std::string findings;
};

Analysed analyse(const std::string& text) {
  Analysed result;
  Diagnostics diagnostics;
  result.network = load_plant_text({text, "random/plant.toml"}, takt::codegen::test::real_library(), {}, diagnostics);
  if (result.network) {
    result.bare = result.network;
    result.topology = analyse_topology(*result.network, diagnostics);
    result.dae = derive_surrogates(*result.network, result.topology, diagnostics);
    if (!diagnostics.has_errors()) result.plan = make_plan(*result.network, result.dae, diagnostics);
  }
  for (const Diagnostic& finding : diagnostics.all())
    if (finding.severity == Severity::error) result.errors.insert(finding.code);
  result.findings = diagnostics.render();
  return result;
}

int states_of(const Network& network, const CircuitTopology& circuit, const Ownership& ownership, std::size_t index) {
  int states = static_cast<int>(ownership.states[index].size());
  for (const BranchId id : circuit.branches) states += network.branches[static_cast<std::size_t>(id)].stored ? 1 : 0;
  return states -
         static_cast<int>(circuit.dependent_across_storages.size() + circuit.dependent_through_storages.size());
}

/// Tree and structural path of every circuit. @return the largest exact index, or nothing where a circuit is singular
std::optional<int> check_verdicts(Network& network, const TopologyResult& topology, bool controlled, std::uint64_t draw,
                                  Counts& counts) {
  const Ownership ownership = assign_owners(network, topology);
  std::optional<int> largest = 0;
  for (std::size_t k = 0; k < topology.circuits.size(); ++k) {
    const CircuitTopology& circuit = topology.circuits[k];
    INFO("circuit " << circuit.name);
    const PencilVerdict papers = plant_pencil_verdict(network, ownership, Form::papers, k, draw);
    const PencilVerdict loops = plant_pencil_verdict(network, ownership, Form::loops_and_cutsets, k, draw);
    CHECK(papers.regular == loops.regular);
    CHECK(papers.states == loops.states);
    ++counts.circuits;
    counts.singular += papers.regular ? 0 : 1;
    counts.index_1 += papers.index == 1 ? 1 : 0;
    counts.index_2 += papers.index == 2 ? 1 : 0;
    if (!controlled) {
      CHECK(circuit.singular == !papers.regular);
      if (papers.regular) CHECK(std::max(circuit.index, 1) == std::max(papers.index, 1));
      if (papers.regular) CHECK(states_of(network, circuit, ownership, k) == papers.states);
    }
    if (!papers.regular) largest.reset();
    if (largest) largest = std::max(*largest, papers.index);
    const StructuralResult structural =
        pantelides(structure_of(network.graph(), loop_cutset_form({network, circuit, ownership, k, {}})).system);
    if (papers.regular) {
      CHECK_FALSE(structural.singular());
      CHECK(structural.index == loops.index);
    }
  }
  if (largest) {
    const PencilVerdict whole = plant_pencil_verdict(network, ownership, Form::papers, std::nullopt, draw);
    CHECK(whole.regular);
    CHECK(whole.index == *largest);
  }
  return largest;
}

void check_reduced(Analysed& plant, std::uint64_t draw, Counts& counts) {
  const Network& network = *plant.network;
  std::mt19937_64 random(draw);
  const Ownership ownership = assign_owners(network, plant.topology);
  std::vector<CircuitPoint> points;
  REQUIRE(plant.dae.subsystems.size() >= plant.topology.circuits.size());
  for (std::size_t k = 0; k < plant.dae.subsystems.size(); ++k) {
    const Surrogate& surrogate = plant.dae.subsystems[k];
    INFO("subsystem " << surrogate.name);
    points.push_back(random_point(network, surrogate, plant.plan.subsystems[k], random));
    if (k >= plant.topology.circuits.size()) continue;
    const PencilVerdict reduced = reduced_pencil_verdict(network, surrogate, draw);
    CHECK(reduced.regular);
    CHECK(reduced.index <= 1);
    CHECK(reduced.states == static_cast<int>(surrogate.states.size()));
    CHECK(reduced.states == plant_pencil_verdict(network, ownership, Form::papers, k, draw).states);
    CHECK(violated_equations(network, plant.topology.circuits[k], surrogate, points.back()) ==
          std::vector<std::string>{});
    counts.structural += surrogate.structural ? 1 : 0;
  }
  CHECK(algebraic_cycle(network, plant.dae, plant.plan, points) == std::vector<std::string>{});
  counts.couplings += static_cast<int>(plant.plan.couplings.size());
}

void print(const std::vector<std::pair<std::string, Counts>>& rows) {
  std::cout << std::left << std::setw(60) << "stratum"
            << "plants circuits couplings index 1 index 2 structural singular refused\n";
  Counts all;
  const auto row = [](const std::string& name, const Counts& c) {
    std::cout << std::left << std::setw(60) << name << std::right << std::setw(6) << c.plants << std::setw(9)
              << c.circuits << std::setw(10) << c.couplings << std::setw(8) << c.index_1 << std::setw(8) << c.index_2
              << std::setw(11) << c.structural << std::setw(9) << c.singular << std::setw(8) << c.refused << "\n";
  };
  for (const auto& [name, c] : rows) {
    row(name, c);
    all.plants += c.plants, all.circuits += c.circuits, all.couplings += c.couplings, all.index_1 += c.index_1,
        all.index_2 += c.index_2;
    all.structural += c.structural, all.singular += c.singular, all.refused += c.refused;
  }
  row("all", all);
}

}  // namespace

TEST_CASE("random_plants_of_all_domains_are_judged_reduced_and_cut_rightly") {
  const auto plants = random_plants(seed());
  const char* only = std::getenv("TAKT_RANDOM_ONLY");  // number of one plant
  REQUIRE(plants.size() == 1000);
  std::vector<std::pair<std::string, Counts>> rows;
  for (std::size_t k = 0; k < plants.size(); ++k) {
    const RandomPlant& wanted = plants[k];
    if (only != nullptr && std::to_string(k) != only) continue;
    if (rows.empty() || rows.back().first != wanted.stratum) rows.push_back({wanted.stratum, {}});
    Counts& counts = rows.back().second;
    ++counts.plants;
    Analysed plant = analyse(wanted.text);
    INFO("plant " << k << ", " << wanted.stratum << "\n" << wanted.text << plant.findings);
    if (!wanted.code.empty()) {
      CHECK(plant.errors == std::set<std::string>{wanted.code});
      ++counts.refused;
      continue;
    }
    REQUIRE(plant.network.has_value());
    const auto index = check_verdicts(*plant.bare, plant.topology, wanted.controlled, k, counts);
    if (!wanted.may_be_singular) CHECK(index.has_value());
    if (wanted.index) CHECK(index == wanted.index);
    CHECK(plant.errors.empty() == index.has_value());
    counts.refused += plant.errors.empty() ? 0 : 1;
    if (plant.errors.empty()) check_reduced(plant, k, counts);
  }
  print(rows);
}

TEST_CASE("plants_that_random_ones_found_wanting_solve_their_equations") {
  const std::map<std::string, std::string> plants{
      {"a clutch between light shafts, across whose kink Newton's method jumped to and fro",
       R"toml([rotational]
motor  = { is = "torque_source", at = ["a"], torque = "6.42 N*m" }
lead   = { is = "damper", at = ["a", "frame"], d = "3 N*m*s/rad" }
link   = { is = "damper", at = ["a", "b"], d = "1 N*m*s/rad" }
fly    = { is = "inertia", at = ["f"], j = "0.8 kg*m^2" }
spring = { is = "spring", at = ["b", "f"], c = "24 N*m/rad" }
in     = { is = "damper", at = ["b", "c"], d = "2.2 N*m*s/rad" }
clutch = { is = "clutch", at = ["c", "d"], capacity = "13.6 N*m" }
out    = { is = "damper", at = ["d", "frame"], d = "3.7 N*m*s/rad" }
)toml"},
      {"a given flow through a nozzle, whose flow is flat where it is choked",
       R"toml([gas]
medium = "air"
room   = { is = "plenum", v = "0.035 m^3", start = { p = "1.1 bar", t = "322 K" } }
nozzle = { is = "orifice", at = ["room", "mouth"], area = "9.46e-5 m^2" }
blower = { is = "mass_flow_source", at = ["mouth"], flow = "0.9 g/s" }
hall   = { is = "plenum", v = "0.039 m^3", start = { p = "1.6 bar", t = "330 K" } }
gap    = { is = "resistance", at = ["room", "hall"], r = "4.5e6 Pa*s/kg" }
)toml"},
      {"a valve and a pump between vessels, with laws flat at rest where the iteration begins",
       R"toml([fluid]
medium = "water"
lake   = { is = "reservoir", p = "1.6 bar" }
tank   = { is = "tank", area = "0.1 m^2" }
valve  = { is = "valve", at = ["lake", "tank"], area = "1 cm^2" }
high   = { is = "expansion_tank", v = "2 l", v_gas = "1 l" }
pump   = { is = "pump", at = ["tank", "high"], dp_0 = "1 bar", q_0 = "0.3 kg/s" }
)toml"},
      {"mixing junctions in a row, one of which only a pipe reaches",
       R"toml([fluid]
medium = "water_glycol_50"
lake   = { is = "reservoir", p = "1.6 bar", t = "305 K" }
vessel = { is = "elastic_volume", v = "1.5 l", bulk = "2e7 Pa", start = { t = "326 K" } }
r_1    = { is = "resistance", at = ["lake", "a"], r = "1.65e5 Pa*s/kg" }
r_2    = { is = "resistance", at = ["a", "vessel"], r = "6.6e5 Pa*s/kg" }
r_3    = { is = "resistance", at = ["a", "b"], r = "6.5e5 Pa*s/kg" }
r_4    = { is = "resistance", at = ["b", "c"], r = "6.3e5 Pa*s/kg" }
tap_1  = { is = "demand", at = ["b"], flow = "4 g/s" }
pipe_1 = { is = "pipe", at = ["vessel", "c"], length = "5 m", diameter = "78 mm" }
pipe_2 = { is = "pipe", at = ["c", "d"], length = "5 m", diameter = "44 mm" }
tap_2  = { is = "demand", at = ["d"], flow = "2 g/s" }
)toml"},
      {"inertias joined by a gear behind a clutch: the torque of the dependent one through a nonlinear block",
       R"toml([rotational]
motor  = { is = "torque_source", at = ["a"], torque = "5 N*m" }
drag   = { is = "damper", at = ["a", "frame"], d = "1 N*m*s/rad" }
clutch = { is = "clutch", at = ["a", "b"], capacity = "3 N*m" }
load   = { is = "damper", at = ["b", "c"], d = "0.7 N*m*s/rad" }
first  = { is = "inertia", at = ["c"], j = "0.6 kg*m^2" }
gear   = { is = "gear", at = ["c", "d"], ratio = 2 }
second = { is = "inertia", at = ["d"], j = "0.7 kg*m^2" }
)toml"},
  };
  for (const auto& [name, text] : plants) {
    Analysed plant = analyse(text);
    INFO(name << "\n" << plant.findings);
    REQUIRE(plant.errors.empty());
    CHECK(plant.findings.find("T012") == std::string::npos);
    Counts counts;
    static_cast<void>(check_verdicts(*plant.bare, plant.topology, false, 1, counts));
    check_reduced(plant, 1, counts);
  }
}
