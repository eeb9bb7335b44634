#include "codegen/plan/join_subsystems.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace takt::codegen {
namespace {

/// One step of the algebra.
struct StepNode {
  std::vector<std::size_t> reads;  ///< other steps
  enum class Mark : std::uint8_t { open, busy, done } mark = Mark::open;
};

class Joiner {
 public:
  Joiner(Graph& graph, const DaeResult& dae) : graph_(graph), dae_(dae) {}

  Surrogate join() {
    whole_.domain = CircuitDomain::whole;
    whole_.name = text_of(whole_.domain);
    whole_.energy = {graph_.zero(), graph_.zero(), graph_.zero(), graph_.zero(), true, {}, {}};
    whole_.index = 0;
    for (const Surrogate& circuit : dae_.subsystems)
      if (is_circuit(circuit.kind)) add(circuit);
    for (const Flux& flux : dae_.fluxes) {
      AlgebraicStep step;
      step.assignment = {flux.received, graph_.use(flux.source)};
      steps_.push_back(std::move(step));
    }
    std::sort(whole_.events.begin(), whole_.events.end());
    order_algebra();
    order_states();
    return std::move(whole_);
  }

  [[nodiscard]] bool ordered() const { return ordered_; }

 private:
  void add(const Surrogate& circuit) {
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(whole_.states, circuit.states);
    append(whole_.start_laws, circuit.start_laws);
    append(whole_.events, circuit.events);
    append(whole_.elements, circuit.elements);
    append(steps_, circuit.algebra);
    whole_.equations += circuit.equations;
    whole_.differential += circuit.differential;
    whole_.algebraic += circuit.algebraic;
    whole_.index = std::max(whole_.index, circuit.index);
    whole_.structural = whole_.structural || circuit.structural;
    EnergyBalance& sum = whole_.energy;
    sum.supplied = graph_.add(sum.supplied, circuit.energy.supplied);
    sum.dissipated = graph_.add(sum.dissipated, circuit.energy.dissipated);
    sum.exchanged = graph_.add(sum.exchanged, circuit.energy.exchanged);
    sum.stored = graph_.add(sum.stored, circuit.energy.stored);
    sum.complete = sum.complete && circuit.energy.complete;
    if (!circuit.energy.complete) sum.incomplete_by = circuit.energy.incomplete_by;
  }

  [[nodiscard]] std::vector<SymbolId> read_by(const AlgebraicStep& step) const {
    if (step.kind == AlgebraicStep::Kind::assignment)
      return graph_.symbols_of(step.assignment.value);
    std::vector<Expr> all = step.newton.residuals;
    all.insert(all.end(), step.newton.steps.begin(), step.newton.steps.end());
    return graph_.symbols_of(all);
  }

  void order_algebra() {
    nodes_.resize(steps_.size());
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (steps_[k].kind == AlgebraicStep::Kind::assignment)
        definer_[steps_[k].assignment.symbol] = k;
      for (const SymbolId unknown : steps_[k].newton.unknowns) definer_[unknown] = k;
    }
    for (std::size_t k = 0; k < steps_.size(); ++k)
      for (const SymbolId symbol : read_by(steps_[k]))
        if (const auto found = definer_.find(symbol); found != definer_.end() && found->second != k)
          nodes_[k].reads.push_back(found->second);
    for (std::size_t k = 0; k < steps_.size(); ++k) visit(k);
    for (const AlgebraicStep& step : whole_.algebra) {
      if (step.kind == AlgebraicStep::Kind::assignment)
        whole_.algebra_outputs.push_back(step.assignment.symbol);
      else
        whole_.algebra_outputs.insert(whole_.algebra_outputs.end(), step.newton.unknowns.begin(),
                                      step.newton.unknowns.end());
    }
  }

  /// What a step reads first. Without recursion: chains are as long as the algebra.
  void visit(std::size_t root) {
    std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
    if (nodes_[root].mark != StepNode::Mark::open) return;
    nodes_[root].mark = StepNode::Mark::busy;
    while (!stack.empty()) {
      auto& [step, next] = stack.back();
      if (next == nodes_[step].reads.size()) {
        nodes_[step].mark = StepNode::Mark::done;
        whole_.algebra.push_back(steps_[step]);
        stack.pop_back();
        continue;
      }
      const std::size_t read = nodes_[step].reads[next++];
      if (nodes_[read].mark == StepNode::Mark::busy) ordered_ = false;
      if (nodes_[read].mark != StepNode::Mark::open) continue;
      nodes_[read].mark = StepNode::Mark::busy;
      stack.emplace_back(read, 0);
    }
  }

  /// Start values may read states of other circuits: those first.
  void order_states() {
    std::unordered_map<SymbolId, std::size_t> state_of;
    for (std::size_t k = 0; k < whole_.states.size(); ++k) state_of[whole_.states[k].symbol] = k;
    std::unordered_map<SymbolId, const StartLaw*> law_of;
    for (const StartLaw& law : whole_.start_laws) law_of[law.unknown] = &law;
    std::vector<SurrogateState> ordered;
    std::set<std::size_t> begun;
    const auto place = [&](const auto& self, std::size_t k) -> void {
      if (!begun.insert(k).second) return;
      std::vector<SymbolId> open = graph_.symbols_of(whole_.states[k].start);
      std::set<SymbolId> seen(open.begin(), open.end());
      const auto reads = [&](const std::vector<SymbolId>& symbols) {
        for (const SymbolId read : symbols)
          if (seen.insert(read).second) open.push_back(read);
      };
      while (!open.empty()) {
        const SymbolId symbol = open.back();
        open.pop_back();
        if (const auto state = state_of.find(symbol); state != state_of.end())
          self(self, state->second);
        if (const auto law = law_of.find(symbol); law != law_of.end())
          reads(graph_.symbols_of(std::vector{law->second->law, law->second->wanted}));
        if (const auto step = definer_.find(symbol); step != definer_.end())
          reads(read_by(steps_[step->second]));
      }
      ordered.push_back(whole_.states[k]);
    };
    for (std::size_t k = 0; k < whole_.states.size(); ++k) place(place, k);
    whole_.states = std::move(ordered);
  }

  Graph& graph_;
  const DaeResult& dae_;
  Surrogate whole_;
  std::vector<AlgebraicStep> steps_;
  std::vector<StepNode> nodes_;
  std::unordered_map<SymbolId, std::size_t> definer_;
  bool ordered_ = true;
};

/// Why a subsystem is not joined with the circuits, although it is none of the blocks that stay;
/// null where it can be.
const char* why_apart(const Surrogate& subsystem) {
  using Reason = const char*;
  return by_kind(
      subsystem.kind, [](const SmoothCircuit&) -> Reason { return nullptr; },
      [](const SwitchedCircuit&) -> Reason { return "has switches"; },
      [](const ControlTask&) -> Reason { return nullptr; },
      [](const ForeignTask&) -> Reason { return "is an FMU"; });
}

}  // namespace

DaeResult join_subsystems(const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  const auto whole =
      std::find_if(network.solve.begin(), network.solve.end(),
                   [](const SolveSetting& setting) { return setting.pattern == "whole"; });
  const Location where = whole == network.solve.end() ? Location{} : whole->where;
  for (const Surrogate& subsystem : dae.subsystems)
    if (const char* reason = why_apart(subsystem)) {
      diagnostics.error("S082", where,
                        "'whole' cannot solve " + subsystem.name + ", which " + reason,
                        "give each circuit its own line in [solve]");
      return dae;
    }
  if (std::all_of(dae.subsystems.begin(), dae.subsystems.end(),
                  [](const Surrogate& subsystem) { return !is_circuit(subsystem.kind); }))
    return dae;
  Joiner joiner(network.graph(), dae);
  DaeResult joined;
  joined.subsystems.push_back(joiner.join());
  if (!joiner.ordered()) {
    diagnostics.error("S083", where,
                      "the algebra of all circuits together has no order of evaluation",
                      "give each circuit its own line in [solve]; S011 names the cycle");
    return dae;
  }
  for (const Surrogate& subsystem : dae.subsystems)
    if (!is_circuit(subsystem.kind)) joined.subsystems.push_back(subsystem);
  return joined;
}

}  // namespace takt::codegen
