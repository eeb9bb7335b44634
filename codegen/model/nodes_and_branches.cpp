#include "codegen/model/nodes_and_branches.hpp"

namespace takt::codegen {

NodesAndBranches::NodesAndBranches(const Network& network)
    : network_(network), touching_(network.nodes.size()) {
  for (const Branch& branch : network.branches)
    for (const NodeId end : {branch.from, branch.to})
      touching_[static_cast<std::size_t>(end)].push_back(&branch);
  for (std::size_t index = 0; index < network.elements.size(); ++index)
    if (const auto self = network.elements[index].self)
      element_of_[*self] = static_cast<ElementId>(index);
}

std::optional<ElementId> NodesAndBranches::element_at(NodeId id) const {
  if (const auto self = element_of_.find(id); self != element_of_.end()) return self->second;
  for (const Branch* branch : at(id))
    if (network_.elements[static_cast<std::size_t>(branch->element)].home ==
        network_.nodes[static_cast<std::size_t>(id)].domain)
      return branch->element;
  return std::nullopt;
}

}  // namespace takt::codegen
