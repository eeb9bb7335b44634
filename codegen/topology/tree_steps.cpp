#include "codegen/topology/tree_steps.hpp"

#include <algorithm>
#include <unordered_set>

namespace takt::codegen {

namespace {

std::vector<LinearTerm> sorted(std::vector<LinearTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.branch < b.branch; });
  return terms;
}

}  // namespace

bool goes_along_tree(const CircuitTopology& circuit) {
  return circuit.branches.size() >= smallest_along_tree && circuit.two_ports.empty();
}

std::vector<TreeStep> steps_along_tree(const Network& network, const std::vector<BranchId>& tree,
                                       const std::vector<NodeId>& roots) {
  const auto branch = [&](BranchId id) -> const Branch& {
    return network.branches[static_cast<std::size_t>(id)];
  };
  std::unordered_map<NodeId, std::vector<BranchId>> next;
  std::vector<NodeId> reached;
  std::unordered_set<NodeId> seen;
  std::vector<TreeStep> steps;
  for (const BranchId id : tree)
    for (const NodeId node : {branch(id).from, branch(id).to}) {
      next[node].push_back(id);
      if (network.nodes[static_cast<std::size_t>(node)].reference && seen.insert(node).second)
        reached.push_back(node);
    }
  std::size_t done = 0;
  const auto spread = [&] {
    for (; done < reached.size(); ++done)
      for (const BranchId id : next[reached[done]]) {
        const NodeId node = reached[done];
        const bool onwards = branch(id).from == node;
        const NodeId other = onwards ? branch(id).to : branch(id).from;
        if (!seen.insert(other).second) continue;
        reached.push_back(other);
        steps.push_back({other, node, id, onwards ? -1.0 : 1.0});
      }
  };
  spread();
  for (const NodeId root : roots) {
    if (!seen.insert(root).second) continue;
    reached.push_back(root);
    spread();
  }
  return steps;
}

TreePaths::TreePaths(const Network& network, const CircuitTopology& circuit,
                     const std::vector<BranchId>& tree)
    : network_(network) {
  for (const TreeStep& step : steps_along_tree(network, tree, circuit.nodes)) {
    const Place before = place_of(step.before);
    places_[step.node] = {before.depth + 1, step, before.tied};
  }
}

TreePaths::Place TreePaths::place_of(NodeId node) const {
  const auto place = places_.find(node);
  if (place != places_.end()) return place->second;
  return {0, {}, network_.nodes[static_cast<std::size_t>(node)].reference};
}

bool TreePaths::is_tied(NodeId node) const { return place_of(node).tied; }

std::vector<LinearTerm> TreePaths::from_root(NodeId node) const {
  std::vector<LinearTerm> terms;
  for (Place place = place_of(node); place.depth > 0; place = place_of(place.step.before))
    terms.push_back({place.step.branch, place.step.sign});
  return sorted(std::move(terms));
}

std::vector<LinearTerm> TreePaths::between(NodeId from, NodeId to) const {
  std::vector<LinearTerm> terms;
  Place a = place_of(from), b = place_of(to);
  while (a.depth > 0 || b.depth > 0) {
    if (a.depth == b.depth && a.step.node == b.step.node) break;
    const bool climbs_a = a.depth >= b.depth;
    Place& lower = climbs_a ? a : b;
    terms.push_back({lower.step.branch, climbs_a ? lower.step.sign : -lower.step.sign});
    lower = place_of(lower.step.before);
  }
  return sorted(std::move(terms));
}

}  // namespace takt::codegen
