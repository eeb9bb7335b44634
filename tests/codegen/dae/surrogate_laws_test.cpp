// Every variable a surrogate computes satisfies every law of the network it replaces: node balances, branch laws,
// two-ports; and the rates it reports are the rates of the stored quantities along its own solution. Checked for the
// random circuits of the index test, at random states.

#include <catch2/catch.hpp>
#include <random>

#include "codegen/dae/structural/structural_surrogate.hpp"
#include "tests/codegen/dae/interpreter.hpp"
#include "tests/codegen/topology/random_circuits.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

double relative(double error, double scale) { return std::fabs(error) / (1.0 + scale); }

/// Largest violation of the node balances.
double worst_balance(const Network& network, const Interpreter::Values& values) {
  std::vector<double> sum(network.nodes.size(), 0.0), scale(network.nodes.size(), 0.0);
  for (const Branch& branch : network.branches) {
    const double through = values.at(branch.through);
    sum[static_cast<std::size_t>(branch.from)] += through, sum[static_cast<std::size_t>(branch.to)] -= through;
    scale[static_cast<std::size_t>(branch.from)] += std::fabs(through),
        scale[static_cast<std::size_t>(branch.to)] += std::fabs(through);
  }
  double worst = 0.0;
  for (std::size_t node = 0; node < sum.size(); ++node)
    if (!network.nodes[node].reference) worst = std::max(worst, relative(sum[node], scale[node]));
  return worst;
}

/// Largest violation of x = potential difference, of the branch laws and of the two-ports.
double worst_law(Network& network, const Interpreter::Values& values) {
  const auto value = [&](Expr e) { return network.graph().evaluate(e, [&](SymbolId s) { return values.at(s); }); };
  const auto potential = [&](NodeId id) {
    const NetworkNode& node = network.nodes[static_cast<std::size_t>(id)];
    return node.reference ? 0.0 : values.at(node.across);
  };
  double worst = 0.0;
  const auto compare = [&](double a, double b) {
    worst = std::max(worst, relative(a - b, std::fabs(a) + std::fabs(b)));
  };
  for (const Branch& branch : network.branches) {
    compare(values.at(branch.across), potential(branch.from) - potential(branch.to));
    if (branch.form == LawForm::across_of) compare(values.at(branch.across), value(branch.law));
    if (branch.form == LawForm::through_of) compare(values.at(branch.through), value(branch.law));
    if (branch.form == LawForm::stored_of) compare(values.at(*branch.stored), value(branch.law));
  }
  for (const TwoPort& port : network.two_ports) {
    const Branch& a = network.branches[static_cast<std::size_t>(port.a)];
    const Branch& b = network.branches[static_cast<std::size_t>(port.b)];
    compare(values.at(a.across), port.ratio * values.at(b.across));
    compare(values.at(b.through), -port.ratio * values.at(a.through));
  }
  return worst;
}

/// Largest difference between a storage's rate variable and the finite difference of its stored quantity.
double worst_rate(const Network& network, const Interpreter::Values& now, const Interpreter::Values& later,
                  double step) {
  double worst = 0.0;
  for (const Branch& branch : network.branches) {
    if (!branch.stored) continue;
    const SymbolId rate = branch.kind == BranchKind::across_storage ? branch.through : branch.across;
    const double difference = (later.at(*branch.stored) - now.at(*branch.stored)) / step;
    worst = std::max(worst, relative(difference - now.at(rate), std::fabs(difference) + std::fabs(now.at(rate))));
  }
  return worst;
}

/// All variables at a random state, and a tiny step later: systems are linear, so any state will do, and the finite
/// difference's truncation stays below the tolerance.
void check_laws(Network& network, const std::vector<Surrogate>& subsystems, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Interpreter::Values now, later;
  const double step = 1e-6;
  for (const Surrogate& surrogate : subsystems) {
    Interpreter interpreter(network, surrogate);
    std::vector<double> states = interpreter.start();
    for (double& state : states) state += uniform(random);
    const std::vector<double> rates = interpreter.derivatives(0.0, states);
    now.merge(interpreter.all(0.0, states));
    for (std::size_t k = 0; k < states.size(); ++k) states[k] += step * rates[k];
    later.merge(interpreter.all(step, states));
  }
  CHECK(worst_balance(network, now) < 1e-9);
  CHECK(worst_law(network, now) < 1e-9);
  CHECK(worst_rate(network, now, later, step) < 1e-3);
}

/// Every circuit by the structural path, as if its elements had free equations.
std::vector<Surrogate> structural_surrogates(Network& network, const TopologyResult& topology,
                                             Diagnostics& diagnostics) {
  const Ownership ownership = assign_owners(network, topology);
  std::vector<Surrogate> subsystems;
  for (std::size_t k = 0; k < topology.circuits.size(); ++k) {
    auto surrogate = structural_surrogate({network, topology.circuits[k], ownership, k, {}}, diagnostics);
    if (surrogate) subsystems.push_back(std::move(*surrogate));
  }
  return subsystems;
}

}  // namespace

TEST_CASE("surrogates_of_random_circuits_satisfy_every_law_and_rate") {
  std::mt19937_64 random(7);
  int checked = 0, index_two = 0;
  for (RandomCircuit& circuit : random_circuits(20240229)) {
    Network network = std::move(circuit.network);
    Diagnostics diagnostics;
    const TopologyResult topology = analyse_topology(network, diagnostics);
    if (diagnostics.has_errors()) continue;
    const DaeResult dae = derive_surrogates(network, topology, diagnostics);
    INFO(circuit.stratum << "\n" << describe(circuit.sketch) << "\n" << diagnostics.render());
    REQUIRE_FALSE(diagnostics.has_errors());
    check_laws(network, dae.subsystems, random);
    ++checked;
    for (const CircuitTopology& each : topology.circuits) index_two += each.index == 2 ? 1 : 0;
  }
  CHECK(checked > 200);
  CHECK(index_two > 50);
}

TEST_CASE("structural_surrogates_of_random_circuits_satisfy_every_law_and_rate") {
  std::mt19937_64 random(8);
  int checked = 0, reduced = 0;
  for (RandomCircuit& circuit : random_circuits(20240229)) {
    Network network = std::move(circuit.network);
    Diagnostics diagnostics;
    const TopologyResult topology = analyse_topology(network, diagnostics);
    if (diagnostics.has_errors()) continue;
    const std::vector<Surrogate> subsystems = structural_surrogates(network, topology, diagnostics);
    INFO(circuit.stratum << "\n" << describe(circuit.sketch) << "\n" << diagnostics.render());
    REQUIRE_FALSE(diagnostics.has_errors());
    check_laws(network, subsystems, random);
    ++checked;
    for (const Surrogate& each : subsystems) reduced += each.index == 2 ? 1 : 0;
  }
  CHECK(checked > 200);
  CHECK(reduced > 100);
}
