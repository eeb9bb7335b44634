#include "codegen/dae/algebra/laplacian.hpp"

#include <algorithm>
#include <set>

namespace takt::codegen {

Laplacian::Laplacian(Graph& graph, std::size_t nodes)
    : graph_(graph),
      links_(nodes),
      ground_(nodes, graph.zero()),
      right_(ground_),
      inverse_(nodes),
      tied_(nodes, false),
      done_(nodes, false) {}

void Laplacian::tie(Node node) {
  if (node) tied_[*node] = true;
}

Laplacian::Link& Laplacian::link(std::size_t a, std::size_t b) {
  return links_[a].try_emplace(b, Link{graph_.zero(), graph_.zero()}).first->second;
}

void Laplacian::add_conductance(Node a, Node b, Expr conductance) {
  if (a == b) return;
  if (!a || !b) {
    Expr& ground = ground_[a ? *a : *b];
    ground = graph_.add(ground, conductance);
    return;
  }
  Link& there = link(*a, *b);
  there.conductance = graph_.add(there.conductance, conductance);
  link(*b, *a).conductance = there.conductance;
}

void Laplacian::add_source(std::size_t a, std::size_t b, Expr source) {
  Link& there = link(a, b);
  there.source = graph_.add(there.source, source);
  link(b, a).source = graph_.neg(there.source);
}

void Laplacian::inject(std::size_t node, Expr current) {
  right_[node] = graph_.add(right_[node], current);
}

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
  for (const auto& [other, link] : links_[node])
    if (!(is_zero(link.conductance) && is_zero(link.source))) result.push_back(other);
  return result;
}

/// Star-mesh: the node's conductances and sources become those of paths between its neighbours.
void Laplacian::remove(std::size_t node) {
  const std::vector<std::size_t> around = neighbours(node);
  Expr diagonal = ground_[node];
  for (const std::size_t a : around)
    diagonal = graph_.add(diagonal, links_[node].at(a).conductance);
  inverse_[node] = graph_.div(graph_.one(), diagonal);
  std::vector<Expr> share;
  for (const std::size_t a : around)
    share.push_back(graph_.mul(links_[a].at(node).conductance, inverse_[node]));
  const Expr to_ground = graph_.mul(ground_[node], inverse_[node]);
  for (std::size_t k = 0; k < around.size(); ++k) {
    const std::size_t a = around[k];
    const Link& to_a = links_[node].at(a);
    for (std::size_t m = k + 1; m < around.size(); ++m) {
      const std::size_t b = around[m];
      const Link& to_b = links_[node].at(b);
      add_conductance(a, b, graph_.mul(share[k], to_b.conductance));
      add_source(a, b,
                 graph_.sub(graph_.mul(share[k], to_b.source), graph_.mul(share[m], to_a.source)));
    }
    ground_[a] = graph_.add(ground_[a], graph_.mul(share[k], ground_[node]));
    inject(a, graph_.sub(graph_.mul(share[k], right_[node]), graph_.mul(to_ground, to_a.source)));
  }
}

/// From here on the node follows from others; its own row keeps how.
void Laplacian::finish(std::size_t node) {
  done_[node] = true;
  order_.push_back(node);
  for (const auto& [other, link] : links_[node]) links_[other].erase(node);
}

/// Nodes of one sort, least degree first.
void Laplacian::eliminate(bool tied) {
  std::set<std::pair<std::size_t, std::size_t>> queue;  // degree, node
  std::vector<std::size_t> degree(done_.size(), 0);
  const auto count = [&](std::size_t node) {
    if (done_[node] || tied_[node] != tied) return;
    queue.erase({degree[node], node});
    degree[node] = neighbours(node).size();
    queue.emplace(degree[node], node);
  };
  for (std::size_t node = 0; node < done_.size(); ++node) count(node);
  while (!queue.empty()) {
    const std::size_t pivot = queue.begin()->second;
    queue.erase(queue.begin());
    remove(pivot);
    finish(pivot);
    for (const auto& [other, link] : links_[pivot]) count(other);
  }
}

/// Adds conductance * (sum of row)^2 to the network's quadratic form; the row's coefficients,
/// ground's among them, sum to 0.
void Laplacian::spread(const std::vector<std::pair<std::size_t, double>>& row, double ground,
                       Expr conductance) {
  const auto add = [&](Node a, Node b, double factor) {
    if (factor != 0.0) add_conductance(a, b, graph_.mul(graph_.constant(-factor), conductance));
  };
  for (std::size_t k = 0; k < row.size(); ++k) {
    for (std::size_t m = k + 1; m < row.size(); ++m)
      add(row[k].first, row[m].first, row[k].second * row[m].second);
    add(row[k].first, std::nullopt, row[k].second * ground);
  }
}

/// Puts the terms of a constrained node in its place; each of them takes its share of the node's
/// currents.
void Laplacian::substitute(const Constraint& constraint) {
  const std::size_t node = constraint.node;
  const std::vector<std::size_t> around = neighbours(node);
  finish(node);
  for (const std::size_t other : around) {
    const Link& old = links_[node].at(other);
    auto row = constraint.terms;
    const auto own =
        std::find_if(row.begin(), row.end(), [&](const auto& term) { return term.first == other; });
    if (own == row.end())
      row.emplace_back(other, -1.0);
    else
      own->second -= 1.0;
    std::erase_if(row, [](const auto& term) { return term.second == 0.0; });
    spread(row, constraint.ground, old.conductance);
    for (const auto& [place, coefficient] : row)
      if (place != other)
        add_source(place, other, graph_.mul(graph_.constant(coefficient), old.source));
    inject(other, graph_.mul(graph_.constant(-constraint.ground), old.source));
  }
  spread(constraint.terms, constraint.ground - 1.0, ground_[node]);
  for (const auto& [place, coefficient] : constraint.terms)
    inject(place, graph_.mul(graph_.constant(coefficient), right_[node]));
}

std::vector<Expr> Laplacian::solve() && {
  eliminate(false);
  for (const Constraint& constraint : constraints_) substitute(constraint);
  eliminate(true);
  std::vector<Expr> solution(done_.size(), graph_.zero());
  std::vector<std::size_t> position(done_.size());
  for (std::size_t step = 0; step < order_.size(); ++step) position[order_[step]] = step;
  std::map<std::size_t, const Constraint*> constrained;
  for (const Constraint& constraint : constraints_)
    constrained.emplace(constraint.node, &constraint);
  for (std::size_t step = order_.size(); step-- > 0;) {
    const std::size_t node = order_[step];
    if (const auto constraint = constrained.find(node); constraint != constrained.end()) {
      for (const auto& [other, coefficient] : constraint->second->terms)
        solution[node] =
            graph_.add(solution[node], graph_.mul(graph_.constant(coefficient), solution[other]));
      continue;
    }
    Expr sum = right_[node];
    std::vector<std::size_t> later;
    for (const auto& [other, link] : links_[node]) later.push_back(other);
    std::sort(later.begin(), later.end(),
              [&](std::size_t a, std::size_t b) { return position[a] < position[b]; });
    for (const std::size_t other : later) {
      const Link& to = links_[node].at(other);
      sum = graph_.add(sum, graph_.add(graph_.mul(to.conductance, solution[other]), to.source));
    }
    solution[node] = graph_.mul(sum, inverse_[node]);
  }
  return solution;
}

}  // namespace takt::codegen
