// The algebra of random switched circuits satisfies every law of the network it replaces, whatever its gates and modes:
// node balances, branch laws, two-ports, and z1 = w + rate*h/2 of every storage; the affine map of a switch state gives
// what eliminating the potentials gives.
//
// Tolerances: a potential carries a rounding error of some eps*u, u the largest potential; a current i = g*(u_a - u_b)
// therefore one of eps*g*u, however small it is itself, and the current of a source, which is a sum of others, the
// largest of these. Residuals are measured against them.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/codegen/dae/random_switched.hpp"
#include "tests/codegen/dae/switched_circuit.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

using Values = Interpreter::Values;

/// Gates, modes, operating points, histories and h at random.
void draw_state(CompanionCircuit& circuit, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Network& network = circuit.network();
  const SwitchedCircuit& part = circuit.part();
  const auto bit = [&] { return static_cast<double>(random() % 2); };
  for (const std::uint32_t k : part.modes) circuit.set(network.modes[k].symbol, bit());
  for (const std::uint32_t k : part.gates) circuit.set(network.gates[k].symbol, bit());
  for (const std::uint32_t k : part.points) circuit.set(network.points[k].symbol, 0.2 + 0.5 * uniform(random));
  circuit.set(part.scale, random() % 2 == 0 ? 2e6 : 2e9);  // 2/h at 1 us and 1 ns
  const auto storage_of = [&](SymbolId history) {
    return std::find_if(network.branches.begin(), network.branches.end(),
                        [&](const Branch& b) { return b.path + ".history" == network.graph().symbol(history).path; });
  };
  for (const SymbolId history : part.histories) {
    const bool charge = storage_of(history)->kind == BranchKind::across_storage;
    circuit.set(history, uniform(random) * (charge ? 1e-2 : 1e-3));
  }
}

class Residuals {
 public:
  Residuals(CompanionCircuit& circuit, const Values& values)
      : circuit_(circuit), network_(circuit.network()), values_(values) {
    for (const NetworkNode& node : network_.nodes)
      potential_ = std::max(potential_, node.reference ? 0.0 : std::fabs(values.at(node.across)));
  }

  /// Largest violation of a node balance, a branch law or a two-port.
  double worst() {
    std::vector<double> sum(network_.nodes.size(), 0.0), scale(network_.nodes.size(), 0.0);
    std::vector<bool> balanced(network_.nodes.size(), false);  // a current there is the sum of others, elsewhere
    for (const Branch& branch : network_.branches) largest_current_ = std::max(largest_current_, current_scale(branch));
    for (const Branch& branch : network_.branches) {
      check_branch(branch);
      for (const auto& [node, sign] : {std::pair(branch.from, 1.0), std::pair(branch.to, -1.0)}) {
        const auto place = static_cast<std::size_t>(node);
        sum[place] += sign * values_.at(branch.through);
        scale[place] += current_scale(branch);
        balanced[place] =
            balanced[place] || branch.kind == BranchKind::across_source || branch.kind == BranchKind::port;
      }
    }
    for (std::size_t node = 0; node < sum.size(); ++node)
      if (!network_.nodes[node].reference) compare(sum[node], balanced[node] ? largest_current_ : scale[node]);
    for (const TwoPort& port : network_.two_ports) {
      const Branch& a = network_.branches[static_cast<std::size_t>(port.a)];
      const Branch& b = network_.branches[static_cast<std::size_t>(port.b)];
      compare(values_.at(a.across) - port.ratio * values_.at(b.across), potential_);
      compare(values_.at(b.through) + port.ratio * values_.at(a.through), largest_current_);
    }
    return worst_;
  }

 private:
  double potential(NodeId id) const {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
    return node.reference ? 0.0 : values_.at(node.across);
  }
  void compare(double residual, double scale) { worst_ = std::max(worst_, std::fabs(residual) / (scale + 1e-9)); }
  double slope(Expr law, SymbolId symbol) {
    return std::fabs(circuit_.value(network_.graph().differentiate(law, symbol), values_));
  }

  /// Size of a current that rounding of the potentials is relative to.
  double current_scale(const Branch& branch) {
    const double own = std::fabs(values_.at(branch.through)), k = circuit_.given(circuit_.part().scale);
    switch (branch.kind) {
      case BranchKind::dissipator:
        return own + (branch.form == LawForm::through_of ? slope(branch.law, branch.across)
                                                         : 1.0 / slope(branch.law, branch.through)) *
                         potential_;
      case BranchKind::across_storage:
        return own + k * slope(branch.law, branch.across) * potential_;
      case BranchKind::through_storage:
        return own + potential_ / (k * slope(branch.law, branch.through));
      default:
        return own;
    }
  }

  void check_branch(const Branch& branch) {
    const double across = values_.at(branch.across), through = values_.at(branch.through);
    compare(across - (potential(branch.from) - potential(branch.to)), potential_);
    if (branch.form == LawForm::across_of)
      compare(across - circuit_.value(branch.law, values_), potential_ + std::fabs(across));
    if (branch.form == LawForm::through_of)
      compare(through - circuit_.value(branch.law, values_), current_scale(branch));
    if (branch.form != LawForm::stored_of) return;
    const double k = circuit_.given(circuit_.part().scale);
    const double history = circuit_.given(network_.graph().find_symbol(branch.path + ".history").value());
    const bool charge = branch.kind == BranchKind::across_storage;
    const double stored = circuit_.value(branch.law, values_), rate = charge ? through : across;
    const double size = charge ? slope(branch.law, branch.across) * potential_ : potential_ / k + std::fabs(stored);
    compare(stored - history - rate / k, std::fabs(history) + size);
    const auto& states = circuit_.surrogate().states;
    const auto state =
        std::find_if(states.begin(), states.end(), [&](const SurrogateState& s) { return s.symbol == *branch.stored; });
    REQUIRE(state != states.end());
    compare(circuit_.value(state->derivative, values_) - rate, charge ? largest_current_ : potential_);
  }

  CompanionCircuit& circuit_;
  Network& network_;
  const Values& values_;
  double potential_ = 0.0, largest_current_ = 0.0, worst_ = 0.0;
};

/// Largest difference between affine rows and the same variables from eliminated potentials.
double worst_affine(const CompanionCircuit& circuit, const Values& values) {
  const AffineRows& map = *circuit.part().affine;
  const std::vector<double> rows = circuit.apply_affine(values);
  double largest = 1e-9, worst = 0.0;
  for (const auto& [symbol, value] : values)
    largest = std::max(largest, circuit.is_potential(symbol) ? std::fabs(value) : 0.0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    worst = std::max(worst, std::fabs(rows[row] - values.at(map.rows[row])));
  return worst / largest;
}

}  // namespace

namespace {

struct Found {
  int circuits = 0, maps = 0, rough_maps = 0;
  double worst_law = 0.0, worst_map = 0.0;
};

Found check_random_circuits(bool transformers, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Found found;
  for (int trial = 0; trial < 400; ++trial) {
    const std::string text = random_switched(random, transformers);
    std::string findings;
    auto circuit = CompanionCircuit::from(text, findings);
    if (!circuit) continue;  // loops of voltage sources, cutsets of current sources, windings in short circuit
    INFO(text);
    for (int state = 0; state < 6; ++state) {
      draw_state(*circuit, random);
      const Values values = circuit->solve(0.3e-3);
      found.worst_law = std::max(found.worst_law, Residuals(*circuit, values).worst());
      if (!circuit->part().affine) continue;
      const double difference = worst_affine(*circuit, values);
      found.worst_map = std::max(found.worst_map, difference);
      found.rough_maps += difference > 1e-9 ? 1 : 0;
      ++found.maps;
    }
    ++found.circuits;
  }
  return found;
}

}  // namespace

TEST_CASE("companion_networks_of_random_switched_circuits_satisfy_every_law") {
  const Found found = check_random_circuits(false, 20260301);
  CHECK(found.circuits >= 200);
  CHECK(found.maps >= 1000);
  CHECK(found.worst_law < 1e-13);
  CHECK(found.worst_map < 1e-9);
}

// Two-ports and coupled inductors tie nodes by conductances of either sign: what cancels leaves eps of the largest of
// them, so a winding that hangs on r_off alone (1 GOhm beside some S here) keeps fewer digits.
TEST_CASE("companion_networks_with_transformers_satisfy_every_law") {
  const Found found = check_random_circuits(true, 20260302);
  CHECK(found.circuits >= 200);
  CHECK(found.maps >= 1000);
  CHECK(found.worst_law < 1e-9);
  CHECK(found.worst_map < 1e-4);
  CHECK(found.rough_maps * 50 < found.maps);
}

TEST_CASE("charge_of_an_island_and_linkage_of_a_loop_are_sums_of_rates_that_cancel") {
  std::string findings;
  auto circuit = CompanionCircuit::from(R"toml([plant]
title = "island and loop"
[electric]
source = { is = "voltage_source", at = ["a", "b"], v = "48 V" }
c_a = { is = "capacitor", at = ["a", "gnd"], c = "1 uF" }
c_b = { is = "capacitor", at = ["gnd", "b"], c = "3 uF" }
c_n = { is = "capacitor", at = ["n", "gnd"], c = "7 uF" }
s   = { is = "switch", at = ["a", "n"], gate = "time > 1 s" }
l_1 = { is = "inductor", at = ["a", "b"], l = "1 mH" }
l_2 = { is = "inductor", at = ["n", "b"], l = "3 mH" }
l_3 = { is = "inductor", at = ["n", "a"], l = "7 mH" }
)toml",
                                        findings);
  INFO(findings);
  REQUIRE(circuit);
  std::mt19937_64 random(5);
  const auto rate = [&](const std::string& stored, const Values& values) {
    for (const SurrogateState& state : circuit->surrogate().states)
      if (circuit->network().graph().symbol(state.symbol).path == "electric." + stored)
        return circuit->value(state.derivative, values);
    throw std::logic_error("no state " + stored);
  };
  for (int state = 0; state < 50; ++state) {
    draw_state(*circuit, random);
    const Values values = circuit->solve(0.0);
    const double charges = rate("c_a.q", values) - rate("c_b.q", values) + rate("c_n.q", values);
    const double linkages = rate("l_1.lambda", values) - rate("l_2.lambda", values) + rate("l_3.lambda", values);
    // Two roundings of the largest term, not of the potentials times the largest conductance.
    CHECK(std::fabs(charges) <= 4e-16 * (std::fabs(rate("c_a.q", values)) + std::fabs(rate("c_b.q", values)) +
                                         std::fabs(rate("c_n.q", values))));
    CHECK(std::fabs(linkages) <=
          4e-16 * (std::fabs(rate("l_1.lambda", values)) + std::fabs(rate("l_2.lambda", values)) +
                   std::fabs(rate("l_3.lambda", values))));
  }
}
