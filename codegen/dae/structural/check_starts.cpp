#include "codegen/dae/structural/check_starts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "codegen/expr/straight_line.hpp"
#include "runtime/solver/law_inverse.hpp"

namespace takt::codegen {

namespace {

constexpr double close_enough =
    1e-6;  ///< relative to the larger value or 1: start values are written with a few digits
constexpr int iterations = 50;

class StartSolver {
 public:
  StartSolver(const Network& network, const SymbolMap<double>& parameters,
              const Surrogate& surrogate)
      : graph_(network.graph()), parameters_(parameters), surrogate_(surrogate) {
    values_[network.time] = 0.0;
    for (const PlantInput& input : network.inputs) values_[input.symbol] = input.start;
  }

  /// False where something comes from another subsystem.
  bool solve() {
    for (const StartLaw& law : surrogate_.start_laws)
      if (!turn_round(law)) return false;
    for (const SurrogateState& state : surrogate_.states) {
      const auto value = evaluate(state.start);
      if (!value) return false;
      values_[state.symbol] = *value;
    }
    for (const AlgebraicStep& step : surrogate_.algebra)
      if (!(step.kind == AlgebraicStep::Kind::assignment ? assign(step.assignment)
                                                         : iterate(step.newton)))
        return false;
    return true;
  }

  [[nodiscard]] std::optional<double> evaluate(Expr expression) const {
    bool known = true;
    const double value = graph_.evaluate(expression, [&](SymbolId symbol) {
      const auto found = value_if_known(symbol);
      known = known && found;
      return found.value_or(0.0);
    });
    return known ? std::optional(value) : std::nullopt;
  }

  [[nodiscard]] double value_of(SymbolId symbol) const { return values_.at(symbol); }

 private:
  [[nodiscard]] std::optional<double> value_if_known(SymbolId symbol) const {
    if (const auto parameter = parameters_.find(symbol); parameter != parameters_.end())
      return parameter->second;
    const auto found = values_.find(symbol);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  bool turn_round(const StartLaw& law) {
    const auto wanted = evaluate(law.wanted);
    if (!wanted) return false;
    LawInverse inverse(*wanted);
    for (int k = 0; k < LawInverse::most; ++k) {
      values_[law.unknown] = inverse.at();
      const auto value = evaluate(law.law);
      if (!value) return false;
      inverse.take(*value);
    }
    values_[law.unknown] = inverse.result();
    return true;
  }

  bool assign(const Assignment& assignment) {
    const auto value = evaluate(assignment.value);
    if (value) values_[assignment.symbol] = *value;
    return value.has_value();
  }

  bool iterate(const NewtonBlock& block) {
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
      const auto guess = evaluate(block.guesses[k]);
      if (!guess) return false;
      values_[block.unknowns[k]] = *guess;
    }
    StraightLine line(graph_);
    std::vector<StraightLine::Slot> steps, unknowns;
    for (const Expr step : block.steps) steps.push_back(line.slot_of(step));
    for (const SymbolId unknown : block.unknowns) unknowns.push_back(line.slot_of(unknown));
    for (const auto& [symbol, slot] : line.symbols()) {
      const auto value = value_if_known(symbol);
      if (!value) return false;
      line[slot] = *value;
    }
    bool moves = true;
    for (int iteration = 0; iteration < iterations && moves; ++iteration) {
      line.run(0, line.operations().size());
      moves = false;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const double before = line[unknowns[k]];
        line[unknowns[k]] -= line[steps[k]];
        moves = moves || line[unknowns[k]] != before;
      }
    }
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      values_[block.unknowns[k]] = line[unknowns[k]];
    return true;
  }

  const Graph& graph_;
  const SymbolMap<double>& parameters_;
  const Surrogate& surrogate_;
  std::unordered_map<SymbolId, double> values_;
};

/// Without the unit "1", and without the sign of a zero.
std::string number_in_unit(double value, const std::string& unit) {
  return fmt::format("{:g}{}{}", value + 0.0, unit == "1" ? "" : " ", unit == "1" ? "" : unit);
}

bool differ(double a, double b) {
  return !(std::fabs(a - b) <= close_enough * std::max({1.0, std::fabs(a), std::fabs(b)}));
}

}  // namespace

void check_starts(const CircuitScope& scope, const Surrogate& surrogate, StartValues& start,
                  Diagnostics& diagnostics) {
  const Network& network = scope.network;
  StartSolver solver(network, scope.ownership.parameters, surrogate);
  if (!solver.solve()) return;
  const Graph& graph = network.graph();
  for (const BranchId id : scope.circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (!branch.stored || !branch.start) continue;
    const SymbolId natural =
        branch.kind == BranchKind::across_storage ? branch.across : branch.through;
    const auto given = solver.evaluate(start.at_start(*branch.start));
    if (!given || !differ(*given, solver.value_of(natural))) continue;
    diagnostics.error(
        "T011", branch.where,
        fmt::format(
            "start value {:g} {} of {} contradicts the circuit: the constraints imply {:g} {}",
            *given, graph.symbol(natural).unit, branch.path, solver.value_of(natural),
            graph.symbol(natural).unit),
        "this storage depends on others; leave its start value out or make it agree");
  }
  for (const std::uint32_t k : scope.ownership.states[scope.index]) {
    const ElementState& state = network.states[k];
    const auto given = solver.evaluate(start.at_start(state.start));
    if (!given || !differ(*given, solver.value_of(state.symbol))) continue;
    diagnostics.note(
        "T024", state.where,
        fmt::format(
            "{} starts at {} instead of {:g}: it follows from the constraints of the circuit",
            graph.symbol(state.symbol).path,
            number_in_unit(solver.value_of(state.symbol), graph.symbol(state.symbol).unit),
            *given));
  }
}

}  // namespace takt::codegen
