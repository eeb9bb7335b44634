#include "codegen/modelica/state_constraints.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <set>

namespace takt::codegen::modelica {
namespace {

bool is_of_states(const ScalarModel& model, const ReducedModel& reduced, Expr e) {
  const auto symbols = model.graph.symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    return symbol == model.time || model.parameters.contains(symbol) ||
           reduced.rates.contains(symbol);
  });
}

/// Of equations rate = f(states).
std::unordered_map<SymbolId, Expr> rates_that_are_states(const ScalarModel& model,
                                                         const ReducedModel& reduced) {
  std::set<SymbolId> rates;
  for (const auto& [state, rate] : reduced.rates) rates.insert(rate);
  std::unordered_map<SymbolId, Expr> made;
  for (const ScalarEquation& each : reduced.equations)
    for (const auto& [side, value] :
         {std::pair(each.left, each.right), std::pair(each.right, each.left)}) {
      const Node& node = model.graph.node(side);
      if (node.op == Op::symbol && rates.contains(SymbolId{node.payload}) &&
          is_of_states(model, reduced, value))
        made.emplace(SymbolId{node.payload}, value);
    }
  return made;
}

using Bipartite = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

}  // namespace

std::vector<const ScalarEquation*> state_constraints(const ScalarModel& model,
                                                     const ReducedModel& reduced) {
  const std::size_t rows = reduced.equations.size();
  std::unordered_map<SymbolId, std::size_t> vertices;
  for (const SymbolId symbol : reduced.states)
    vertices.emplace(reduced.rates.at(symbol), rows + vertices.size());
  for (const SymbolId symbol : reduced.unknowns) vertices.emplace(symbol, rows + vertices.size());
  Bipartite contains(rows + vertices.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const ScalarEquation& each = reduced.equations[row];
    for (const SymbolId symbol : model.graph.symbols_of({each.left, each.right}))
      if (const auto found = vertices.find(symbol); found != vertices.end())
        boost::add_edge(row, found->second, contains);
  }
  std::vector<Bipartite::vertex_descriptor> mates(boost::num_vertices(contains));
  boost::edmonds_maximum_cardinality_matching(contains, mates.data());
  const auto none = boost::graph_traits<Bipartite>::null_vertex();
  std::vector<std::size_t> open;
  std::set<std::size_t> reached;
  const auto reach = [&](std::size_t row) {
    if (reached.insert(row).second) open.push_back(row);
  };
  for (std::size_t row = 0; row < rows; ++row)
    if (mates[row] == none) reach(row);
  while (!open.empty()) {
    const std::size_t row = open.back();
    open.pop_back();
    for (const auto unknown : boost::make_iterator_range(boost::adjacent_vertices(row, contains)))
      if (mates[unknown] != none) reach(mates[unknown]);
  }
  std::vector<const ScalarEquation*> made;
  for (const std::size_t row : reached) made.push_back(&reduced.equations[row]);
  return made;
}

std::vector<Expr> hidden_constraints(ScalarModel& model, const ReducedModel& reduced) {
  constexpr int most_derivatives = 3;
  Graph& graph = model.graph;
  const auto known = rates_that_are_states(model, reduced);
  std::vector<Expr> made;
  for (const ScalarEquation* each : state_constraints(model, reduced)) {
    Expr zero = graph.sub(each->left, each->right);
    for (int order = 0; order < most_derivatives && is_of_states(model, reduced, zero); ++order) {
      Expr rate = graph.differentiate(zero, model.time);
      for (const SymbolId symbol : graph.symbols_of(zero))
        if (const auto found = reduced.rates.find(symbol); found != reduced.rates.end())
          rate = graph.add(rate,
                           graph.mul(graph.differentiate(zero, symbol), graph.use(found->second)));
      zero = graph.substitute(rate, known);
      made.push_back(zero);
    }
  }
  return made;
}

void refuse_jumping_constraints(const ScalarModel& model, const ReducedModel& reduced,
                                Diagnostics& diagnostics) {
  std::set<SymbolId> held(reduced.held.begin(), reduced.held.end());
  held.insert(reduced.relations.begin(), reduced.relations.end());
  if (held.empty()) return;
  for (const ScalarEquation* each : state_constraints(model, reduced))
    for (const SymbolId symbol : model.graph.symbols_of({each->left, each->right}))
      if (held.contains(symbol))
        diagnostics.error("D020", each->where,
                          each->origin + ": it ties states, and '" +
                              model.graph.symbol(symbol).path +
                              "', which changes at events, is in it: states would jump together",
                          "say by reinit what they become, or let something give way: a spring, "
                          "a resistance");
}

}  // namespace takt::codegen::modelica
