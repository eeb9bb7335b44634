#include "tests/codegen/dae/switched_circuit.hpp"

#include <algorithm>

#include "codegen/model/load_plant.hpp"
#include "codegen/topology/topology.hpp"
#include "tests/runtime/support/places.hpp"

namespace takt::codegen::testing {

namespace {

const Library& library() {
  static const Library loaded = [] {
    Diagnostics diagnostics;
    return load_library({takt::test::library_folder()}, diagnostics);
  }();
  return loaded;
}

}  // namespace

std::optional<CompanionCircuit> CompanionCircuit::from(const std::string& plant, std::string& findings) {
  Diagnostics diagnostics;
  auto network = load_plant_text({plant, "plant.toml"}, library(), {}, diagnostics);
  if (network && !diagnostics.has_errors()) {
    CompanionCircuit circuit;
    circuit.network_ = std::make_unique<Network>(std::move(*network));
    const TopologyResult topology = analyse_topology(*circuit.network_, diagnostics);
    DaeResult dae = derive_surrogates(*circuit.network_, topology, diagnostics);
    const auto switched = std::find_if(dae.subsystems.begin(), dae.subsystems.end(), [](const Surrogate& s) {
      return std::holds_alternative<SwitchedCircuit>(s.kind);
    });
    const bool whole = topology.circuits.size() == 1;  // laws are checked over the whole network
    if (!diagnostics.has_errors() && whole && switched != dae.subsystems.end()) {
      circuit.surrogate_ = std::make_unique<Surrogate>(std::move(*switched));
      return circuit;
    }
  }
  findings = diagnostics.render();
  return std::nullopt;
}

Interpreter::Values CompanionCircuit::solve(double time) {
  Interpreter interpreter(*network_, *surrogate_, given_);
  const std::vector<double> states(surrogate_->states.size(), 0.0);  // histories stand for them
  return interpreter.all(time, states);
}

double CompanionCircuit::value(Expr expression, const Interpreter::Values& values) const {
  return network_->graph().evaluate(expression, [&](SymbolId symbol) {
    if (const auto known = values.find(symbol); known != values.end()) return known->second;
    if (const auto known = given_.find(symbol); known != given_.end()) return known->second;
    for (const Parameter& parameter : network_->parameters)
      if (parameter.symbol == symbol) return parameter.value;
    throw std::logic_error("no value for " + network_->graph().symbol(symbol).path);
  });
}

bool CompanionCircuit::is_potential(SymbolId symbol) const {
  return std::any_of(network_->nodes.begin(), network_->nodes.end(),
                     [&](const NetworkNode& node) { return node.across == symbol; });
}

std::vector<double> CompanionCircuit::apply_affine(const Interpreter::Values& values) const {
  const AffineRows& map = *part().affine;
  std::vector<double> rows;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    double sum = value(map.offsets[row], values);
    for (std::size_t column = 0; column < map.columns.size(); ++column)
      sum += value(map.coefficients[row][column], values) * value(network_->graph().use(map.columns[column]), values);
    rows.push_back(sum);
  }
  return rows;
}

}  // namespace takt::codegen::testing
