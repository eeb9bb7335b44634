#include "codegen/partition/evaluation_order.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace takt::codegen {
namespace {

using Nodes = std::vector<std::size_t>;

/// R. Tarjan, SIAM J. Comput. 1 (1972). Recursion depth is the number of subsystems (hundreds at most).
class Tarjan {
 public:
  Tarjan(const Nodes& nodes, const std::vector<Dependency>& dependencies) : nodes_(nodes) {
    const std::set<std::size_t> inside(nodes.begin(), nodes.end());
    for (const Dependency& d : dependencies) {
      if (inside.contains(d.producer) && inside.contains(d.consumer)) producers_[d.consumer].insert(d.producer);
    }
  }

  std::vector<Nodes> run() {
    for (const std::size_t node : nodes_) {
      if (!index_.contains(node)) visit(node);
    }
    return components_;
  }

 private:
  // Walks from consumers to producers, so a component is closed after all that it needs: producers come first.
  void visit(std::size_t node) {
    index_[node] = low_[node] = next_++;
    stack_.push_back(node);
    for (const std::size_t producer : producers_[node]) {
      if (!index_.contains(producer)) {
        visit(producer);
        low_[node] = std::min(low_[node], low_[producer]);
      } else if (!closed_.contains(producer)) {
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
      closed_.insert(node);
      component.push_back(node);
      more = node != root;
    }
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  Nodes nodes_;
  std::map<std::size_t, std::set<std::size_t>> producers_;
  std::map<std::size_t, std::size_t> index_, low_;
  std::set<std::size_t> closed_;
  Nodes stack_;
  std::size_t next_ = 0;
  std::vector<Nodes> components_;
};

/// The member whose open inputs cost least when extrapolated runs first.
std::size_t cheapest_first(const Nodes& component, const std::vector<Dependency>& dependencies) {
  std::map<std::size_t, double> cost;
  for (const std::size_t node : component) cost[node] = 0.0;
  for (const Dependency& d : dependencies) {
    if (cost.contains(d.producer) && cost.contains(d.consumer)) cost[d.consumer] += d.penalty;
  }
  return std::min_element(cost.begin(), cost.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
}

void place(const Nodes& nodes, const std::vector<Dependency>& dependencies, EvaluationOrder& result, bool outermost) {
  for (const Nodes& component : strong_components(nodes, dependencies)) {
    if (component.size() == 1) {
      result.order.push_back(component.front());
      continue;
    }
    if (outermost) result.loops.push_back(component);
    const std::size_t first = cheapest_first(component, dependencies);
    result.order.push_back(first);
    Nodes rest = component;
    std::erase(rest, first);
    place(rest, dependencies, result, false);
  }
}

}  // namespace

std::vector<Nodes> strong_components(const Nodes& nodes, const std::vector<Dependency>& dependencies) {
  return Tarjan(nodes, dependencies).run();
}

EvaluationOrder evaluation_order(std::size_t nodes, const std::vector<Dependency>& dependencies) {
  Nodes all(nodes);
  for (std::size_t node = 0; node < nodes; ++node) all[node] = node;
  EvaluationOrder result;
  place(all, dependencies, result, true);
  return result;
}

}  // namespace takt::codegen
