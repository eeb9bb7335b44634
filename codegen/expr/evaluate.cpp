// Values and substitution: walks over ascending node numbers, no recursion.

#include <algorithm>
#include <array>

#include "codegen/expr/apply.hpp"

namespace takt::codegen {
namespace {

/// Position of a node in the ascending list; the list holds it.
std::size_t position(const std::vector<std::uint32_t>& walk, Expr e) {
  const auto index = static_cast<std::uint32_t>(e);
  // Dense walks (most of them) are found at once.
  const std::size_t guess = index - walk.front();
  if (guess < walk.size() && walk[guess] == index) return guess;
  return static_cast<std::size_t>(std::lower_bound(walk.begin(), walk.end(), index) - walk.begin());
}

}  // namespace

double Graph::apply(const Node& n, const std::array<double, 3>& operands) const {
  return apply_node(*this, n, operands);
}

double Graph::evaluate(Expr e, const std::function<double(SymbolId)>& value_of) const {
  const std::vector<std::uint32_t> walk = collect({e}, 0);
  std::vector<double> value(walk.size());
  for (std::size_t at_walk = 0; at_walk < walk.size(); ++at_walk) {
    const Node n = nodes_[walk[at_walk]];
    if (n.op == Op::constant) {
      value[at_walk] = n.value;
    } else if (n.op == Op::symbol) {
      value[at_walk] = value_of(static_cast<SymbolId>(n.payload));
    } else {
      std::array<double, 3> operands{};
      const std::array<Expr, 3> children{n.a, n.b, n.c};
      const auto count = static_cast<std::size_t>(arity(n.op));
      for (std::size_t k = 0; k < count; ++k) operands[k] = value[position(walk, children[k])];
      value[at_walk] = apply(n, operands);
    }
  }
  return value.back();
}

Expr Graph::substitute(Expr e, const std::unordered_map<SymbolId, Expr>& replacements) {
  std::uint32_t lowest = none;
  constexpr std::size_t many = 64;
  if (replacements.size() <= many) {
    for (const auto& [symbol, replacement] : replacements)
      lowest = std::min(lowest, node_of(symbol));
  } else {  // a small expression must not cost the size of a large map
    for (const SymbolId symbol : symbols_of(e))
      if (replacements.contains(symbol)) lowest = std::min(lowest, node_of(symbol));
  }
  if (lowest == none || lowest > static_cast<std::uint32_t>(e)) return e;
  const std::vector<std::uint32_t> walk = collect({e}, lowest);
  std::vector<Expr> changed(walk.size());
  const auto result_of = [&](Expr child) {
    return static_cast<std::uint32_t>(child) < lowest ? child : changed[position(walk, child)];
  };
  for (std::size_t at_walk = 0; at_walk < walk.size(); ++at_walk) {
    const auto self = static_cast<Expr>(walk[at_walk]);
    const Node n = nodes_[walk[at_walk]];
    const int operands = arity(n.op);
    changed[at_walk] = self;
    if (n.op == Op::symbol) {
      const auto entry = replacements.find(static_cast<SymbolId>(n.payload));
      if (entry != replacements.end()) changed[at_walk] = entry->second;
    } else if (operands > 0) {
      const Expr a = result_of(n.a);
      const Expr b = operands > 1 ? result_of(n.b) : n.b;
      const Expr c = operands > 2 ? result_of(n.c) : n.c;
      if (a != n.a || b != n.b || c != n.c) changed[at_walk] = rebuild(n, a, b, c);
    }
  }
  return changed.back();
}

}  // namespace takt::codegen
