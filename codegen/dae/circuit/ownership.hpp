#pragma once
// Which circuit computes what, in the order of the topology; what control blocks compute counts as
// one more.

#include <optional>

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

struct Ownership {
  Owners owner;                                    ///< symbol -> circuit; their number: control
  std::vector<std::vector<std::uint32_t>> states;  ///< per circuit: indices into Network::states
  std::vector<std::vector<std::uint32_t>>
      variables;  ///< per circuit: indices into Network::variables
  std::vector<std::vector<std::uint32_t>>
      balances;  ///< per circuit: indices into Network::balances
  std::vector<std::vector<std::uint32_t>>
      heat_inputs;               ///< per circuit: indices into Network::heat_inputs
  SymbolMap<double> parameters;  ///< values as loaded
};

/// An element's states and variables belong to the circuit of its branches in its home domain, else
/// to the circuit of the first owned symbol they read.
[[nodiscard]] Ownership assign_owners(const Network& network, const TopologyResult& topology);

/// A through source, or a heat input, whose value reads variables of one other circuit only: that
/// circuit sends the flux. The power through a port of an FMU is sent by the port's circuit.
struct FluxSource {
  std::optional<BranchId> branch;  ///< nothing: a heat input of a medium
  ElementId element{};
  Expr value{};         ///< over symbols of the producer
  SymbolId received{};  ///< the consumer's symbol
  Location where;
  std::size_t producer = 0, consumer = 0;
  SymbolId sent{};        ///< new symbol, defined by the value in the producer
  bool into_fmu = false;  ///< power through a port; its source is of this circuit
};
[[nodiscard]] std::vector<FluxSource> find_fluxes(const Network& network,
                                                  const TopologyResult& topology,
                                                  const Ownership& ownership);

/// One circuit and what its equations are made of. It refers to what others own and must not
/// outlive them.
struct CircuitScope {
  const Network& network;
  const CircuitTopology& circuit;
  const Ownership& ownership;
  std::size_t index;                      ///< of the circuit in the order of the topology
  const std::vector<FluxSource>& fluxes;  ///< those that the circuit sends or receives
};

}  // namespace takt::codegen
