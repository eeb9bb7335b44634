#include "codegen/dae/circuit/equation_writer.hpp"

#include <algorithm>

#include "codegen/topology/tree_steps.hpp"

namespace takt::codegen {

Expr EquationWriter::sum(const std::vector<LinearTerm>& terms, SymbolId Branch::*variable) {
  Expr total = graph_.zero();
  for (const LinearTerm& term : terms)
    total = graph_.add(total, scaled(branch(term.branch).*variable, term.coefficient));
  return total;
}

void EquationWriter::unknown(SymbolId symbol) {
  if (known_.insert(symbol).second) unknowns_.push_back(symbol);
}

void EquationWriter::define(SymbolId symbol, Expr value, const Location& where) {
  unknown(symbol);
  equations_.push_back({symbol, value, where, std::nullopt});
}

void EquationWriter::require(Expr zero, const Location& where) {
  equations_.push_back({std::nullopt, zero, where, std::nullopt});
}

void EquationWriter::add_values() {
  for (const std::uint32_t k : scope_.ownership.variables[scope_.index])
    define(network_.variables[k].symbol, network_.variables[k].value, network_.variables[k].where);
  for (const std::uint32_t k : scope_.ownership.balances[scope_.index]) {
    unknown(network_.balances[k].unknown);
    require(network_.balances[k].residual, network_.balances[k].where);
  }
  for (const std::uint32_t k : scope_.ownership.heat_inputs[scope_.index]) {
    const HeatInput& input = network_.heat_inputs[k];
    const auto received = [&](const FluxSource& flux) { return flux.received == input.received; };
    if (std::none_of(scope_.fluxes.begin(), scope_.fluxes.end(), received))
      define(input.received, input.value, input.where);
  }
  for (const FluxSource& flux : scope_.fluxes)
    if (flux.producer == scope_.index) define(flux.sent, flux.value, flux.where);
}

void EquationWriter::add_potentials_along_tree() {
  for (const TreeStep& step : steps_along_tree(network_, circuit_.tree, {})) {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(step.node)];
    if (is_known(node.across)) continue;
    const Expr before = potential(step.before), across = graph_.use(branch(step.branch).across);
    define(node.across, step.sign < 0.0 ? graph_.sub(before, across) : graph_.add(before, across),
           node.where);
  }
}

void EquationWriter::add_potentials() {
  if (goes_along_tree(circuit_)) add_potentials_along_tree();
  for (const NodeRow& row : circuit_.potentials) {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(row.node)];
    if (!is_known(node.across)) define(node.across, sum(row.terms, &Branch::across), node.where);
  }
  for (const std::uint32_t port : circuit_.two_ports)
    for (const BranchId side : {network_.two_ports[port].a, network_.two_ports[port].b})
      define(branch(side).across,
             graph_.sub(potential(branch(side).from), potential(branch(side).to)),
             branch(side).where);
}

void EquationWriter::add_port_throughs() {
  for (const CotreeRow& row : circuit_.port_throughs)
    define(branch(row.branch).through, sum(row.terms, &Branch::through), branch(row.branch).where);
  for (const std::uint32_t port : circuit_.two_ports) {
    const TwoPort& two_port = network_.two_ports[port];
    define(branch(two_port.b).through, scaled(branch(two_port.a).through, -two_port.ratio),
           two_port.where);
  }
}

Expr EquationWriter::potential(NodeId id) {
  const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
  return node.reference ? graph_.zero() : graph_.use(node.across);
}

}  // namespace takt::codegen
