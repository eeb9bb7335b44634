#pragma once
// Which subsystem computes what: circuits first, in the order of the topology, then control groups by period.

#include "codegen/dae/equations.hpp"

namespace takt::codegen {

struct Ownership {
  Owners owner;                                          ///< symbol -> subsystem
  std::vector<std::vector<std::uint32_t>> states;        ///< per circuit: indices into Network::states
  std::vector<std::vector<std::uint32_t>> variables;     ///< per circuit: indices into Network::variables
  std::vector<std::vector<std::uint32_t>> control_groups;  ///< indices into Network::blocks, one group per period, ascending period
  std::unordered_map<SymbolId, double> parameters;       ///< values as loaded
};

/// An element's states and variables belong to the circuit of its branches in its home domain, else to the circuit of
/// the first owned symbol they read.
[[nodiscard]] Ownership assign_owners(const Network& network, const TopologyResult& topology);

/// A through source whose law reads variables of one other circuit only: that circuit sends the flux.
struct FluxSource {
  BranchId branch{};
  std::size_t producer = 0, consumer = 0;
  SymbolId sent{};                                       ///< new symbol, defined by the branch's law in the producer
};
[[nodiscard]] std::vector<FluxSource> find_fluxes(Network& network, const TopologyResult& topology, const Ownership& ownership);

}  // namespace takt::codegen
