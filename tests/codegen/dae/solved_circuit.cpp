#include "tests/codegen/dae/solved_circuit.hpp"

#include <cmath>
#include <stdexcept>

#include "codegen/model/load_plant.hpp"

namespace takt::codegen::testing {
namespace {

double relative(double error, double scale) { return std::fabs(error) / (1e-6 + scale); }

}  // namespace

SolvedCircuit::SolvedCircuit(const std::string& plant, const std::string& library) {
  Diagnostics diagnostics;
  const Library elements = load_library({library}, diagnostics);
  auto network = load_plant_text({plant, "plant.toml"}, elements, {}, diagnostics);
  if (!network) throw std::runtime_error(diagnostics.render());
  network_ = std::make_unique<Network>(std::move(*network));
  const TopologyResult topology = analyse_topology(*network_, diagnostics);
  DaeResult dae = derive_surrogates(*network_, topology, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.render());
  surrogate_ = std::move(dae.subsystems.front());
  program_ = std::make_unique<Program>(network_->graph());
  program_->add(surrogate_);
}

SymbolValues SolvedCircuit::at(const std::vector<double>& states, std::vector<double>& rates) {
  SymbolValues values(network_->graph().symbol_count(), 0.0);
  for (const Parameter& parameter : network_->parameters)
    values[static_cast<std::size_t>(parameter.symbol)] = parameter.value;
  for (std::size_t k = 0; k < states.size(); ++k)
    values[static_cast<std::size_t>(surrogate_.states[k].symbol)] = states[k];
  program_->run(values);
  rates = program_->results();
  return values;
}

Matrix SolvedCircuit::slopes() const {
  std::vector<SymbolId> along;
  for (const SurrogateState& state : surrogate_.states) along.push_back(state.symbol);
  Slopes slopes = program_->slopes(along);
  return jacobian(slopes, along.size());
}

double worst_law(const Network& network, const SymbolValues& values, Beside beside) {
  const auto value = [&](SymbolId symbol) { return values[static_cast<std::size_t>(symbol)]; };
  std::vector<double> sum(network.nodes.size(), 0.0), scale(network.nodes.size(), 0.0);
  double worst = 0.0, largest = 0.0, largest_through = 0.0, largest_stored = 0.0;
  const auto take = [&](double error) { worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error); };
  const auto potential = [&](NodeId id) {
    const NetworkNode& node = network.nodes[static_cast<std::size_t>(id)];
    return node.reference ? 0.0 : value(node.across);
  };
  for (const Branch& branch : network.branches) {
    largest = std::max(largest, std::fabs(value(branch.across)));
    largest_through = std::max(largest_through, std::fabs(value(branch.through)));
    if (branch.stored) largest_stored = std::max(largest_stored, std::fabs(value(*branch.stored)));
  }
  const double share = beside == Beside::largest ? 1.0 : 0.0;
  for (const Branch& branch : network.branches) {
    const double through = value(branch.through);
    sum[static_cast<std::size_t>(branch.from)] += through, sum[static_cast<std::size_t>(branch.to)] -= through;
    scale[static_cast<std::size_t>(branch.from)] += std::fabs(through);
    scale[static_cast<std::size_t>(branch.to)] += std::fabs(through);
    take(relative(value(branch.across) - potential(branch.from) + potential(branch.to), largest));
    const double law = network.graph().evaluate(branch.law, value);
    const SymbolId defined = branch.form == LawForm::across_of    ? branch.across
                             : branch.form == LawForm::through_of ? branch.through
                                                                  : branch.stored.value_or(branch.across);
    const double terms = branch.form == LawForm::across_of    ? std::max(share, 1e-4) * largest
                         : branch.form == LawForm::through_of ? share * largest_through
                                                              : share * largest_stored;
    take(relative(value(defined) - law, std::fabs(law) + terms));
  }
  for (std::size_t node = 0; node < sum.size(); ++node)
    if (!network.nodes[node].reference) take(relative(sum[node], std::max(scale[node], share * largest_through)));
  return worst;
}

double open_power(const Network& network, const SymbolValues& values) {
  double sum = 0.0, terms = 0.0;
  for (const Branch& branch : network.branches) {
    const double power =
        values[static_cast<std::size_t>(branch.across)] * values[static_cast<std::size_t>(branch.through)];
    sum += power, terms += std::fabs(power);
  }
  return terms == 0.0 ? 0.0 : std::fabs(sum) / terms;
}

}  // namespace takt::codegen::testing
