// The normal tree's verdict against the exact pencil index, for 500 random circuits.

#include <algorithm>
#include <catch2/catch.hpp>
#include <iomanip>
#include <iostream>
#include <map>

#include "codegen/topology/topology.hpp"
#include "tests/codegen/topology/pencil_index.hpp"
#include "tests/codegen/topology/random_circuits.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

constexpr std::uint64_t seed = 20240229;

int storages(const Network& network, const CircuitTopology& circuit) {
  return static_cast<int>(std::count_if(circuit.branches.begin(), circuit.branches.end(), [&](BranchId id) {
    return network.branches[static_cast<std::size_t>(id)].stored.has_value();
  }));
}

/// A network is singular where one of its circuits is; its index is the largest of its circuits', its states are the
/// storages that the trees leave independent.
PencilVerdict verdict_of_tree(const Network& network, const TopologyResult& result) {
  PencilVerdict verdict{.regular = true};
  for (const CircuitTopology& circuit : result.circuits) {
    if (circuit.singular) return {};
    verdict.index = std::max(verdict.index, circuit.index);
    verdict.states += storages(network, circuit);
    verdict.states -= static_cast<int>(circuit.dependent_across_storages.size());
    verdict.states -= static_cast<int>(circuit.dependent_through_storages.size());
  }
  return verdict;
}

struct Counts {
  int circuits = 0, singular = 0, index_1 = 0, index_2 = 0;
  void add(const PencilVerdict& verdict) {
    ++circuits;
    if (!verdict.regular) ++singular;
    if (verdict.index == 1) ++index_1;
    if (verdict.index == 2) ++index_2;
  }
};

void print_row(const std::string& name, const Counts& c) {
  std::cout << std::left << std::setw(52) << name << std::right << std::setw(8) << c.circuits << std::setw(9)
            << c.singular << std::setw(8) << c.index_1 << std::setw(8) << c.index_2 << "\n";
}

void print_counts(const std::vector<RandomCircuit>& circuits, const std::vector<PencilVerdict>& verdicts) {
  std::vector<std::pair<std::string, Counts>> rows;
  Counts all;
  for (std::size_t k = 0; k < circuits.size(); ++k) {
    if (rows.empty() || rows.back().first != circuits[k].stratum) rows.push_back({circuits[k].stratum, {}});
    rows.back().second.add(verdicts[k]);
    all.add(verdicts[k]);
  }
  std::cout << std::left << std::setw(52) << "stratum"
            << "circuits singular index 1 index 2\n";
  for (const auto& [name, counts] : rows) print_row(name, counts);
  print_row("all", all);
}

}  // namespace

TEST_CASE("tree_verdict_equals_exact_pencil_index_on_500_random_circuits") {
  const auto circuits = random_circuits(seed);
  REQUIRE(circuits.size() == 500);
  std::vector<PencilVerdict> verdicts;
  for (const RandomCircuit& circuit : circuits) {
    INFO("stratum " << circuit.stratum << ", circuit " << verdicts.size() << "\n" << describe(circuit.sketch));
    const PencilVerdict exact = pencil_verdict(circuit.network, verdicts.size());
    verdicts.push_back(exact);
    if (circuit.planted) CHECK(exact.index == *circuit.planted);
    Diagnostics diagnostics;
    const PencilVerdict tree = verdict_of_tree(circuit.network, analyse_topology(circuit.network, diagnostics));
    CHECK(tree.regular == exact.regular);
    CHECK(tree.index == exact.index);
    CHECK(tree.states == exact.states);
    CHECK(diagnostics.has_errors() == !exact.regular);
  }
  print_counts(circuits, verdicts);
}
