// The flattened plant: how many states it has, and that its reduced equations determine the rest.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/reference/numeric_system.hpp"
#include "tests/codegen/model/network_of.hpp"
#include "tests/codegen/topology/pencil_index.hpp"
#include "tests/codegen/topology/random_circuits.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

std::size_t differential(const FlatSystem& flat) {
  return static_cast<std::size_t>(
      std::count_if(flat.rows.begin(), flat.rows.end(), [](const FlatRow& row) { return row.rate_of.has_value(); }));
}

}  // namespace

// The pencil counts without any graph; a hidden constraint missed, or found twice, shows here.
TEST_CASE("flat_system_has_the_states_of_the_exact_pencil_and_a_unique_solution_on_500_random_circuits") {
  std::size_t number = 0, dependent = 0;
  for (RandomCircuit& circuit : random_circuits(20240229)) {
    INFO("stratum " << circuit.stratum << ", circuit " << number << "\n" << describe(circuit.sketch));
    const PencilVerdict exact = pencil_verdict(circuit.network, number++);
    if (!exact.regular) continue;
    Diagnostics diagnostics;
    const FlatSystem flat = flatten(circuit.network, diagnostics);
    CHECK(!diagnostics.has_errors());
    CHECK(static_cast<int>(differential(flat)) == exact.states);
    dependent += flat.dependent.size();
    NumericSystem system(circuit.network, flat, {});
    Values y(system.size(), 0.0);
    CHECK_NOTHROW(system.solve_start(y));
    CHECK_NOTHROW(system.solve_algebra(0.0, y));
  }
  CHECK(dependent > 200);
}

/// Trees of large circuits are chosen in another order than elements are written in.
TEST_CASE("storages_of_a_large_circuit_depend_on_each_other_as_in_the_tree_of_its_plant") {
  constexpr std::size_t wide = 17;
  std::string text = "[electric]\nload = { is = \"resistor\", at = [\"n0\", \"gnd\"], r = \"1 Ohm\" }\n";
  const auto coil = [&](std::size_t from, std::size_t to) {
    text +=
        fmt::format("l{}_{} = {{ is = \"inductor\", at = [\"n{}\", \"n{}\"], l = \"1 mH\" }}\n", from, to, from, to);
  };
  for (std::size_t node = wide * wide; node-- > 0;) {
    if ((node + 1) % wide != 0) coil(node, node + 1);
    if (node + wide < wide * wide) coil(node, node + wide);
  }
  text += fmt::format("feed = {{ is = \"current_source\", at = [\"gnd\", \"n{}\"], i = \"1 A\" }}\n", wide * wide - 1);
  Network network = test::network_of(text);
  Diagnostics diagnostics;
  const TopologyResult topology = analyse_topology(network, diagnostics);
  std::vector<SymbolId> in_tree;
  for (const CircuitTopology& circuit : topology.circuits)
    for (const BranchId id : circuit.dependent_through_storages)
      in_tree.push_back(network.branches[static_cast<std::size_t>(id)].stored.value());
  std::vector<SymbolId> dependent = flatten(network, diagnostics, &topology).dependent,
                        by_place = flatten(network, diagnostics).dependent;
  REQUIRE(!diagnostics.has_errors());
  for (auto* list : {&in_tree, &dependent, &by_place}) std::sort(list->begin(), list->end());
  REQUIRE(in_tree.size() == wide * wide - 1);
  CHECK(dependent == in_tree);
  CHECK(by_place != in_tree);
}

TEST_CASE("hidden_constraint_is_differentiated_through_a_gear_and_a_source_of_time") {
  Network network = test::network_of(R"(
[rotational]
drive = { is = "speed_source", at = ["a"], speed = "3 rad/s + 5 rad/s^2*time" }
stage = { is = "gear", at = ["a", "b"], ratio = 5 }
load = { is = "inertia", at = ["b"], j = "2 kg*m^2", start = { w = "0.6 rad/s" } }
friction = { is = "damper", at = ["b", "frame"], d = "1 N*m*s/rad" }
)");
  Diagnostics diagnostics;
  const FlatSystem flat = flatten(network, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  REQUIRE(flat.dependent.size() == 1);
  NumericSystem system(network, flat, {});
  Values y = system.guess(network, flat);
  system.solve_start(y);
  system.observe(0.0, y);
  const auto at = [&](const char* path) { return system.observed(*network.graph().find_symbol(path)); };
  CHECK(std::abs(at("rotational.load.w")) == Approx(0.6));
  CHECK(std::abs(at("rotational.load.tau")) == Approx(2.0 * 1.0));  // j times 5/5 rad/s^2
  CHECK(std::abs(at("rotational.drive.tau")) == Approx((2.0 * 1.0 + 0.6) / 5.0));
}

TEST_CASE("jacobian_equals_differences_of_the_residual") {
  Network network = test::network_of(R"(
[fluid]
medium = "water"
source = { is = "reservoir", p = "2 bar", t = "293.15 K" }
ab = { is = "pipe", at = ["source", "a"], length = "30 m", diameter = "60 mm" }
bc = { is = "pipe", at = ["a", "tank"], length = "30 m", diameter = "60 mm" }
ac = { is = "orifice", at = ["a", "drain"], area = "1 cm^2" }
tank = { is = "expansion_tank", v = "10 l", v_gas = "4 l", start = { p = "1.5 bar" } }
drain = { is = "reservoir", p = "1 bar" }
)");
  Diagnostics diagnostics;
  const FlatSystem flat = flatten(network, diagnostics);
  NumericSystem system(network, flat, {});
  Values y = system.guess(network, flat);
  system.solve_start(y);
  for (std::size_t k = 0; k < y.size(); ++k)
    y[k] += 0.01 * system.nominal()[k] * std::sin(static_cast<double>(k) + 1.0);
  const Values rate(y.size(), 0.0);
  std::vector<double> data, below(y.size()), above(y.size());
  system.jacobian(0.0, y.data(), 7.0, data);
  for (std::size_t column = 0; column < y.size(); ++column) {
    const double small = 1e-5 * (std::abs(y[column]) + system.nominal()[column]);
    Values moved(y), moved_rate(rate);
    const auto at = [&](double share, std::vector<double>& result) {
      moved[column] = y[column] + share * small;
      moved_rate[column] = 7.0 * share * small;
      system.residual(0.0, moved.data(), moved_rate.data(), result.data());
    };
    at(-1.0, below), at(1.0, above);
    std::vector<double> slope(y.size(), 0.0);
    for (auto k = system.rows().column_start()[column]; k < system.rows().column_start()[column + 1]; ++k)
      slope[static_cast<std::size_t>(system.rows().row_index()[static_cast<std::size_t>(k)])] =
          data[static_cast<std::size_t>(k)];
    for (std::size_t row = 0; row < y.size(); ++row) {
      INFO("row " << row << ", " << system.path(column));
      const double scale = std::max(std::abs(below[row]), std::abs(above[row])) / small;
      CHECK(slope[row] == Approx((above[row] - below[row]) / (2.0 * small)).epsilon(1e-4).margin(1e-7 * scale + 1e-9));
    }
  }
}
