#include "codegen/reference/tape.hpp"

#include <unordered_map>

#include "codegen/expr/apply.hpp"

namespace takt::codegen {

Tape::Tape(const Graph& graph, std::vector<Expr> roots, const std::vector<SymbolId>& varying) : graph_(&graph) {
  std::unordered_map<SymbolId, std::uint32_t> index;
  for (std::uint32_t k = 0; k < varying.size(); ++k) index.emplace(varying[k], k);
  const std::vector<Expr> walk = graph.reachable(roots);
  std::unordered_map<Expr, std::uint32_t> slot;
  std::vector<bool> varies(walk.size(), false);
  slots_.resize(walk.size(), 0.0);
  for (std::uint32_t at = 0; at < walk.size(); ++at) {
    const Node& node = graph.node(walk[at]);
    slot.emplace(walk[at], at);
    if (node.op == Op::constant) {
      slots_[at] = node.value;
    } else if (node.op == Op::symbol) {
      const auto symbol = static_cast<SymbolId>(node.payload);
      const auto place = index.find(symbol);
      varies[at] = place != index.end();
      if (varies[at])
        varying_.push_back({at, place->second});
      else
        fixed_.emplace_back(symbol, at);
    } else {
      const int operands = Graph::arity(node.op);
      const auto child = [&](Expr e, int position) { return position < operands ? slot.at(e) : at; };
      const Operation operation{node, at, child(node.a, 0), child(node.b, 1), child(node.c, 2)};
      for (const std::uint32_t operand : {operation.a, operation.b, operation.c})
        varies[at] = varies[at] || varies[operand];
      (varies[at] ? each_time_ : once_).push_back(operation);
    }
  }
  for (const Expr root : roots) roots_.push_back(slot.at(root));
}

void Tape::set_fixed(SymbolId symbol, double value) {
  for (const auto& [known, slot] : fixed_)
    if (known == symbol) slots_[slot] = value;
}

void Tape::fix() { run(once_); }

void Tape::run(const std::vector<Operation>& operations) {
  for (const Operation& operation : operations)
    slots_[operation.result] =
        apply_node(*graph_, operation.node, {slots_[operation.a], slots_[operation.b], slots_[operation.c]});
}

void Tape::evaluate(const std::vector<double>& varying, std::vector<double>& results) {
  for (const Place& place : varying_) slots_[place.slot] = varying[place.index];
  run(each_time_);
  results.resize(roots_.size());
  for (std::size_t k = 0; k < roots_.size(); ++k) results[k] = slots_[roots_[k]];
}

}  // namespace takt::codegen
