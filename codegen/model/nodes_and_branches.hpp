#pragma once
// What stands at the nodes of a network: their branches, and an element by which a diagnostic names
// them.

#include <map>
#include <optional>
#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Of a network whose nodes, branches and elements stay what they are.
class NodesAndBranches {
 public:
  explicit NodesAndBranches(const Network& network);
  /// A branch from a node to itself twice.
  [[nodiscard]] const std::vector<const Branch*>& at(NodeId id) const {
    return touching_[static_cast<std::size_t>(id)];
  }
  /// An element of the node's own section: itself where the node is one, else the first whose
  /// branch ends there.
  [[nodiscard]] std::optional<ElementId> element_at(NodeId id) const;

 private:
  const Network& network_;
  std::vector<std::vector<const Branch*>> touching_;  // per node
  std::map<NodeId, ElementId> element_of_;            // of nodes that are elements
};

}  // namespace takt::codegen
