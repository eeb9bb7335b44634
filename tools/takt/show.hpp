#pragma once
// The results of the generator's stages as text for people: `takt check --show STAGE`. (The plan prints itself.)

#include <string>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::tools {

/// Elements with their branches, nodes and laws; two-ports; control blocks; inputs; parameters.
[[nodiscard]] std::string network_text(const codegen::Network& network);
/// Per circuit: branches of the normal tree, cotree with its loops, index verdict and its cause.
[[nodiscard]] std::string tree_text(const codegen::Network& network, const codegen::TopologyResult& topology);
/// Per subsystem: states and their derivatives, the algebraic part in order of evaluation.
[[nodiscard]] std::string dae_text(const codegen::Network& network, const codegen::DaeResult& dae);

/// What makes the d-index of a circuit 2, in words; empty where it is not.
[[nodiscard]] std::string index_cause(const codegen::Network& network, const codegen::CircuitTopology& circuit);

}  // namespace takt::tools
