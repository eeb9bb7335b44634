#include "codegen/dae/companion.hpp"

#include <algorithm>
#include <set>

#include "codegen/dae/algebra/affine.hpp"
#include "codegen/dae/algebra/elimination.hpp"
#include "codegen/dae/algebra/sorting.hpp"
#include "codegen/dae/circuit/circuit_equations.hpp"
#include "codegen/dae/circuit/conserved_sums.hpp"
#include "codegen/dae/circuit/joins.hpp"
#include "codegen/dae/circuit/start_values.hpp"
#include "codegen/topology/mode_kinds.hpp"

namespace takt::codegen {

constexpr double largest_conductance = 1e9;  ///< S, of a linearised capacitor

CompanionNetwork::CompanionNetwork(const Network& network, const CircuitTopology& circuit,
                                   SymbolId scale, bool linearise)
    : network_(network) {
  for (const BranchId id : circuit.branches) {
    const BranchKind kind = network.branches[static_cast<std::size_t>(id)].kind;
    if (kind == BranchKind::across_storage || kind == BranchKind::through_storage)
      replace(id, scale);
  }
  turn_laws(scale, linearise);
  couple(scale);
}

/// Laws of what is stored, which may read that of other storages as well: as it is at the end of a
/// segment.
void CompanionNetwork::turn_laws(SymbolId scale, bool linearise) {
  Graph& graph = network_.graph();
  std::unordered_map<SymbolId, Expr> ends;
  for (const CompanionStorage& storage : storages_)
    ends[storage.stored] =
        graph.add(graph.use(storage.history), graph.div(graph.use(storage.rate), graph.use(scale)));
  LawsAtEnd laws(graph, std::move(ends));
  for (const auto& [id, original] : originals_) {
    if (original.form != LawForm::from_stored) continue;
    Branch& branch = network_.branches[static_cast<std::size_t>(id)];
    const bool across = original.kind == BranchKind::across_storage;
    // A capacitor whose law is flat (v = a*q^3 at 0) would be a conductance without bound, of a
    // current that is rounding.
    const Expr flattest =
        across ? graph.div(graph.use(scale), graph.constant(largest_conductance)) : graph.zero();
    branch.law = linearise ? laws.about_points(original.law, flattest) : laws.exact(original.law);
    branch.form = across ? LawForm::across_of : LawForm::through_of;
  }
  points_ = laws.points();
}

/// Inductors whose linkages share currents: i = inverse(L)*(w + v/k), so that they too are
/// conductances.
void CompanionNetwork::couple(SymbolId scale) {
  Graph& graph = network_.graph();
  const auto branch = [&](const CompanionStorage& storage) -> Branch& {
    return network_.branches[static_cast<std::size_t>(storage.branch)];
  };
  std::vector<const CompanionStorage*> coupled;
  for (const auto& [id, original] : originals_) {
    if (original.kind != BranchKind::through_storage || original.form != LawForm::stored_of)
      continue;
    for (const CompanionStorage& storage : storages_)
      if (storage.branch == id && branch(storage).form == LawForm::across_of)
        coupled.push_back(&storage);
  }
  std::vector<SymbolId> currents;
  std::vector<Expr> residuals;
  for (const CompanionStorage* storage : coupled) {
    currents.push_back(branch(*storage).through);
    residuals.push_back(
        graph.sub(branch(*storage).law, graph.use(branch(*storage).across)));  // k*(lambda - w) - v
  }
  const auto system = as_linear(graph, residuals, currents);
  if (coupled.empty() || !system) return;  // saturating: left to the nonlinear path
  LinearSystem scaled = *system;
  const Expr per_k = graph.div(graph.one(), graph.use(scale));
  for (std::size_t row = 0; row < scaled.right.size(); ++row) {
    scaled.right[row] = graph.add(graph.use(coupled[row]->history),
                                  graph.mul(per_k, graph.use(coupled[row]->rate)));
    for (Expr& entry : scaled.matrix[row]) {
      Expr slope{}, rest{};
      if (graph.split_linear(entry, scale, slope, rest)) entry = slope;
    }
  }
  SymbolMap<double> parameters;
  for (const Parameter& parameter : network_.parameters)
    parameters.emplace(parameter.symbol, parameter.value);
  const auto eliminated = eliminate(graph, scaled, {.parameters = &parameters});
  if (!eliminated || eliminated->growth > largest_growth) return;
  for (std::size_t row = 0; row < coupled.size(); ++row) {
    branch(*coupled[row]).law = eliminated->solution[row];
    branch(*coupled[row]).form = LawForm::through_of;
  }
}

void CompanionNetwork::replace(BranchId id, SymbolId scale) {
  Graph& graph = network_.graph();
  Branch& branch = network_.branches[static_cast<std::size_t>(id)];
  originals_.emplace_back(id, branch);
  const bool across = branch.kind == BranchKind::across_storage;
  const SymbolId natural = across ? branch.across : branch.through,
                 rate = across ? branch.through : branch.across;
  const SymbolId history =
      graph.find_or_make_symbol(branch.path + ".history", graph.symbol(*branch.stored).unit);
  storages_.push_back({id, *branch.stored, history, rate});
  const Expr k = graph.use(scale), w = graph.use(history);
  if (branch.form != LawForm::from_stored) {
    Expr slope{}, rest{};
    const bool linear =
        graph.split_linear(branch.law, natural, slope, rest) && graph.is_constant(rest, 0.0);
    if (across || !linear) {
      branch.law = graph.mul(k, graph.sub(branch.law, w));
      branch.form = across ? LawForm::through_of : LawForm::across_of;
    } else {  // an inductor by its conductance: nodes are eliminated by sums of conductances
      const Expr inverse = graph.div(graph.one(), slope);
      branch.law =
          graph.add(graph.mul(graph.mul(inverse, graph.div(graph.one(), k)), graph.use(rate)),
                    graph.mul(inverse, w));
      branch.form = LawForm::through_of;
    }
  }
  branch.kind = BranchKind::dissipator;
  branch.stored.reset();
}

namespace {

template <class Item>
std::vector<std::uint32_t> of_elements(const std::vector<Item>& items,
                                       const std::set<ElementId>& elements) {
  std::vector<std::uint32_t> found;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (elements.contains(items[k].element)) found.push_back(static_cast<std::uint32_t>(k));
  return found;
}

/// Legs and timed gates that the circuit's gates follow.
template <class Item, class Outputs>
std::vector<std::uint32_t> that_drive(const std::vector<Item>& items,
                                      const std::set<SymbolId>& read, const Outputs& outputs) {
  std::vector<std::uint32_t> found;
  for (std::size_t k = 0; k < items.size(); ++k)
    for (const SymbolId symbol : outputs(items[k]))
      if (read.contains(symbol) && (found.empty() || found.back() != k))
        found.push_back(static_cast<std::uint32_t>(k));
  return found;
}

/// Twice what all sources and capacitors of the circuit have together, as transformers raise it; 1
/// mV where there are none.
Expr voltage_limit(const Network& network, const CircuitTopology& circuit) {
  Graph& graph = network.graph();
  Expr sum = graph.zero();
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::dissipator && branch.kind != BranchKind::through_storage)
      sum = graph.add(sum, graph.unary(Op::abs, graph.use(branch.across)));
  }
  return graph.add(graph.mul(graph.constant(2.0 * circuit.voltage_ratio), sum),
                   graph.constant(1e-3));
}

/// What is counted at run time.
void find_watched(const Network& network, const CircuitTopology& circuit, SwitchedCircuit& part) {
  part.loops = circuit.loops;
  for (const FloatingInductor& floating : circuit.floating)
    if (floating.interrupts && network.branches[static_cast<std::size_t>(floating.branch)].kind ==
                                   BranchKind::through_storage)
      part.cut_off.push_back(floating);
  part.voltage_limit = voltage_limit(network, circuit);
}

void find_switches(const Network& network, const CircuitTopology& circuit, SwitchedCircuit& part) {
  const std::set<ElementId> elements(circuit.elements.begin(), circuit.elements.end());
  part.modes = of_elements(network.modes, elements);
  if (!part.modes.empty())
    part.modes = ModeKinds(network, NominalValues(network)).sorted(part.modes);
  part.points = of_elements(network.points, elements);
  part.gates = of_elements(network.gates, elements);
  part.edges = of_elements(network.edge_energies, elements);
  std::set<SymbolId> read;
  for (const std::uint32_t k : part.gates)
    for (const SymbolId symbol : network.graph().symbols_of(network.gates[k].signal))
      read.insert(symbol);
  part.legs = that_drive(network.legs, read, [](const PwmLeg& leg) {
    return std::vector{leg.high, leg.low};
  });
  part.timed_gates = that_drive(network.timed_gates, read,
                                [](const TimedGate& gate) { return std::vector{gate.symbol}; });
  for (const std::uint32_t k : part.modes) part.discrete.push_back(network.modes[k].symbol);
  for (const std::uint32_t k : part.points) part.discrete.push_back(network.points[k].symbol);
  for (const std::uint32_t k : part.gates) part.discrete.push_back(network.gates[k].symbol);
  for (const std::uint32_t k : part.edges) part.discrete.push_back(network.edge_energies[k].total);
  for (const std::uint32_t k : part.legs)
    part.discrete.insert(part.discrete.end(), {network.legs[k].high, network.legs[k].low});
  for (const std::uint32_t k : part.timed_gates)
    part.discrete.push_back(network.timed_gates[k].symbol);
}

/// What sources read, directly or through variables of elements.
std::vector<SymbolId> read_by_sources(const Network& network, const CircuitTopology& circuit,
                                      const std::vector<AlgebraicStep>& algebra) {
  std::unordered_map<SymbolId, Expr> definition;
  for (const AlgebraicStep& step : algebra)
    if (step.kind == AlgebraicStep::Kind::assignment)
      definition[step.assignment.symbol] = step.assignment.value;
  std::set<SymbolId> own, seen;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    own.insert({branch.across, branch.through});
  }
  std::vector<SymbolId> open;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::across_source && branch.kind != BranchKind::through_source)
      continue;
    for (const SymbolId symbol : network.graph().symbols_of(branch.law)) open.push_back(symbol);
    open.push_back(branch.through);  // received
  }
  while (!open.empty()) {
    const SymbolId symbol = open.back();
    open.pop_back();
    if (!seen.insert(symbol).second || own.contains(symbol)) continue;
    if (const auto found = definition.find(symbol); found != definition.end())
      for (const SymbolId next : network.graph().symbols_of(found->second)) open.push_back(next);
  }
  return {seen.begin(), seen.end()};
}

/// Parameters, switch states, and inputs that are held over a window.
std::unordered_set<SymbolId> factored_symbols(const Network& network, const SwitchedCircuit& part,
                                              const std::vector<AlgebraicStep>& algebra) {
  std::unordered_set<SymbolId> fixed{part.scale},
      moving(part.source_inputs.begin(), part.source_inputs.end());
  for (const Parameter& parameter : network.parameters) fixed.insert(parameter.symbol);
  for (const std::uint32_t k : part.modes) fixed.insert(network.modes[k].symbol);
  for (const std::uint32_t k : part.points) fixed.insert(network.points[k].symbol);
  for (const std::uint32_t k : part.gates) fixed.insert(network.gates[k].symbol);
  // Whatever else is read and neither defined here nor a history or a state comes from outside.
  std::unordered_set<SymbolId> known(part.histories.begin(), part.histories.end());
  known.insert(network.time);
  for (const ElementState& state : network.states) known.insert(state.symbol);
  for (const AlgebraicStep& step : algebra) {
    known.insert(step.assignment.symbol);
    known.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  for (const AlgebraicStep& step : algebra) {
    if (step.kind != AlgebraicStep::Kind::assignment) continue;
    for (const SymbolId symbol : network.graph().symbols_of(step.assignment.value))
      if (!known.contains(symbol) && !moving.contains(symbol)) fixed.insert(symbol);
  }
  return fixed;
}

struct SolvedCompanion {
  std::vector<CompanionStorage> storages;
  CircuitTopology circuit;  ///< of the companion
  CircuitEquations assembled;
  std::vector<AlgebraicStep> algebra;
};

/// Across variables of storages, and of the branches of elements that switch or heat.
std::vector<SymbolId> needed_across(const CircuitScope& scope, const SolvedCompanion& companion,
                                    const SwitchedCircuit& part) {
  const Network& network = scope.network;
  std::set<ElementId> elements;
  for (const std::uint32_t k : part.modes) elements.insert(network.modes[k].element);
  for (const std::uint32_t k : part.gates) elements.insert(network.gates[k].element);
  for (const FluxSource& flux : scope.fluxes)
    if (flux.producer == scope.index) elements.insert(flux.element);
  std::set<BranchId> storages, branches;
  for (const CompanionStorage& storage : companion.storages) storages.insert(storage.branch);
  for (const BranchId id : companion.circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind == BranchKind::dissipator && elements.contains(branch.element) &&
        !storages.contains(id))
      branches.insert(id);
  }
  // Pairs of rows are computed side by side: an even number of the same kind leads, so that pairs
  // are of one kind.
  std::vector<SymbolId> across;
  const auto add = [&](const std::set<BranchId>& those) {
    for (const BranchId id : those)
      across.push_back(network.branches[static_cast<std::size_t>(id)].across);
  };
  const bool storages_lead = storages.size() % 2 == 0;
  add(storages_lead ? storages : branches);
  add(storages_lead ? branches : storages);
  return across;
}

/// turn_on while off, turn_off while on. Where it is affine in what moves, its coefficients are
/// left to the factorisation.
Expr indicator(Graph& graph, const Mode& mode, const std::unordered_set<SymbolId>& fixed) {
  const Expr on = graph.binary(Op::less, graph.constant(0.5), graph.use(mode.symbol));
  const Expr chosen = graph.select(on, mode.turn_off, mode.turn_on);
  Expr rest = chosen, sum = graph.zero();
  for (const SymbolId symbol : graph.symbols_of(chosen)) {
    if (fixed.contains(symbol)) continue;
    Expr coefficient{}, remainder{};
    if (!graph.split_linear(rest, symbol, coefficient, remainder)) return chosen;
    for (const SymbolId read : graph.symbols_of(coefficient))
      if (!fixed.contains(read)) return chosen;
    sum = graph.add(sum, graph.mul(coefficient, graph.use(symbol)));
    rest = remainder;
  }
  return graph.add(sum, rest);
}

}  // namespace

bool is_switched(const Network& network, const CircuitTopology& circuit) {
  const std::set<ElementId> elements(circuit.elements.begin(), circuit.elements.end());
  return !of_elements(network.modes, elements).empty() ||
         !of_elements(network.gates, elements).empty() ||
         !of_elements(network.points, elements).empty();
}

namespace {

/// @return nothing where that cannot be, or where the circuit is singular (reported)
std::optional<SolvedCompanion> solve_companion(const CircuitScope& scope,
                                               const CompanionNetwork& companion,
                                               StartValues& start, Diagnostics& diagnostics) {
  Graph& graph = scope.network.graph();
  Diagnostics scratch;  // the circuit itself has been judged; its companion has the same loops and
                        // cutsets of sources
  TopologyResult topology = analyse_topology(companion.network(), scratch);
  SolvedCompanion solved{companion.storages(), std::move(topology.circuits[scope.index]), {}, {}};
  const CircuitScope of_companion{companion.network(), solved.circuit, scope.ownership, scope.index,
                                  scope.fluxes};
  solved.assembled = assemble_circuit(of_companion, diagnostics);
  auto sorted = sort_equations(graph, solved.assembled.system, scope.circuit.name, diagnostics);
  if (!sorted) return std::nullopt;
  solved.algebra = std::move(sorted->early);
  solved.algebra.insert(solved.algebra.end(), sorted->late.begin(), sorted->late.end());
  if (companion.points().empty()) return solved;
  NewtonBlock search;
  search.iterations = solved.assembled.system.newton_iterations;
  for (const LawPoint& each : companion.points())
    search.guesses.push_back(start.at_start(graph.use(each.stored)));
  auto algebra = with_points(graph, solved.algebra, companion.points(), std::move(search));
  if (!algebra) return std::nullopt;
  solved.algebra = std::move(*algebra);
  return solved;
}

}  // namespace

std::optional<Surrogate> switched_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  const Network& network = scope.network;
  const CircuitTopology& circuit = scope.circuit;
  Graph& graph = network.graph();
  Surrogate surrogate;
  SwitchedCircuit part;
  find_switches(network, circuit, part);
  find_watched(network, circuit, part);
  find_joins(scope, part);
  part.scale = graph.make_symbol(circuit.name + ".companion_scale", "1/s");
  StartValues start(scope);
  start.check_given(diagnostics);
  const std::unordered_map<BranchId, Expr> by_sums = rates_by_sums(network, scope.index);
  Diagnostics findings;
  auto solved = solve_companion(scope, {network, circuit, part.scale, true}, start, findings);
  if (solved || findings.has_errors())
    diagnostics.append(findings);
  else
    solved = solve_companion(scope, {network, circuit, part.scale, false}, start, diagnostics);
  if (!solved) return std::nullopt;
  surrogate.algebra = std::move(solved->algebra);
  const CircuitEquations& assembled = solved->assembled;
  for (const CompanionStorage& storage : solved->storages) {
    part.histories.push_back(storage.history);
    const auto sum = by_sums.find(storage.branch);
    const Expr rate = sum == by_sums.end() ? graph.use(storage.rate) : sum->second;
    surrogate.states.push_back({storage.stored, rate, start.at_start(graph.use(storage.stored))});
  }
  surrogate.states.insert(surrogate.states.end(), assembled.states.begin(), assembled.states.end());
  start.check_laws(diagnostics);
  surrogate.start_laws = start.laws();
  surrogate.start_laws.insert(surrogate.start_laws.end(), assembled.start_laws.begin(),
                              assembled.start_laws.end());
  part.source_inputs = read_by_sources(network, circuit, surrogate.algebra);
  const std::unordered_set<SymbolId> fixed = factored_symbols(network, part, surrogate.algebra);
  part.affine = affine_rows(graph, assembled.system, fixed, needed_across(scope, *solved, part),
                            surrogate.algebra);
  for (const std::uint32_t k : part.modes)
    part.indicators.push_back(indicator(graph, network.modes[k], fixed));
  surrogate.kind = std::move(part);
  return surrogate;
}

}  // namespace takt::codegen
