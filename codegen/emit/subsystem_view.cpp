#include "codegen/emit/subsystem_view.hpp"

#include <algorithm>

namespace takt::codegen {
namespace {

/// Assignments whose value needs only parameters and other such symbols.
void find_fixed(SubsystemView& view) {
  for (std::size_t index = 0; index < view.network.parameters.size(); ++index) {
    const SymbolId symbol = view.network.parameters[index].symbol;
    view.parameter.emplace(symbol, index);
    view.fixed.emplace(symbol, true);
  }
  for (const AlgebraicStep& step : view.surrogate.algebra) {
    if (step.kind != AlgebraicStep::Kind::assignment) continue;
    const std::vector<SymbolId> reads = view.graph().symbols_of(step.assignment.value);
    const bool fixed = std::all_of(reads.begin(), reads.end(), [&](SymbolId s) { return view.fixed.contains(s); });
    if (fixed) view.fixed.emplace(step.assignment.symbol, true);
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
    if (step.kind == AlgebraicStep::Kind::assignment) {
      defines(step.assignment.symbol, index);
      continue;
    }
    for (const SymbolId unknown : step.newton.unknowns) defines(unknown, index);
    view.warm_count += step.newton.unknowns.size();
    ++view.newton_blocks;
  }
}

void index_symbols(const std::vector<SymbolId>& symbols, std::unordered_map<SymbolId, std::size_t>& index) {
  for (std::size_t place = 0; place < symbols.size(); ++place) index.emplace(symbols[place], place);
}

}  // namespace

std::string SubsystemView::label(SymbolId symbol) const {
  const Symbol& named = graph().symbol(symbol);
  return named.path + " [" + named.unit + "]";
}

SubsystemView make_view(const Network& network, const Surrogate& surrogate, const PlanSubsystem& plan,
                        UniqueNames& files) {
  const std::string file = files.make(identifier_of(surrogate.name));
  SubsystemView view{.network = network,
                     .surrogate = surrogate,
                     .plan = plan,
                     .file = file,
                     .type = type_name_of(file),
                     .member = file,
                     .state = {},
                     .input = {},
                     .output = {},
                     .signal = {},
                     .defined_by = {},
                     .fixed = {},
                     .parameter = {},
                     .signals = {},
                     .warm = {}};
  for (std::size_t index = 0; index < surrogate.states.size(); ++index) {
    view.state.emplace(surrogate.states[index].symbol, index);
  }
  index_symbols(plan.inputs, view.input);
  index_symbols(plan.outputs, view.output);
  find_fixed(view);
  index_algebra(view);
  return view;
}

std::vector<std::size_t> needed_steps(const SubsystemView& view, const std::vector<Expr>& roots,
                                      const std::vector<SymbolId>& symbols) {
  std::vector<bool> needed(view.surrogate.algebra.size(), false);
  std::vector<SymbolId> open = view.graph().symbols_of(roots);
  open.insert(open.end(), symbols.begin(), symbols.end());
  while (!open.empty()) {
    const SymbolId symbol = open.back();
    open.pop_back();
    const auto found = view.defined_by.find(symbol);
    if (found == view.defined_by.end() || needed[found->second] || view.fixed.contains(symbol)) continue;
    needed[found->second] = true;
    const AlgebraicStep& step = view.surrogate.algebra[found->second];
    std::vector<Expr> more{step.assignment.value};
    if (step.kind == AlgebraicStep::Kind::newton) {
      more = step.newton.residuals;
      more.insert(more.end(), step.newton.steps.begin(), step.newton.steps.end());
    }
    for (const SymbolId read : view.graph().symbols_of(more)) open.push_back(read);
  }
  std::vector<std::size_t> steps;
  for (std::size_t index = 0; index < needed.size(); ++index) {
    if (needed[index]) steps.push_back(index);
  }
  return steps;
}

}  // namespace takt::codegen
