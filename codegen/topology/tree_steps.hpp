#pragma once
// The tree of a circuit from its roots outwards: each potential from the one before it.

#include <unordered_map>
#include <vector>

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Branches from which on a circuit without two-ports has no CircuitTopology::potentials: in a long
/// chain they have more terms than anything else, and each follows from the one before it.
inline constexpr std::size_t smallest_along_tree = 500;
[[nodiscard]] bool goes_along_tree(const CircuitTopology& circuit);

/// Potential of `node` = that of `before` + sign * across variable of the branch.
struct TreeStep {
  NodeId node{}, before{};
  BranchId branch{};
  double sign = 1.0;
};

/// Breadth first from all references, then from those of `roots` that are not reached.
[[nodiscard]] std::vector<TreeStep> steps_along_tree(const Network& network,
                                                     const std::vector<BranchId>& tree,
                                                     const std::vector<NodeId>& roots);

/// Differences of potentials over tree branches.
class TreePaths {
 public:
  TreePaths(const Network& network, const CircuitTopology& circuit,
            const std::vector<BranchId>& tree);
  /// Potential of `from` less that of `to`, by ascending branches. @pre both hang on one root
  [[nodiscard]] std::vector<LinearTerm> between(NodeId from, NodeId to) const;
  /// Potential of the node less that of its root.
  [[nodiscard]] std::vector<LinearTerm> from_root(NodeId node) const;
  /// Whether its root is a reference.
  [[nodiscard]] bool is_tied(NodeId node) const;

 private:
  struct Place {
    std::size_t depth = 0;  ///< 0: a root
    TreeStep step{};
    bool tied = false;
  };
  [[nodiscard]] Place place_of(NodeId node) const;

  const Network& network_;
  std::unordered_map<NodeId, Place> places_;
};

}  // namespace takt::codegen
