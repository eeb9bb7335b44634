#include "codegen/dae/algebra/flow_tables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace takt::codegen {

std::size_t FlowLaws::add(Expr law, SymbolId argument, std::vector<Expr>& coefficients) {
  FlowLaw form;
  const auto named = [&](const char* name, const std::string& unit) {
    return graph_.find_or_make_symbol(std::string("law of edges.") + name, unit);
  };
  form.argument = named("argument", "1");
  std::unordered_map<Expr, Expr> rewritten;
  std::unordered_map<Expr, bool> moves;
  const std::vector<Expr> order = graph_.reachable({law});  // operands before users
  for (const Expr e : order) {
    const Node& node = graph_.node(e);
    bool any = node.op == Op::symbol && SymbolId{node.payload} == argument;
    const std::array<Expr, 3> operands{node.a, node.b, node.c};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(node.op)); ++k)
      any = any || moves.at(operands[k]);
    moves.emplace(e, any);
  }
  const auto read = [&](Expr e) {
    if (const auto found = rewritten.find(e); found != rewritten.end()) return found->second;
    if (graph_.is_constant(e)) return e;
    const SymbolId coefficient =
        named(("coefficient " + std::to_string(coefficients.size())).c_str(), "1");
    coefficients.push_back(e);
    form.coefficients.push_back(coefficient);
    return rewritten.emplace(e, graph_.use(coefficient)).first->second;
  };
  for (const Expr e : order) {
    if (!moves.at(e)) continue;
    const Node node = graph_.node(e);
    if (node.op == Op::symbol) {
      rewritten.emplace(e, graph_.use(form.argument));
      continue;
    }
    std::array<Expr, 3> operands{node.a, node.b, node.c};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(node.op)); ++k)
      operands[k] = read(operands[k]);
    rewritten.emplace(e, graph_.rebuild(node, operands[0], operands[1], operands[2]));
  }
  form.value = read(law);
  const auto same = std::find_if(laws_.begin(), laws_.end(), [&](const FlowLaw& known) {
    return known.value == form.value && known.coefficients.size() == form.coefficients.size();
  });
  if (same != laws_.end()) return static_cast<std::size_t>(same - laws_.begin());
  form.slope = graph_.differentiate(form.value, form.argument);
  for (const SymbolId coefficient : form.coefficients)
    form.partials.push_back(graph_.differentiate(form.value, coefficient));
  laws_.push_back(std::move(form));
  return laws_.size() - 1;
}

void finish(const Graph& graph, FlowTables& tables) {
  std::stable_sort(tables.edges.begin(), tables.edges.end(),
                   [](const FlowEdge& a, const FlowEdge& b) { return a.law < b.law; });
  std::vector<NetworkLink> links;
  for (const FlowEdge& edge : tables.edges)
    if (edge.ends.from && edge.ends.to && edge.ends.from != edge.ends.to)
      links.push_back({*edge.ends.from, *edge.ends.to,
                       !tables.linear || !graph.is_constant(edge.offset, 0.0) ||
                           !graph.is_constant(edge.coefficients[1], 0.0)});
  tables.network = order_network(tables.potentials.size(), links);
}

std::vector<Expr> residuals_of(Graph& graph, const FlowTables& tables) {
  std::vector<Expr> balances = tables.injected, residuals;
  const auto at = [&](const Laplacian::Node& node) {
    return node ? graph.use(tables.potentials[*node]) : graph.zero();
  };
  for (const FlowEdge& edge : tables.edges) {
    const Expr across = graph.use(edge.across), through = graph.use(edge.through);
    const auto [from, to] = edge.ends;
    if (from) balances[*from] = graph.sub(balances[*from], through);
    if (to) balances[*to] = graph.add(balances[*to], through);
    residuals.push_back(graph.sub(across, graph.add(graph.sub(at(from), at(to)), edge.offset)));
    if (!tables.linear) continue;
    const Expr law = graph.add(graph.mul(edge.coefficients[0], across), edge.coefficients[1]);
    residuals.push_back(graph.sub(through, law));
  }
  residuals.insert(residuals.end(), balances.begin(), balances.end());
  return residuals;
}

FlowPlaces places_of(const FlowTables& tables) {
  constexpr std::uint32_t known = 0xffffffffU;  // takt::FlowPattern::known
  FlowPlaces places;
  const auto place = [&](const Laplacian::Node& node) {
    return node ? tables.network.position[*node] : known;
  };
  for (const FlowEdge& edge : tables.edges) {
    const auto [from, to] = edge.ends;
    places.from.push_back(place(from));
    places.to.push_back(place(to));
    places.link.push_back(from && to && from != to ? tables.network.place_of(*from, *to) : known);
    places.by_flow.push_back(edge.by_flow ? 1 : 0);
  }
  return places;
}

}  // namespace takt::codegen
