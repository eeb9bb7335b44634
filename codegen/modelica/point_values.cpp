#include "codegen/modelica/point_values.hpp"

#include "codegen/expr/apply.hpp"

namespace takt::codegen::modelica {

PointValues::PointValues(const Graph& graph, const std::vector<Expr>& roots)
    : graph_(graph), walk_(graph.reachable(roots)), values_(walk_.size()) {
  for (std::size_t k = 0; k < walk_.size(); ++k) place_[walk_[k]] = k;
}

void PointValues::evaluate(const std::unordered_map<SymbolId, double>& at,
                           const std::unordered_map<Expr, double>* held) {
  for (std::size_t k = 0; k < walk_.size(); ++k) {
    const Node& node = graph_.node(walk_[k]);
    if (held != nullptr) {
      if (const auto found = held->find(walk_[k]); found != held->end()) {
        values_[k] = found->second;
        continue;
      }
    }
    if (node.op == Op::symbol) {
      const auto found = at.find(SymbolId{node.payload});
      values_[k] = found == at.end() ? 0.0 : found->second;
      continue;
    }
    std::array<double, 3> operands{};
    const std::array<Expr, 3> from{node.a, node.b, node.c};
    for (std::size_t operand = 0; operand < static_cast<std::size_t>(Graph::arity(node.op));
         ++operand)
      operands[operand] = values_[place_.at(from[operand])];
    values_[k] = node.op == Op::constant ? node.value : apply_node(graph_, node, operands);
  }
}

std::unordered_map<SymbolId, double> given_values(const ScalarModel& model) {
  std::unordered_map<SymbolId, double> made{{model.time, 0.0}, {model.literal_mark, 1.0}};
  for (bool open = true; open;) {
    open = false;
    for (const auto& [symbol, parameter] : model.parameters) {
      if (made.contains(symbol)) continue;
      bool ready = true;
      for (const SymbolId read : model.graph.symbols_of(parameter.value))
        ready = ready && made.contains(read);
      open = open || !ready;
      if (ready)
        made[symbol] =
            model.graph.evaluate(parameter.value, [&](SymbolId read) { return made.at(read); });
    }
  }
  return made;
}

double start_value(const Graph& graph, const std::optional<Expr>& start,
                   const std::unordered_map<SymbolId, double>& given) {
  return start ? graph.evaluate(*start, [&](SymbolId symbol) { return given.at(symbol); }) : 0.0;
}

}  // namespace takt::codegen::modelica
