#include "codegen/modelica/state_constraints.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <map>
#include <set>

#include "codegen/expr/index_offsets.hpp"

namespace takt::codegen::modelica {
namespace {

/// The derivative of equations with respect to the time; what has no symbol yet for its rate gets
/// one. What changes at events alone and inputs are constants.
class TotalRates {
 public:
  /// @param asked  rates that have symbols, of what is no state
  TotalRates(ScalarModel& model, const ReducedModel& reduced,
             const std::map<SymbolId, SymbolId>& asked)
      : graph_(model.graph), time_(model.time), rates_(reduced.rates) {
    for (const SymbolId symbol : reduced.unknowns) variables_.insert(symbol);
    for (const auto& [state, rate] : reduced.rates) variables_.insert({state, rate});
    for (const auto& [symbol, rate] : asked) {
      rates_[symbol] = rate;
      variables_.insert(rate);
      made.push_back(rate);
    }
  }

  Expr of(Expr e) {
    Expr rate = graph_.differentiate(e, time_);
    for (const SymbolId symbol : graph_.symbols_of(e))
      if (variables_.contains(symbol))
        rate = graph_.add(rate,
                          graph_.mul(graph_.differentiate(e, symbol), graph_.use(rate_of(symbol))));
    return rate;
  }

  std::vector<SymbolId> made;

 private:
  SymbolId rate_of(SymbolId symbol) {
    const auto found = rates_.find(symbol);
    if (found != rates_.end()) return found->second;
    // der(x) may be a name of the model that no equation reads any more.
    const SymbolId rate =
        graph_.find_or_make_symbol("rate of " + graph_.symbol(symbol).path + " at the start", "1");
    rates_[symbol] = rate;
    variables_.insert(rate);
    made.push_back(rate);
    return rate;
  }

  Graph& graph_;
  SymbolId time_;
  std::map<SymbolId, SymbolId> rates_;
  std::set<SymbolId> variables_;
};

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

HiddenConstraints hidden_constraints(ScalarModel& model, const ReducedModel& reduced,
                                     const std::map<SymbolId, SymbolId>& asked) {
  const auto& equations = reduced.at_start.empty() ? reduced.equations : reduced.at_start;
  if (equations.size() != reduced.states.size() + reduced.unknowns.size()) return {};
  struct Place {
    std::size_t column;
    int order;
  };
  std::map<SymbolId, Place> places;
  std::vector<int> orders;
  for (const SymbolId symbol : reduced.states) {
    places[symbol] = {orders.size(), 0};
    places[reduced.rates.at(symbol)] = {orders.size(), 1};
    orders.push_back(1);
  }
  for (const SymbolId symbol : reduced.unknowns) {
    places[symbol] = {orders.size(), 0};
    orders.push_back(0);
  }
  for (const auto& [symbol, rate] : asked) {
    const Place& place = places.at(symbol);
    orders[place.column] = std::max(orders[place.column], place.order + 1);
  }
  Signature signature;
  for (const ScalarEquation& each : equations) {
    std::map<std::size_t, int> row;
    for (const SymbolId symbol : model.graph.symbols_of({each.left, each.right}))
      if (const auto found = places.find(symbol); found != places.end()) {
        int& order = row[found->second.column];
        order = std::max(order, found->second.order);
      }
    signature.emplace_back(row.begin(), row.end());
  }
  const auto offsets = index_offsets(signature, orders);
  TotalRates rates(model, reduced, asked);
  HiddenConstraints made;
  if (!offsets) {
    made.rates = std::move(rates.made);
    return made;
  }
  for (std::size_t row = 0; row < equations.size(); ++row) {
    Expr zero = model.graph.sub(equations[row].left, equations[row].right);
    for (int order = 0; order < offsets->equations[row]; ++order) {
      zero = rates.of(zero);
      made.equations.push_back(zero);
      made.origins.push_back(equations[row].origin);
    }
  }
  made.rates = std::move(rates.made);
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
