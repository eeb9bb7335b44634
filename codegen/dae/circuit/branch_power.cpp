#include "codegen/dae/circuit/branch_power.hpp"

namespace takt::codegen {

Expr power_into(const Network& network, const Branch& branch) {
  Graph& graph = network.graph();
  if (!words_of(branch.domain).through_is_power)
    return graph.mul(graph.use(branch.across), graph.use(branch.through));
  const bool from_reference = network.nodes[static_cast<std::size_t>(branch.from)].reference;
  const bool to_reference = network.nodes[static_cast<std::size_t>(branch.to)].reference;
  if (from_reference == to_reference) return graph.zero();
  return to_reference ? graph.use(branch.through) : graph.neg(graph.use(branch.through));
}

}  // namespace takt::codegen
