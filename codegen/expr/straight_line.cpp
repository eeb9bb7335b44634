#include "codegen/expr/straight_line.hpp"

#include <array>

#include "codegen/expr/apply.hpp"

namespace takt::codegen {

StraightLine::Slot StraightLine::new_slot(double value) {
  slots_.push_back(value);
  return static_cast<Slot>(slots_.size() - 1);
}

StraightLine::Slot StraightLine::slot_of(SymbolId symbol) {
  const auto [place, fresh] = symbol_slot_.try_emplace(symbol);
  if (fresh) {
    place->second = new_slot(0.0);
    symbols_.emplace_back(symbol, place->second);
  }
  return place->second;
}

std::optional<StraightLine::Slot> StraightLine::find(SymbolId symbol) const {
  const auto found = symbol_slot_.find(symbol);
  if (found == symbol_slot_.end()) return std::nullopt;
  return found->second;
}

/// Without recursion: expressions can be deep.
StraightLine::Slot StraightLine::slot_of(Expr root) {
  std::vector<Expr> open{root};
  while (!open.empty()) {
    const Expr e = open.back();
    if (slot_.contains(e)) {
      open.pop_back();
      continue;
    }
    const Node& node = graph_->node(e);
    if (node.op == Op::symbol) {
      slot_.emplace(e, slot_of(static_cast<SymbolId>(node.payload)));
      continue;
    }
    const std::array<Expr, 3> operands{node.a, node.b, node.c};
    const auto count = static_cast<std::size_t>(Graph::arity(node.op));
    bool ready = true;
    for (std::size_t k = 0; k < count; ++k) {
      if (slot_.contains(operands[k])) continue;
      open.push_back(operands[k]);
      ready = false;
    }
    if (!ready) continue;
    const Slot slot = new_slot(node.op == Op::constant ? node.value : 0.0);
    slot_.emplace(e, slot);
    if (node.op == Op::constant) continue;
    const auto child = [&](std::size_t k) { return k < count ? slot_.at(operands[k]) : slot; };
    operations_.push_back({node, slot, child(0), child(1), child(2)});
  }
  return slot_.at(root);
}

void StraightLine::run(std::span<const Operation> operations) {
  double* const slots = slots_.data();
  for (const Operation& operation : operations) {
    const double a = slots[operation.a], b = slots[operation.b];
    double& result = slots[operation.result];
    switch (operation.node.op) {  // most are one of these
      case Op::add:
        result = a + b;
        break;
      case Op::sub:
        result = a - b;
        break;
      case Op::mul:
        result = a * b;
        break;
      case Op::div:
        result = a / b;
        break;
      case Op::neg:
        result = -a;
        break;
      default:
        result = apply_node(*graph_, operation.node, {a, b, slots[operation.c]});
    }
  }
}

}  // namespace takt::codegen
