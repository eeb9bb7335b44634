#include "codegen/dae/circuit/start_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/topology/tree_steps.hpp"
#include "runtime/solver/law_inverse.hpp"

namespace takt::codegen {

namespace {

constexpr std::size_t longest_sum = 8;  ///< terms

Expr start_of_storage(const Branch& branch) { return branch.start.value_or(branch.default_start); }

}  // namespace

StartValues::StartValues(const CircuitScope& scope)
    : scope_(scope),
      network_(scope.network),
      graph_(scope.network.graph()),
      circuit_(scope.circuit) {
  const auto branch = [&](BranchId id) -> const Branch& {
    return network_.branches[static_cast<std::size_t>(id)];
  };
  const auto sum = [&](const std::vector<LinearTerm>& terms) {
    Expr total = graph_.zero();
    for (const LinearTerm& term : terms)
      total = graph_.add(total, graph_.mul(graph_.constant(term.coefficient),
                                           graph_.use(branch(term.branch).across)));
    return total;
  };
  std::unordered_map<BranchId, Expr>
      cutset;  // through variable of an L in the tree over the cotree's
  for (const BranchId id : circuit_.tree)
    if (branch(id).kind == BranchKind::through_storage) cutset[id] = graph_.zero();
  for (const CotreeRow& row : circuit_.cotree)
    for (const LinearTerm& term : row.terms)
      if (const auto place = cutset.find(term.branch); place != cutset.end())
        place->second = graph_.sub(
            place->second,
            graph_.mul(graph_.constant(term.coefficient), graph_.use(branch(row.branch).through)));
  for (const BranchId id : circuit_.tree) {
    const Branch& element = branch(id);
    if (element.kind == BranchKind::across_source) definitions_[element.across] = element.law;
    if (element.kind == BranchKind::across_storage)
      define_storage(element, element.across, start_of_storage(element));
    if (element.kind ==
        BranchKind::through_storage) {  // dependent: follows from the cotree by its cutset
      definitions_[element.through] = cutset.at(id);
      define_storage(element, element.through, std::nullopt);
    }
  }
  for (const CotreeRow& row : circuit_.cotree) {
    const Branch& element = branch(row.branch);
    // By its own loop, on which alone a storage depends; long loops cost their length for each
    // branch.
    const bool is_long =
        element.kind != BranchKind::across_storage && row.terms.size() > longest_sum;
    definitions_[element.across] =
        goes_along_tree(circuit_) && is_long ? across_of(element) : sum(row.terms);
    if (element.kind == BranchKind::across_storage)
      define_storage(element, element.across, std::nullopt);
    if (element.kind == BranchKind::through_source && element.form == LawForm::through_of)
      definitions_[element.through] = element.law;
    if (element.kind == BranchKind::through_storage)
      define_storage(element, element.through, start_of_storage(element));
  }
  if (goes_along_tree(circuit_)) define_along_tree();
  for (const NodeRow& row : circuit_.potentials)
    definitions_.try_emplace(network_.nodes[static_cast<std::size_t>(row.node)].across,
                             sum(row.terms));
  for (const std::uint32_t k : scope_.ownership.states[scope_.index])
    definitions_[network_.states[k].symbol] = network_.states[k].start;
  for (const std::uint32_t k : scope_.ownership.variables[scope_.index])
    definitions_[network_.variables[k].symbol] = network_.variables[k].value;
  for (const EnergyContent& content : network_.contents)
    if (const auto owner = scope_.ownership.owner.find(content.energy);
        owner != scope_.ownership.owner.end() && owner->second == scope_.index)
      definitions_[content.temperature] = content.start_temperature;
  for (const std::uint32_t k : scope_.ownership.balances[scope_.index])
    mixed_[network_.balances[k].unknown] = network_.balances[k].guess;
  definitions_[network_.time] = graph_.zero();
}

Expr StartValues::across_of(const Branch& element) {
  const auto potential = [&](NodeId id) {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
    return node.reference ? graph_.zero() : graph_.use(node.across);
  };
  return graph_.sub(potential(element.from), potential(element.to));
}

void StartValues::define_along_tree() {
  for (const TreeStep& step : steps_along_tree(network_, circuit_.tree, {})) {
    const NetworkNode &node = network_.nodes[static_cast<std::size_t>(step.node)],
                      &before = network_.nodes[static_cast<std::size_t>(step.before)];
    const Expr across = graph_.use(network_.branches[static_cast<std::size_t>(step.branch)].across);
    const Expr from = before.reference ? graph_.zero() : graph_.use(before.across);
    if (!definitions_
             .try_emplace(node.across,
                          step.sign < 0.0 ? graph_.sub(from, across) : graph_.add(from, across))
             .second)
      continue;
    if (!before.reference) before_.emplace(node.across, before.across);
  }
}

/// @param independent  start value of the natural variable where the storage is free to begin as
/// the user says
void StartValues::define_storage(const Branch& element, SymbolId natural,
                                 std::optional<Expr> independent) {
  const SymbolId stored = *element.stored;
  const bool by_stored = independent && element.start_stored;
  if (independent)
    definitions_[by_stored ? stored : natural] = by_stored ? *element.start_stored : *independent;
  const SymbolId known = by_stored ? stored : natural, other = by_stored ? natural : stored;
  const SymbolId argument = element.form == LawForm::stored_of ? natural : stored,
                 value = argument == stored ? natural : stored;
  if (argument == known)
    definitions_[other] = element.law;
  else if (Expr coefficient{}, rest{};
           graph_.split_linear(element.law, argument, coefficient, rest))
    definitions_[other] = graph_.div(graph_.sub(graph_.use(value), rest), coefficient);
  else
    turn_round(element, other, known);
}

/// The law of a storage gives `given` where its argument is `unknown`.
void StartValues::turn_round(const Branch& element, SymbolId unknown, SymbolId given) {
  const SymbolId symbol = graph_.find_or_make_symbol(graph_.symbol(unknown).path + ".start",
                                                     graph_.symbol(unknown).unit);
  definitions_[unknown] = graph_.use(symbol);
  to_turn_[symbol] = {symbol, graph_.substitute(element.law, {{unknown, graph_.use(symbol)}}),
                      graph_.use(given)};
  turned_[symbol] = &element;
}

Expr StartValues::at_start(Expr expression) {
  std::unordered_map<SymbolId, Expr> replacements;
  for (const SymbolId symbol : graph_.symbols_of(expression))
    replacements[symbol] = start_of(symbol);
  return graph_.substitute(expression, replacements);
}

Expr StartValues::start_of(SymbolId symbol) {
  if (const auto known = resolved_.find(symbol); known != resolved_.end()) return known->second;
  std::vector<SymbolId>
      chain;  // from the first known potential on: recursion would be as deep as a chain is long
  for (auto before = before_.find(symbol);
       before != before_.end() && !resolved_.contains(before->second);
       before = before_.find(before->second))
    chain.push_back(before->second);
  for (auto each = chain.rbegin(); each != chain.rend(); ++each) (void)resolve(*each);
  return resolve(symbol);
}

Expr StartValues::resolve(SymbolId symbol) {
  if (const auto known = resolved_.find(symbol); known != resolved_.end()) return known->second;
  if (const auto law = to_turn_.find(symbol); law != to_turn_.end()) {
    resolved_[symbol] = graph_.use(symbol);
    const StartLaw turned{symbol, at_start(law->second.law), at_start(law->second.wanted)};
    law_of_[symbol] = laws_.size();
    laws_.push_back(turned);
    return graph_.use(symbol);
  }
  const auto definition = definitions_.find(symbol);
  if (definition == definitions_.end() || !in_progress_.insert(symbol).second)
    return graph_.use(symbol);
  const Expr value = at_start(definition->second);
  in_progress_.erase(symbol);
  return resolved_[symbol] = value;
}

std::optional<Expr> StartValues::guess(SymbolId symbol) {
  if (const auto mixed = mixed_.find(symbol); mixed != mixed_.end()) return at_start(mixed->second);
  if (!definitions_.contains(symbol)) return std::nullopt;
  Expr value = start_of(symbol);
  if (!mixed_.empty() && reads(value, mixes_, [&](SymbolId used) { return mixed_.contains(used); }))
    value = graph_.substitute(value, mixed_);
  return reads_own(value) ? std::nullopt : std::optional(value);
}

/// Whether `is_one` says so of any symbol. Start values share their parts: each part is looked at
/// once.
template <class IsOne>
bool StartValues::reads(Expr value, std::unordered_map<Expr, bool>& known, const IsOne& is_one) {
  std::vector<Expr> open{value};
  while (!open.empty()) {
    const Expr e = open.back();
    if (known.contains(e)) {
      open.pop_back();
      continue;
    }
    const Node node = graph_.node(e);
    if (node.op == Op::symbol) {
      const bool one = is_one(SymbolId{node.payload});
      known[e] = one;
      continue;
    }
    const Expr operands[] = {node.a, node.b, node.c};
    const std::size_t count = static_cast<std::size_t>(Graph::arity(node.op)), depth = open.size();
    bool any = false;
    for (std::size_t place = 0; place < count; ++place) {
      const auto part = known.find(operands[place]);
      if (part == known.end())
        open.push_back(operands[place]);
      else
        any = any || part->second;
    }
    if (open.size() == depth) known[e] = any;
  }
  return known.at(value);
}

/// Whether a start value waits for something that this circuit computes.
bool StartValues::reads_own(Expr value) {
  return reads(value, reads_own_, [&](SymbolId used) {
    if (const auto law = law_of_.find(used); law != law_of_.end()) {
      const Expr others = graph_.substitute(laws_[law->second].law, {{used, graph_.zero()}});
      const Expr wanted = laws_[law->second].wanted;
      return reads_own(others) || reads_own(wanted);
    }
    const auto owner = scope_.ownership.owner.find(used);
    return definitions_.contains(used) ||
           (owner != scope_.ownership.owner.end() && owner->second == scope_.index);
  });
}

std::optional<double> StartValues::numeric(Expr expression) {
  bool known = true;
  const double value = graph_.evaluate(expression, [&](SymbolId symbol) {
    if (const auto parameter = scope_.ownership.parameters.find(symbol);
        parameter != scope_.ownership.parameters.end())
      return parameter->second;
    const auto start = start_of_law(symbol);
    known = known && start;
    return start.value_or(0.0);
  });
  return known ? std::optional(value) : std::nullopt;
}

/// The number a law that is turned round gives for its unknown: nothing where it reads more than
/// parameters, NaN where there is none.
std::optional<double> StartValues::start_of_law(SymbolId unknown) {
  if (const auto known = numbers_.find(unknown); known != numbers_.end()) return known->second;
  const auto place = law_of_.find(unknown);
  const auto wanted = place == law_of_.end() ? std::nullopt : numeric(laws_[place->second].wanted);
  if (!wanted) return std::nullopt;
  LawInverse inverse(*wanted);
  for (int k = 0; k < LawInverse::most; ++k) {
    numbers_[unknown] = inverse.at();
    const auto value = numeric(laws_[place->second].law);
    if (!value) return numbers_.erase(unknown), std::nullopt;
    inverse.take(*value);
  }
  return numbers_[unknown] = inverse.result();
}

void StartValues::check_given(Diagnostics& diagnostics) {
  const auto check = [&](const Branch& element, Expr given_start, SymbolId variable,
                         double negligible) {
    const auto given = numeric(at_start(given_start)), implied = numeric(start_of(variable));
    if (!given || !implied ||
        std::fabs(*given - *implied) <=
            1e-9 * std::max({negligible, std::fabs(*given), std::fabs(*implied)}))
      return;
    const std::string& unit = graph_.symbol(variable).unit;
    diagnostics.error("T011", element.where,
                      fmt::format("start value {:g} {} of {} contradicts the circuit: the other "
                                  "start values imply {:g} {}",
                                  *given, unit, element.path, *implied, unit),
                      "this storage depends on others; leave its start value out or make it agree");
  };
  for (const BranchId id : circuit_.dependent_storages()) {
    const Branch& element = network_.branches[static_cast<std::size_t>(id)];
    if (element.start)
      check(element, *element.start,
            element.kind == BranchKind::across_storage ? element.across : element.through, 1.0);
    if (element.start_stored) check(element, *element.start_stored, *element.stored, 0.0);
  }
}

void StartValues::check_laws(Diagnostics& diagnostics) {
  for (const StartLaw& law : laws_) {
    const auto start = start_of_law(law.unknown), wanted = numeric(law.wanted);
    if (!start || !wanted || std::isfinite(*start)) continue;
    const Branch& element = *turned_.at(law.unknown);
    const bool stored = element.form == LawForm::stored_of;
    const SymbolId natural = element.kind == BranchKind::across_storage ? element.across
                                                                        : element.through,
                   given = stored ? *element.stored : natural;
    diagnostics.error("T025", element.where,
                      fmt::format("{} cannot start with {:g} {}: its law gives that for no {}",
                                  element.path, *wanted, graph_.symbol(given).unit,
                                  graph_.symbol(stored ? natural : *element.stored).path),
                      "give it a start value within the range of its law");
  }
}

}  // namespace takt::codegen
