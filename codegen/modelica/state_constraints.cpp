#include "codegen/modelica/state_constraints.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <set>

namespace takt::codegen::modelica {
namespace {

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
