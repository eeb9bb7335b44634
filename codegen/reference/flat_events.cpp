#include "codegen/reference/flat_events.hpp"

namespace takt::codegen {

void add_indicator(const Network& network, const Mode& mode,
                   const std::unordered_map<SymbolId, Expr>& variables, FlatSystem& system) {
  Graph& graph = network.graph();
  const Expr on = graph.binary(Op::less, graph.constant(0.5), graph.use(mode.symbol));
  const SymbolId symbol = graph.make_symbol(graph.symbol(mode.symbol).path + ".indicator", "1");
  system.variables.push_back(
      {symbol, graph.substitute(graph.select(on, mode.turn_off, mode.turn_on), variables)});
  system.indicators.push_back(symbol);
}

void add_event(const Network& network, const StateEvent& event,
               const std::unordered_map<SymbolId, Expr>& variables, FlatSystem& system) {
  Graph& graph = network.graph();
  const auto variable = [&](const std::string& path, Expr value) {
    const SymbolId symbol = graph.make_symbol(path, "1");
    system.variables.push_back({symbol, graph.substitute(value, variables)});
    return symbol;
  };
  FlatEvent made;
  made.indicator = variable(event.path + ".indicator", event.indicator);
  for (const StateEvent::Set& set : event.sets)
    made.values.push_back(variable(event.path + ".sets." + set.name, set.value));
  system.events.push_back(std::move(made));
}

}  // namespace takt::codegen
