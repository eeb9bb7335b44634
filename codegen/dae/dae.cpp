#include "codegen/dae/dae.hpp"

#include <algorithm>

#include "codegen/dae/algebra/sorting.hpp"
#include "codegen/dae/circuit/circuit_equations.hpp"
#include "codegen/dae/companion.hpp"
#include "codegen/dae/control_groups.hpp"
#include "codegen/dae/definitions.hpp"
#include "codegen/dae/energy.hpp"
#include "codegen/dae/foreign_models.hpp"
#include "codegen/dae/rates.hpp"
#include "codegen/dae/state_events.hpp"
#include "codegen/dae/structural/structural_surrogate.hpp"
#include "codegen/topology/controlled_sources.hpp"

namespace takt::codegen {

namespace {

/// Rows of the flattened DAE: one balance per node, one law per branch, one per two-port and
/// internal state, one mixing rule per junction without volume. A solid wall's storage law and its
/// node balance are one equation, as in the papers' solid network; the temperature of a medium that
/// a heat transfer ends at is received, node and boundary are no rows.
void count_equations(const CircuitScope& scope, Surrogate& surrogate) {
  const Network& network = scope.network;
  const CircuitTopology& circuit = scope.circuit;
  const std::size_t element_states = scope.ownership.states[scope.index].size();
  const std::size_t mixing = scope.ownership.balances[scope.index].size();
  std::size_t storages = 0, wall_storages = 0, received = 0;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    received += branch.coupling ? 2u : 0u;
    if (branch.kind != BranchKind::across_storage && branch.kind != BranchKind::through_storage)
      continue;
    ++storages;
    wall_storages += branch.domain == Domain::solid ? 1u : 0u;
  }
  surrogate.equations = circuit.nodes.size() + circuit.branches.size() - wall_storages - received +
                        circuit.two_ports.size() + element_states + mixing;
  surrogate.differential = storages + element_states;
  surrogate.algebraic = surrogate.equations - surrogate.differential;
}

/// Whether the derivative of a state reads one of these symbols, directly or through what is
/// computed after the rates.
bool reach_states(const Graph& graph, std::unordered_set<SymbolId> symbols,
                  const std::vector<AlgebraicStep>& late,
                  const std::vector<SurrogateState>& states) {
  const auto reads = [&](const std::vector<Expr>& expressions) {
    const auto read = graph.symbols_of(expressions);
    return std::any_of(read.begin(), read.end(),
                       [&](SymbolId symbol) { return symbols.contains(symbol); });
  };
  for (const AlgebraicStep& step : late) {
    const bool assignment = step.kind == AlgebraicStep::Kind::assignment;
    if (!(assignment ? reads({step.assignment.value}) : reads(step.newton.residuals))) continue;
    if (assignment) symbols.insert(step.assignment.symbol);
    symbols.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  return std::any_of(states.begin(), states.end(),
                     [&](const SurrogateState& state) { return reads({state.derivative}); });
}

/// Puts the time derivatives of dependent storages where the placeholders stand. Nothing where one
/// is missing that the states need.
std::optional<std::vector<AlgebraicStep>> with_rates(const Network& network,
                                                     const CircuitEquations& circuit,
                                                     SortedAlgebra sorted,
                                                     Diagnostics& diagnostics) {
  const EquationSystem& system = circuit.system;
  std::vector<AlgebraicStep> steps, rates;
  std::unordered_set<SymbolId> differentiated(system.differentiated.begin(),
                                              system.differentiated.end());
  const auto is_placeholder = [&](const AlgebraicStep& step) {
    return step.kind == AlgebraicStep::Kind::assignment &&
           differentiated.contains(step.assignment.symbol);
  };
  std::erase_if(sorted.early, is_placeholder);
  std::erase_if(sorted.late, is_placeholder);
  std::unordered_set<SymbolId> missing;
  TimeDerivative derivative(network, circuit.states, sorted, system.known.parameters);
  for (const SymbolId symbol : system.differentiated) {
    AlgebraicStep step;
    const auto rate = derivative.of(system.rate_of.at(symbol));
    if (!rate) {
      missing.insert(symbol);
      diagnostics.warning(
          "T012", {},
          network.graph().symbol(symbol).path +
              " cannot be computed and reads as zero: it is the rate of a dependent storage that "
              "hangs on another such rate",
          "put a small resistance beside the dependent storage if you need this variable");
    }
    step.assignment = {symbol, rate.value_or(network.graph().zero())};
    rates.push_back(std::move(step));
  }
  if (!missing.empty() && reach_states(network.graph(), missing, sorted.late, circuit.states))
    return std::nullopt;
  steps = std::move(sorted.early);
  const std::vector<AlgebraicStep> blocks = derivative.blocks();
  steps.insert(steps.end(), blocks.begin(), blocks.end());
  steps.insert(steps.end(), rates.begin(), rates.end());
  steps.insert(steps.end(), sorted.late.begin(), sorted.late.end());
  return steps;
}

/// States and algebra of a circuit from its tree.
/// @return nothing where controlled sources tie its equations in ways the tree does not see;
/// `diagnostics` may then be empty
std::optional<Surrogate> tree_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  Surrogate surrogate;
  CircuitEquations assembled = assemble_circuit(scope, diagnostics);
  assembled.system.may_use_tables = true;
  auto sorted =
      sort_equations(scope.network.graph(), assembled.system, scope.circuit.name, diagnostics);
  if (!sorted) return std::nullopt;
  surrogate.checks = sorted->checks;
  auto algebra = with_rates(scope.network, assembled, std::move(*sorted), diagnostics);
  if (!algebra) return std::nullopt;
  surrogate.algebra = std::move(*algebra);
  surrogate.states = std::move(assembled.states);
  surrogate.start_laws = std::move(assembled.start_laws);
  return surrogate;
}

/// A circuit that a controlled source may make solvable where the tree sees a loop of sources, or a
/// cutset.
std::optional<Surrogate> matched_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  Diagnostics of_structure;
  auto surrogate = structural_surrogate(scope, of_structure);
  if (!surrogate)
    for (const Diagnostic& objection : scope.circuit.objections)
      diagnostics.error(objection.code, objection.where, objection.message, objection.hint);
  diagnostics.append(of_structure);
  return surrogate;
}

/// Where controlled sources tie storages the tree may take the wrong ones for independent: a rate
/// is missing, or start values wait for one another.
bool is_doubtful(const CircuitScope& scope, const Surrogate& of_tree, const Diagnostics& told) {
  if (!has_controlled_sources(scope.network, scope.circuit)) return false;
  const auto lacks_rate = [](const Diagnostic& finding) { return finding.code == "T012"; };
  Diagnostics of_definitions;
  check_definitions(scope.network, of_tree, of_definitions);
  return of_definitions.has_errors() ||
         std::any_of(told.all().begin(), told.all().end(), lacks_rate);
}

/// A circuit that explicit methods integrate: by its tree or, where controlled sources make that
/// fail, by the structural path.
std::optional<Surrogate> continuous_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  Diagnostics of_tree, of_structure;
  auto surrogate = tree_surrogate(scope, of_tree);
  if (surrogate && !is_doubtful(scope, *surrogate, of_tree))
    return diagnostics.append(of_tree), surrogate;
  if (surrogate) {
    auto matched = structural_surrogate(scope, of_structure);
    diagnostics.append(matched ? of_structure : of_tree);
    return matched ? std::move(matched) : std::move(surrogate);
  }
  surrogate = structural_surrogate(scope, of_structure);
  if (!surrogate) diagnostics.append(of_tree.has_errors() ? of_tree : of_structure);
  return surrogate;
}

std::optional<Surrogate> circuit_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  const Network& network = scope.network;
  const CircuitTopology& circuit = scope.circuit;
  const bool free = has_free_equations(network, circuit), switched = is_switched(network, circuit);
  if (!events_of(scope).empty() && switched) {
    const StateEvent& event = network.events[events_of(scope).front()];
    diagnostics.error("T023", event.where,
                      "circuit " + circuit.name + " has switches and the event " + event.path,
                      "couple the element to the switched circuit through sources");
    return std::nullopt;
  }
  if (free && switched) {
    diagnostics.error(
        "T023", first_free_equation(network, circuit),
        "circuit " + circuit.name + " has switches and free equations",
        "give the element laws, or couple it to the switched circuit through sources");
    return std::nullopt;
  }
  if (switched && !circuit.objections.empty()) {
    for (const Diagnostic& objection : circuit.objections)
      diagnostics.error(objection.code, objection.where, objection.message, objection.hint);
    return std::nullopt;
  }
  const bool matched = !circuit.objections.empty();
  const auto derive = switched  ? switched_surrogate
                      : matched ? matched_surrogate
                      : free    ? structural_surrogate
                                : continuous_surrogate;
  auto surrogate = derive(scope, diagnostics);
  if (!surrogate) return std::nullopt;
  surrogate->name = circuit.name;
  surrogate->domain = circuit.domain;
  if (!surrogate->structural) surrogate->index = circuit.index;
  surrogate->elements = circuit.elements;
  surrogate->events = events_of(scope);
  check_events(scope, *surrogate, diagnostics);
  for (const AlgebraicStep& step : surrogate->algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      surrogate->algebra_outputs.push_back(step.assignment.symbol);
    else
      surrogate->algebra_outputs.insert(surrogate->algebra_outputs.end(),
                                        step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  surrogate->energy = energy_balance(scope, switched);
  if (free) surrogate->energy.complete = false;  // its equations may store energy
  count_equations(scope, *surrogate);
  const std::size_t unknowns = free ? count_free_unknowns(network, circuit) : 0;
  surrogate->equations += unknowns;
  surrogate->algebraic += unknowns;
  return surrogate;
}

}  // namespace

DaeResult derive_surrogates(const Network& network, const TopologyResult& topology,
                            Diagnostics& diagnostics) {
  DaeResult result;
  check_ports(network, topology, diagnostics);
  const Ownership ownership = assign_owners(network, topology);
  const std::vector<FluxSource> fluxes = find_fluxes(network, topology, ownership);
  std::vector<std::vector<FluxSource>> of_circuit(
      topology.circuits.size());  // those that each circuit sends or receives
  for (const FluxSource& flux : fluxes) {
    if (flux.producer < of_circuit.size()) of_circuit[flux.producer].push_back(flux);
    if (flux.consumer < of_circuit.size() && flux.consumer != flux.producer)
      of_circuit[flux.consumer].push_back(flux);
  }
  for (std::size_t index = 0; index < topology.circuits.size(); ++index) {
    if (topology.circuits[index].singular) continue;  // reported by the topology
    auto surrogate = circuit_surrogate(
        {network, topology.circuits[index], ownership, index, of_circuit[index]}, diagnostics);
    if (!surrogate) continue;
    check_definitions(network, *surrogate, diagnostics);
    result.subsystems.push_back(std::move(*surrogate));
  }
  for (const FluxSource& flux : fluxes) result.fluxes.push_back({flux.sent, flux.received});
  for (Surrogate& control : control_surrogates(network, result, diagnostics))
    result.subsystems.push_back(std::move(control));
  for (Surrogate& foreign : foreign_surrogates(network))
    result.subsystems.push_back(std::move(foreign));
  return result;
}

}  // namespace takt::codegen
