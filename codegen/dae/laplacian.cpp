#include "codegen/dae/laplacian.hpp"

#include <algorithm>

namespace takt::codegen {

Laplacian::Laplacian(Graph& graph, std::size_t nodes)
    : graph_(graph),
      conductance_(nodes, std::vector(nodes, graph.zero())),
      source_(conductance_),
      ground_(nodes, graph.zero()),
      right_(ground_),
      inverse_(nodes),
      tied_(nodes, false),
      done_(nodes, false) {}

void Laplacian::tie(Node node) {
  if (node) tied_[*node] = true;
}

void Laplacian::add_conductance(Node a, Node b, Expr conductance) {
  if (a == b) return;
  if (!a || !b) {
    Expr& ground = ground_[a ? *a : *b];
    ground = graph_.add(ground, conductance);
    return;
  }
  conductance_[*a][*b] = conductance_[*b][*a] = graph_.add(conductance_[*a][*b], conductance);
}

void Laplacian::add_source(std::size_t a, std::size_t b, Expr source) {
  source_[a][b] = graph_.add(source_[a][b], source);
  source_[b][a] = graph_.neg(source_[a][b]);
}

void Laplacian::inject(std::size_t node, Expr current) { right_[node] = graph_.add(right_[node], current); }

void Laplacian::join(const Ends& ends, Expr conductance, Expr source) {
  if (ends.from == ends.to) return;
  add_conductance(ends.from, ends.to, conductance);
  if (ends.from && ends.to)
    add_source(*ends.from, *ends.to, source);
  else
    inject(ends.from ? *ends.from : *ends.to, ends.from ? source : graph_.neg(source));
}

void Laplacian::couple(const Ends& one, const Ends& other, Expr conductance) {
  const Expr negative = graph_.neg(conductance);
  add_conductance(one.from, other.to, conductance);
  add_conductance(one.to, other.from, conductance);
  add_conductance(one.from, other.from, negative);
  add_conductance(one.to, other.to, negative);
  for (const Node node : {one.from, one.to, other.from, other.to}) tie(node);
}

void Laplacian::constrain(Constraint constraint) {
  tie(constraint.node);
  for (const auto& [node, coefficient] : constraint.terms) tie(node);
  constraints_.push_back(std::move(constraint));
}

std::vector<std::size_t> Laplacian::neighbours(std::size_t node) const {
  std::vector<std::size_t> result;
  for (std::size_t other = 0; other < done_.size(); ++other)
    if (other != node && !done_[other] && !(is_zero(conductance_[node][other]) && is_zero(source_[node][other]))) result.push_back(other);
  return result;
}

/// Star-mesh: the node's conductances and sources become those of paths between its neighbours.
void Laplacian::remove(std::size_t node) {
  const std::vector<std::size_t> around = neighbours(node);
  Expr diagonal = ground_[node];
  for (const std::size_t a : around) diagonal = graph_.add(diagonal, conductance_[node][a]);
  inverse_[node] = graph_.div(graph_.one(), diagonal);
  std::vector<Expr> share;
  for (const std::size_t a : around) share.push_back(graph_.mul(conductance_[a][node], inverse_[node]));
  const Expr to_ground = graph_.mul(ground_[node], inverse_[node]);
  for (std::size_t k = 0; k < around.size(); ++k) {
    const std::size_t a = around[k];
    for (std::size_t m = k + 1; m < around.size(); ++m) {
      const std::size_t b = around[m];
      add_conductance(a, b, graph_.mul(share[k], conductance_[node][b]));
      add_source(a, b, graph_.sub(graph_.mul(share[k], source_[node][b]), graph_.mul(share[m], source_[node][a])));
    }
    ground_[a] = graph_.add(ground_[a], graph_.mul(share[k], ground_[node]));
    inject(a, graph_.sub(graph_.mul(share[k], right_[node]), graph_.mul(to_ground, source_[node][a])));
  }
}

/// Nodes of one sort, least degree first.
void Laplacian::eliminate(bool tied) {
  for (;;) {
    std::optional<std::size_t> pivot;
    std::size_t degree = 0;
    for (std::size_t node = 0; node < done_.size(); ++node) {
      if (done_[node] || tied_[node] != tied) continue;
      if (const std::size_t count = neighbours(node).size(); !pivot || count < degree) pivot = node, degree = count;
    }
    if (!pivot) return;
    remove(*pivot);
    done_[*pivot] = true;
    order_.push_back(*pivot);
  }
}

/// Adds conductance * (sum of row)^2 to the network's quadratic form; the row's coefficients, ground's among them, sum to 0.
void Laplacian::spread(const std::vector<std::pair<std::size_t, double>>& row, double ground, Expr conductance) {
  const auto add = [&](Node a, Node b, double factor) {
    if (factor != 0.0) add_conductance(a, b, graph_.mul(graph_.constant(-factor), conductance));
  };
  for (std::size_t k = 0; k < row.size(); ++k) {
    for (std::size_t m = k + 1; m < row.size(); ++m) add(row[k].first, row[m].first, row[k].second * row[m].second);
    add(row[k].first, std::nullopt, row[k].second * ground);
  }
}

/// Puts the terms of a constrained node in its place; each of them takes its share of the node's currents.
void Laplacian::substitute(const Constraint& constraint) {
  const std::size_t node = constraint.node;
  const std::vector<std::size_t> around = neighbours(node);
  done_[node] = true;
  order_.push_back(node);
  for (const std::size_t other : around) {
    auto row = constraint.terms;
    const auto own = std::find_if(row.begin(), row.end(), [&](const auto& term) { return term.first == other; });
    if (own == row.end())
      row.emplace_back(other, -1.0);
    else
      own->second -= 1.0;
    std::erase_if(row, [](const auto& term) { return term.second == 0.0; });
    spread(row, constraint.ground, conductance_[node][other]);
    for (const auto& [place, coefficient] : row)
      if (place != other) add_source(place, other, graph_.mul(graph_.constant(coefficient), source_[node][other]));
    inject(other, graph_.mul(graph_.constant(-constraint.ground), source_[node][other]));
  }
  spread(constraint.terms, constraint.ground - 1.0, ground_[node]);
  for (const auto& [place, coefficient] : constraint.terms) inject(place, graph_.mul(graph_.constant(coefficient), right_[node]));
}

std::vector<Expr> Laplacian::solve() && {
  eliminate(false);
  for (const Constraint& constraint : constraints_) substitute(constraint);
  eliminate(true);
  std::vector<Expr> solution(done_.size(), graph_.zero());
  for (std::size_t step = order_.size(); step-- > 0;) {
    const std::size_t node = order_[step];
    const auto constraint = std::find_if(constraints_.begin(), constraints_.end(), [&](const Constraint& c) { return c.node == node; });
    if (constraint != constraints_.end()) {
      for (const auto& [other, coefficient] : constraint->terms)
        solution[node] = graph_.add(solution[node], graph_.mul(graph_.constant(coefficient), solution[other]));
      continue;
    }
    Expr sum = right_[node];
    for (std::size_t later = step + 1; later < order_.size(); ++later) {
      const std::size_t other = order_[later];
      sum = graph_.add(sum, graph_.add(graph_.mul(conductance_[node][other], solution[other]), source_[node][other]));
    }
    solution[node] = graph_.mul(sum, inverse_[node]);
  }
  return solution;
}

}  // namespace takt::codegen
