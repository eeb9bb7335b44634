#include "codegen/plan/evaluation_order.hpp"

#include <algorithm>

#include "runtime/graph/components.hpp"

namespace takt::codegen {
namespace {

using graph::Nodes;

/// Who needs whom, and which nodes belong together for now.
class DependencyGraph {
 public:
  DependencyGraph(std::size_t nodes, const std::vector<Dependency>& dependencies)
      : producers_(nodes), needs_(nodes), part_(nodes, 0), place_(nodes) {
    for (const Dependency& d : dependencies) {
      producers_[d.consumer].push_back(d.producer);
      needs_[d.consumer].push_back(d);
    }
    for (Nodes& producers : producers_) {
      std::sort(producers.begin(), producers.end());
      producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    }
  }

  /// Makes these nodes a part of their own.
  std::size_t separate(const Nodes& nodes) {
    ++parts_;
    for (const std::size_t node : nodes) part_[node] = parts_;
    return parts_;
  }
  void leave_out(std::size_t node) { part_[node] = 0; }
  [[nodiscard]] bool belongs(std::size_t node, std::size_t part) const {
    return part_[node] == part;
  }

  /// Strongly connected ones of a part, producers first.
  /// @param nodes  all of the part, ascending
  [[nodiscard]] std::vector<Nodes> components(const Nodes& nodes, std::size_t part) {
    for (std::size_t place = 0; place < nodes.size(); ++place) place_[nodes[place]] = place;
    std::vector<Nodes> producers(nodes.size());
    for (std::size_t place = 0; place < nodes.size(); ++place)
      for (const std::size_t producer : producers_[nodes[place]])
        if (belongs(producer, part)) producers[place].push_back(place_[producer]);
    std::vector<Nodes> components = graph::strong_components(producers);
    for (Nodes& component : components)
      for (std::size_t& member : component) member = nodes[member];
    return components;
  }

  /// The member whose open inputs cost least when extrapolated runs first.
  [[nodiscard]] std::size_t cheapest(const Nodes& component, std::size_t part) const {
    std::size_t best = component.front();
    double best_cost = 0.0;
    for (const std::size_t node : component) {
      double cost = 0.0;
      for (const Dependency& d : needs_[node])
        if (belongs(d.producer, part)) cost += d.penalty;
      if (node == component.front() || cost < best_cost) best = node, best_cost = cost;
    }
    return best;
  }

 private:
  std::vector<Nodes> producers_;                // ascending, each once
  std::vector<std::vector<Dependency>> needs_;  // per consumer
  std::vector<std::size_t> part_;               // 0: none
  Nodes place_;                                 // of a node in the part that is judged
  std::size_t parts_ = 0;
};

class Order {
 public:
  Order(std::size_t nodes, const std::vector<Dependency>& dependencies)
      : graph_(nodes, dependencies) {}

  EvaluationOrder run(const Nodes& all) {
    place(all, graph_.separate(all), true);
    return std::move(result_);
  }

 private:
  void place(const Nodes& nodes, std::size_t part, bool outermost) {
    for (const Nodes& component : graph_.components(nodes, part)) {
      if (component.size() == 1) {
        result_.order.push_back(component.front());
        continue;
      }
      if (outermost) result_.loops.push_back(component);
      const std::size_t inner = graph_.separate(component);
      const std::size_t first = graph_.cheapest(component, inner);
      result_.order.push_back(first);
      graph_.leave_out(first);
      Nodes rest = component;
      std::erase(rest, first);
      place(rest, inner, false);
    }
  }

  DependencyGraph graph_;
  EvaluationOrder result_;
};

}  // namespace

std::vector<Nodes> strong_components(const Nodes& nodes,
                                     const std::vector<Dependency>& dependencies) {
  std::size_t count = 0;
  for (const std::size_t node : nodes) count = std::max(count, node + 1);
  for (const Dependency& d : dependencies)
    count = std::max({count, d.producer + 1, d.consumer + 1});
  DependencyGraph graph(count, dependencies);
  const std::size_t part = graph.separate(nodes);
  return graph.components(nodes, part);
}

EvaluationOrder evaluation_order(std::size_t nodes, const std::vector<Dependency>& dependencies) {
  Nodes all(nodes);
  for (std::size_t node = 0; node < nodes; ++node) all[node] = node;
  return Order(nodes, dependencies).run(all);
}

}  // namespace takt::codegen
