#include "codegen/emit/subsystem_view.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

#include "codegen/code/runtime_names.hpp"
#include "codegen/expr/node_memo.hpp"
#include "codegen/plan/symbol_origins.hpp"

namespace takt::codegen {
namespace {

/// Assignments whose value needs only fixed symbols.
void extend_fixed(SubsystemView& view) {
  NodeMemo<bool> moves(view.graph());
  const auto symbol_moves = [&](SymbolId symbol) { return !view.fixed.contains(symbol); };
  for (const AlgebraicStep& step : view.surrogate.algebra) {
    if (step.kind != AlgebraicStep::Kind::assignment) continue;
    if (!moves.of(step.assignment.value, symbol_moves, std::logical_or<>()))
      view.fixed.emplace(step.assignment.symbol, true);
  }
}

void index_algebra(SubsystemView& view) {
  const auto defines = [&](SymbolId symbol, std::size_t step) {
    if (!view.defined_by.emplace(symbol, step).second || view.output.contains(symbol)) return;
    view.signal.emplace(symbol, view.signals.size());
    view.signals.push_back(symbol);
  };
  for (std::size_t index = 0; index < view.surrogate.algebra.size(); ++index) {
    const AlgebraicStep& step = view.surrogate.algebra[index];
    view.warm.push_back(view.warm_count);
    view.block.push_back(view.newton_blocks);
    if (step.kind == AlgebraicStep::Kind::assignment) {
      defines(step.assignment.symbol, index);
      continue;
    }
    for (const SymbolId unknown : step.newton.unknowns) defines(unknown, index);
    if (!is_iterated(step)) continue;
    if (!step.newton.flows) view.warm_count += step.newton.unknowns.size();
    ++view.newton_blocks;
  }
}

void index_symbols(const std::vector<SymbolId>& symbols,
                   std::unordered_map<SymbolId, std::size_t>& index) {
  for (std::size_t place = 0; place < symbols.size(); ++place) index.emplace(symbols[place], place);
}

/// Where the members of a switched circuit live, and that they can be observed.
void bind_switched(SubsystemView& view, const SwitchedCircuit& part) {
  const Network& network = view.network;
  for (std::size_t i = 0; i < part.modes.size(); ++i)
    view.bound[network.modes[part.modes[i]].symbol] = {"modes", i};
  for (std::size_t i = 0; i < part.points.size(); ++i)
    view.bound[network.points[part.points[i]].symbol] = {"points", i};
  for (std::size_t i = 0; i < part.gates.size(); ++i)
    view.bound[network.gates[part.gates[i]].symbol] = {"gates", i};
  for (std::size_t i = 0; i < part.legs.size(); ++i) {
    view.bound[network.legs[part.legs[i]].high] = {"legs", i, std::string(runtime::leg_high), true};
    view.bound[network.legs[part.legs[i]].low] = {"legs", i, std::string(runtime::leg_low), true};
  }
  for (std::size_t i = 0; i < part.timed_gates.size(); ++i)
    view.bound[network.timed_gates[part.timed_gates[i]].symbol] = {
        "timed", i, std::string(runtime::gate_level)};
  std::size_t before = 0;
  for (std::size_t i = 0; i < part.edges.size(); ++i) {
    const EdgeEnergy& edge = network.edge_energies[part.edges[i]];
    view.bound[edge.total] = {"totals", i};
    for (const EdgeEnergy::Before& value : edge.before)
      view.bound[value.symbol] = {"before", before++};
  }
  for (std::size_t i = 0; i < part.histories.size(); ++i) view.bound[part.histories[i]] = {"w", i};
  view.bound[part.scale] = {"scale"};
  for (const SymbolId symbol : part.discrete) {
    if (view.output.contains(symbol)) continue;
    view.signal.emplace(symbol, view.signals.size());
    view.signals.push_back(symbol);
  }
  for (const SymbolId input : view.plan.inputs)
    if (std::find(part.source_inputs.begin(), part.source_inputs.end(), input) ==
        part.source_inputs.end())
      view.held.insert(input);
}

}  // namespace

SubsystemView held_view(const SubsystemView& view) {
  SubsystemView held = view;
  held.fixed.emplace(switched_circuit(view.surrogate.kind).scale, true);
  for (const SymbolId input : view.held) held.fixed.emplace(input, true);
  extend_fixed(held);
  return held;
}

SubsystemView factored_view(const SubsystemView& view) {
  SubsystemView factored = view;
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  const Network& network = view.network;
  factored.fixed.emplace(part.scale, true);
  for (const std::uint32_t k : part.modes) factored.fixed.emplace(network.modes[k].symbol, true);
  for (const std::uint32_t k : part.points) factored.fixed.emplace(network.points[k].symbol, true);
  for (const std::uint32_t k : part.gates) factored.fixed.emplace(network.gates[k].symbol, true);
  for (const SymbolId input : view.held) factored.fixed.emplace(input, true);
  extend_fixed(factored);
  if (view.plan.affine)
    for (const SymbolId row : part.affine->rows)
      factored.defined_by.erase(row);  // the map gives them
  return factored;
}

std::string SubsystemView::label(SymbolId symbol) const {
  const Symbol& named = graph().symbol(symbol);
  return named.path + " [" + named.unit + "]";
}

/// Junctions whose flow can vanish; where it is a matter of parameters nothing is counted.
void find_still(SubsystemView& view) {
  for (const NodeBalance& balance : view.network.balances) {
    if (!balance.still || !view.defined_by.contains(balance.unknown)) continue;
    const std::string path = view.graph().symbol(*balance.still).path,
                      node = path.substr(0, path.rfind('.'));
    if (view.signal.contains(*balance.still) || view.output.contains(*balance.still))
      view.still.push_back({node, *balance.still});
  }
}

/// Those the subsystem reads: a hundred vehicles have a hundred times the parameters and a hundred
/// times the subsystems.
void index_parameters(SubsystemView& view) {
  const std::vector<SymbolId> read = symbols_read(view.network, view.surrogate);
  const bool reads_all = by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) { return false; },
      [](const SwitchedCircuit&) { return true; },  // through legs, gates and modes
      [](const ControlTask&) { return false; }, [](const ForeignTask&) { return false; });
  for (std::size_t index = 0; index < view.network.parameters.size(); ++index) {
    const SymbolId symbol = view.network.parameters[index].symbol;
    if (!reads_all && !std::binary_search(read.begin(), read.end(), symbol)) continue;
    view.parameter.emplace(symbol, index);
    view.fixed.emplace(symbol, true);
  }
}

SubsystemView make_view(const Network& network, const Surrogate& surrogate,
                        const PlanSubsystem& plan, UniqueNames& files) {
  const std::string file = files.make(identifier_of(surrogate.name));
  SubsystemView view{.network = network,
                     .surrogate = surrogate,
                     .plan = plan,
                     .file = file,
                     .type = type_name_of(file),
                     .code = type_name_of(file),
                     .member = file,
                     .state = {},
                     .input = {},
                     .output = {},
                     .signal = {},
                     .defined_by = {},
                     .fixed = {},
                     .parameter = {},
                     .prepared_from = {},
                     .running_parameters = {},
                     .coefficients = {},
                     .bound = {},
                     .held = {},
                     .signals = {},
                     .warm = {},
                     .block = {},
                     .read = {},
                     .still = {},
                     .ranges = {},
                     .arriving = {},
                     .leaving = {},
                     .instants = {},
                     .turns = {},
                     .source_turns = {}};
  for (std::size_t index = 0; index < surrogate.states.size(); ++index) {
    view.state.emplace(surrogate.states[index].symbol, index);
  }
  index_symbols(plan.inputs, view.input);
  index_symbols(plan.outputs, view.output);
  index_parameters(view);
  extend_fixed(view);
  index_algebra(view);
  by_kind(
      surrogate.kind,
      [&](const SmoothCircuit&) { view.instants = time_instants(network, surrogate); },
      [&](const SwitchedCircuit& circuit) {
        std::vector<Expr> signals;
        for (const std::uint32_t gate : circuit.gates)
          signals.push_back(network.gates[gate].signal);
        view.instants = time_instants(network, surrogate, signals);
        std::vector<Expr> duties;
        for (const std::uint32_t leg : circuit.legs) duties.push_back(network.legs[leg].duty);
        view.turns = time_instants(network, surrogate, duties);
        view.source_turns = time_instants(network, surrogate);
        bind_switched(view, circuit);
      },
      [](const ControlTask&) {}, [](const ForeignTask&) {});
  find_still(view);
  return view;
}

std::vector<std::size_t> needed_steps(const SubsystemView& view, const std::vector<Expr>& roots,
                                      const std::vector<SymbolId>& symbols) {
  std::unordered_set<std::size_t> needed;  // few of many, where one value is asked for
  const Graph& graph = view.graph();
  std::vector<Expr> open = roots;
  std::unordered_set<Expr> seen;
  const auto need = [&](SymbolId symbol) {
    const auto found = view.defined_by.find(symbol);
    if (found == view.defined_by.end() || view.fixed.contains(symbol) ||
        !needed.insert(found->second).second)
      return;
    const AlgebraicStep& step = view.surrogate.algebra[found->second];
    if (step.kind == AlgebraicStep::Kind::assignment) return open.push_back(step.assignment.value);
    open.insert(open.end(), step.newton.residuals.begin(), step.newton.residuals.end());
    open.insert(open.end(), step.newton.steps.begin(), step.newton.steps.end());
  };
  for (const SymbolId symbol : symbols) need(symbol);
  while (!open.empty()) {  // steps share most of their nodes: each is looked at once
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    const Node& node = graph.node(e);
    if (node.op == Op::symbol) need(SymbolId{node.payload});
    const std::array<Expr, 3> operands{node.a, node.b, node.c};
    open.insert(open.end(), operands.begin(), operands.begin() + Graph::arity(node.op));
  }
  std::vector<std::size_t> steps(needed.begin(), needed.end());
  std::sort(steps.begin(), steps.end());
  return steps;
}

StageWork stage_work(const SubsystemView& view) {
  StageWork work;
  for (const SurrogateState& state : view.surrogate.states) work.roots.push_back(state.derivative);
  const EnergyBalance& energy = view.surrogate.energy;
  work.roots.insert(work.roots.end(), {energy.supplied, energy.dissipated, energy.exchanged});
  work.symbols = view.plan.sent;
  for (const SubsystemView::Still& still : view.still) work.symbols.push_back(still.symbol);
  work.steps = needed_steps(view, work.roots, work.symbols);
  return work;
}

}  // namespace takt::codegen
