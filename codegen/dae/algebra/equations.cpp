#include "codegen/dae/algebra/equations.hpp"

#include <algorithm>

namespace takt::codegen {

void keep_direction(const Network& network, const Graph& graph,
                    const std::vector<std::uint32_t>& balances, std::vector<Equation>& equations) {
  std::unordered_map<Expr, SymbolId> own;
  std::unordered_set<SymbolId> enthalpies;
  for (const std::uint32_t k : balances) {
    own.emplace(network.balances[k].residual, network.balances[k].unknown);
    enthalpies.insert(network.balances[k].unknown);
  }
  if (own.empty()) return;
  for (Equation& equation : equations) {
    if (!equation.defines) {
      if (const auto balance = own.find(equation.value); balance != own.end())
        equation.only_for = balance->second;
      continue;
    }
    const auto symbols = graph.symbols_of(equation.value);
    if (std::any_of(symbols.begin(), symbols.end(),
                    [&](SymbolId symbol) { return enthalpies.contains(symbol); }))
      equation.only_for = equation.defines;
  }
}

}  // namespace takt::codegen
