#include "codegen/dae/start_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace takt::codegen {

namespace {

Expr start_of_storage(const Branch& branch) { return branch.start.value_or(branch.default_start); }

}  // namespace

StartValues::StartValues(Network& network, const CircuitTopology& circuit, const Ownership& ownership, std::size_t index)
    : network_(network), graph_(network.graph), circuit_(circuit), ownership_(ownership), index_(index) {
  const auto branch = [&](BranchId id) -> const Branch& { return network.branches[static_cast<std::size_t>(id)]; };
  const auto sum = [&](const std::vector<LinearTerm>& terms) {
    Expr total = graph_.zero();
    for (const LinearTerm& term : terms)
      total = graph_.add(total, graph_.mul(graph_.constant(term.coefficient), graph_.use(branch(term.branch).across)));
    return total;
  };
  const auto define_stored = [&](const Branch& element, SymbolId natural) {
    if (element.form == LawForm::stored_of) {
      definitions_[*element.stored] = element.law;
    } else if (Expr coefficient{}, rest{}; graph_.split_linear(element.law, *element.stored, coefficient, rest)) {
      definitions_[*element.stored] = graph_.div(graph_.sub(graph_.use(natural), rest), coefficient);
    }
  };
  std::unordered_map<BranchId, Expr> cutset;  // through variable of an L in the tree over the cotree's
  for (const BranchId id : circuit.tree)
    if (branch(id).kind == BranchKind::through_storage) cutset[id] = graph_.zero();
  for (const CotreeRow& row : circuit.cotree)
    for (const LinearTerm& term : row.terms)
      if (const auto place = cutset.find(term.branch); place != cutset.end())
        place->second = graph_.sub(place->second, graph_.mul(graph_.constant(term.coefficient), graph_.use(branch(row.branch).through)));
  for (const BranchId id : circuit.tree) {
    const Branch& element = branch(id);
    if (element.kind == BranchKind::across_source) definitions_[element.across] = element.law;
    if (element.kind == BranchKind::across_storage) {
      definitions_[element.across] = start_of_storage(element);
      define_stored(element, element.across);
    }
    if (element.kind == BranchKind::through_storage) {  // dependent: follows from the cotree by its cutset
      definitions_[element.through] = cutset.at(id);
      define_stored(element, element.through);
    }
  }
  for (const CotreeRow& row : circuit.cotree) {
    const Branch& element = branch(row.branch);
    definitions_[element.across] = sum(row.terms);
    if (element.kind == BranchKind::across_storage) define_stored(element, element.across);
    if (element.kind == BranchKind::through_source && element.form == LawForm::through_of) definitions_[element.through] = element.law;
    if (element.kind == BranchKind::through_storage) {
      definitions_[element.through] = start_of_storage(element);
      define_stored(element, element.through);
    }
  }
  for (const NodeRow& row : circuit.potentials) definitions_.try_emplace(network.nodes[static_cast<std::size_t>(row.node)].across, sum(row.terms));
  for (const std::uint32_t k : ownership.states[index]) definitions_[network.states[k].symbol] = network.states[k].start;
  for (const std::uint32_t k : ownership.variables[index]) definitions_[network.variables[k].symbol] = network.variables[k].value;
  for (const EnergyContent& content : network.contents)
    if (const auto owner = ownership.owner.find(content.energy); owner != ownership.owner.end() && owner->second == index)
      definitions_[content.temperature] = content.start_temperature;
  for (const std::uint32_t k : ownership.balances[index]) mixed_[network.balances[k].unknown] = network.balances[k].guess;
  definitions_[network.time] = graph_.zero();
}

Expr StartValues::at_start(Expr expression) {
  std::unordered_map<SymbolId, Expr> replacements;
  for (const SymbolId symbol : graph_.symbols_of(expression)) replacements[symbol] = start_of(symbol);
  return graph_.substitute(expression, replacements);
}

Expr StartValues::start_of(SymbolId symbol) {
  if (const auto known = resolved_.find(symbol); known != resolved_.end()) return known->second;
  const auto definition = definitions_.find(symbol);
  if (definition == definitions_.end() || !in_progress_.insert(symbol).second) return graph_.use(symbol);
  const Expr value = at_start(definition->second);
  in_progress_.erase(symbol);
  return resolved_[symbol] = value;
}

std::optional<Expr> StartValues::guess(SymbolId symbol) {
  if (const auto mixed = mixed_.find(symbol); mixed != mixed_.end()) return at_start(mixed->second);
  if (!definitions_.contains(symbol)) return std::nullopt;
  const Expr value = graph_.substitute(start_of(symbol), mixed_);
  for (const SymbolId used : graph_.symbols_of(value))
    if (const auto owner = ownership_.owner.find(used); definitions_.contains(used) || (owner != ownership_.owner.end() && owner->second == index_))
      return std::nullopt;
  return value;
}

std::optional<double> StartValues::numeric(Expr expression) {
  bool known = true;
  const double value = graph_.evaluate(expression, [&](SymbolId symbol) {
    if (const auto parameter = ownership_.parameters.find(symbol); parameter != ownership_.parameters.end()) return parameter->second;
    known = false;
    return 0.0;
  });
  return known ? std::optional(value) : std::nullopt;
}

void StartValues::check_given(Diagnostics& diagnostics) {
  const auto check = [&](BranchId id, SymbolId natural) {
    const Branch& element = network_.branches[static_cast<std::size_t>(id)];
    if (!element.start) return;
    const auto given = numeric(at_start(*element.start)), implied = numeric(start_of(natural));
    if (!given || !implied || std::fabs(*given - *implied) <= 1e-9 * std::max({1.0, std::fabs(*given), std::fabs(*implied)})) return;
    diagnostics.error("T011", element.where,
                      fmt::format("start value {:g} {} of {} contradicts the circuit: the other start values imply {:g} {}", *given,
                                  graph_.symbol(natural).unit, element.path, *implied, graph_.symbol(natural).unit),
                      "this storage depends on others; leave its start value out or make it agree");
  };
  for (const BranchId id : circuit_.dependent_across_storages) check(id, network_.branches[static_cast<std::size_t>(id)].across);
  for (const BranchId id : circuit_.dependent_through_storages) check(id, network_.branches[static_cast<std::size_t>(id)].through);
}

}  // namespace takt::codegen
