#include "codegen/plan/evaluation_order.hpp"

#include <algorithm>

namespace takt::codegen {
namespace {

using Nodes = std::vector<std::size_t>;

/// Who needs whom, and which nodes belong together for now: parts of the graph are judged without copying it.
class DependencyGraph {
 public:
  DependencyGraph(std::size_t nodes, const std::vector<Dependency>& dependencies)
      : producers_(nodes), needs_(nodes), part_(nodes, 0) {
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
  [[nodiscard]] bool belongs(std::size_t node, std::size_t part) const { return part_[node] == part; }
  [[nodiscard]] const Nodes& producers(std::size_t node) const { return producers_[node]; }

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
  std::size_t parts_ = 0;
};

/// R. Tarjan, SIAM J. Comput. 1 (1972), within one part of the graph. Recursion depth is the number of subsystems.
class Tarjan {
 public:
  Tarjan(const DependencyGraph& graph, std::size_t nodes)
      : graph_(graph), index_(nodes, 0), low_(nodes, 0), round_(nodes, 0), closed_(nodes, 0) {}

  std::vector<Nodes> run(const Nodes& nodes, std::size_t part) {
    part_ = part;
    ++now_;
    next_ = 0;
    components_.clear();
    for (const std::size_t node : nodes) {
      if (round_[node] != now_) visit(node);
    }
    return std::move(components_);
  }

 private:
  // Walks from consumers to producers, so a component is closed after all that it needs: producers come first.
  void visit(std::size_t node) {
    round_[node] = now_;
    index_[node] = low_[node] = next_++;
    stack_.push_back(node);
    for (const std::size_t producer : graph_.producers(node)) {
      if (!graph_.belongs(producer, part_)) continue;
      if (round_[producer] != now_) {
        visit(producer);
        low_[node] = std::min(low_[node], low_[producer]);
      } else if (closed_[producer] != now_) {
        low_[node] = std::min(low_[node], index_[producer]);
      }
    }
    if (low_[node] == index_[node]) close(node);
  }

  void close(std::size_t root) {
    Nodes component;
    for (bool more = true; more;) {
      const std::size_t node = stack_.back();
      stack_.pop_back();
      closed_[node] = now_;
      component.push_back(node);
      more = node != root;
    }
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const DependencyGraph& graph_;
  std::vector<std::size_t> index_, low_, round_, closed_;  // round_, closed_: in which run
  Nodes stack_;
  std::size_t part_ = 0, now_ = 0, next_ = 0;
  std::vector<Nodes> components_;
};

class Order {
 public:
  Order(std::size_t nodes, const std::vector<Dependency>& dependencies)
      : graph_(nodes, dependencies), tarjan_(graph_, nodes) {}

  EvaluationOrder run(const Nodes& all) {
    place(all, graph_.separate(all), true);
    return std::move(result_);
  }

 private:
  void place(const Nodes& nodes, std::size_t part, bool outermost) {
    for (const Nodes& component : tarjan_.run(nodes, part)) {
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
  Tarjan tarjan_;
  EvaluationOrder result_;
};

}  // namespace

std::vector<Nodes> strong_components(const Nodes& nodes, const std::vector<Dependency>& dependencies) {
  std::size_t count = 0;
  for (const std::size_t node : nodes) count = std::max(count, node + 1);
  for (const Dependency& d : dependencies) count = std::max({count, d.producer + 1, d.consumer + 1});
  DependencyGraph graph(count, dependencies);
  const std::size_t part = graph.separate(nodes);
  return Tarjan(graph, count).run(nodes, part);
}

EvaluationOrder evaluation_order(std::size_t nodes, const std::vector<Dependency>& dependencies) {
  Nodes all(nodes);
  for (std::size_t node = 0; node < nodes; ++node) all[node] = node;
  return Order(nodes, dependencies).run(all);
}

}  // namespace takt::codegen
