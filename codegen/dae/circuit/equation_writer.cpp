#include "codegen/dae/circuit/equation_writer.hpp"

#include <algorithm>
#include <unordered_map>

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

namespace {

/// Branches of a circuit from which on potentials follow each other.
constexpr std::size_t smallest_along_tree = 500;

}  // namespace

void EquationWriter::add_potentials_along_tree() {
  std::unordered_map<NodeId, std::vector<BranchId>> next;
  std::vector<NodeId> reached;
  std::unordered_set<NodeId> seen;
  for (const BranchId id : circuit_.tree)
    for (const NodeId node : {branch(id).from, branch(id).to}) {
      next[node].push_back(id);
      if (network_.nodes[static_cast<std::size_t>(node)].reference && seen.insert(node).second) reached.push_back(node);
    }
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const BranchId id : next[reached[k]]) {
      const bool onwards = branch(id).from == reached[k];
      const NodeId other = onwards ? branch(id).to : branch(id).from;
      if (!seen.insert(other).second) continue;
      reached.push_back(other);
      const NetworkNode& node = network_.nodes[static_cast<std::size_t>(other)];
      if (is_known(node.across)) continue;
      const Expr before = potential(reached[k]), step = graph_.use(branch(id).across);
      define(node.across, onwards ? graph_.sub(before, step) : graph_.add(before, step), node.where);
    }
}

void EquationWriter::add_potentials() {
  if (circuit_.branches.size() >= smallest_along_tree && circuit_.two_ports.empty()) add_potentials_along_tree();
  for (const NodeRow& row : circuit_.potentials) {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(row.node)];
    if (!is_known(node.across)) define(node.across, sum(row.terms, &Branch::across), node.where);
  }
  for (const std::uint32_t port : circuit_.two_ports)
    for (const BranchId side : {network_.two_ports[port].a, network_.two_ports[port].b})
      define(branch(side).across, graph_.sub(potential(branch(side).from), potential(branch(side).to)),
             branch(side).where);
}

void EquationWriter::add_port_throughs() {
  for (const CotreeRow& row : circuit_.port_throughs)
    define(branch(row.branch).through, sum(row.terms, &Branch::through), branch(row.branch).where);
  for (const std::uint32_t port : circuit_.two_ports) {
    const TwoPort& two_port = network_.two_ports[port];
    define(branch(two_port.b).through, scaled(branch(two_port.a).through, -two_port.ratio), two_port.where);
  }
}

Expr EquationWriter::potential(NodeId id) {
  const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
  return node.reference ? graph_.zero() : graph_.use(node.across);
}

}  // namespace takt::codegen
