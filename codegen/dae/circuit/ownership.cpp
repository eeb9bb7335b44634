#include "codegen/dae/circuit/ownership.hpp"

#include <algorithm>

#include "codegen/dae/circuit/branch_power.hpp"
#include "codegen/topology/circuits.hpp"

namespace takt::codegen {

namespace {

void own_circuit(const Network& network, const CircuitTopology& circuit, std::size_t index,
                 Owners& owner) {
  const auto own_branch = [&](BranchId id) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    owner[branch.across] = owner[branch.through] = index;
    if (branch.stored) owner[*branch.stored] = index;
  };
  for (const BranchId id : circuit.branches) own_branch(id);
  for (const std::uint32_t port : circuit.two_ports)
    own_branch(network.two_ports[port].a), own_branch(network.two_ports[port].b);
  for (const NodeId id : circuit.nodes)
    owner[network.nodes[static_cast<std::size_t>(id)].across] = index;
}

/// Circuits of branches and nodes.
struct Places {
  std::vector<std::size_t> of_branch, of_node;
};

std::optional<std::size_t> home_circuit(const Network& network, ElementId id,
                                        const Places& places) {
  const Element& element = network.elements[static_cast<std::size_t>(id)];
  for (const BranchId branch : element.branches)
    if (circuit_domain(network.branches[static_cast<std::size_t>(branch)].domain) ==
        circuit_domain(element.home))
      return places.of_branch[static_cast<std::size_t>(branch)];
  if (element.self) return places.of_node[static_cast<std::size_t>(*element.self)];
  return std::nullopt;
}

/// Modes, points, gates and edge totals belong to the circuit of their element, legs and timed
/// gates to the first circuit they drive.
void own_switches(const Network& network, const Places& places, Owners& owner) {
  const auto own = [&](SymbolId symbol, ElementId element) {
    if (const auto home = home_circuit(network, element, places)) owner.emplace(symbol, *home);
  };
  for (const Mode& mode : network.modes) own(mode.symbol, mode.element);
  for (const OperatingPoint& point : network.points) own(point.symbol, point.element);
  for (const EdgeEnergy& edge : network.edge_energies) own(edge.total, edge.element);
  for (const Gate& gate : network.gates) {
    own(gate.symbol, gate.element);
    const auto read = network.graph().symbols_of(gate.signal);
    const auto drives = [&](SymbolId symbol) {
      return std::find(read.begin(), read.end(), symbol) != read.end();
    };
    for (const PwmLeg& leg : network.legs)
      if (drives(leg.high) || drives(leg.low))
        own(leg.high, gate.element), own(leg.low, gate.element);
    for (const TimedGate& timed : network.timed_gates)
      if (drives(timed.symbol)) own(timed.symbol, gate.element);
  }
}

}  // namespace

Ownership assign_owners(const Network& network, const TopologyResult& topology) {
  Ownership result;
  for (const Parameter& parameter : network.parameters)
    result.parameters.emplace(parameter.symbol, parameter.value);
  const std::size_t circuits = topology.circuits.size();
  result.states.resize(circuits);
  result.variables.resize(circuits);
  result.balances.resize(circuits);
  result.heat_inputs.resize(circuits);
  Places places{std::vector<std::size_t>(network.branches.size(), 0),
                std::vector<std::size_t>(network.nodes.size(), 0)};
  for (std::size_t index = 0; index < circuits; ++index) {
    own_circuit(network, topology.circuits[index], index, result.owner);
    for (const NodeId node : topology.circuits[index].nodes)
      places.of_node[static_cast<std::size_t>(node)] = index;
    for (const BranchId branch : topology.circuits[index].branches)
      places.of_branch[static_cast<std::size_t>(branch)] = index;
    for (const std::uint32_t port : topology.circuits[index].two_ports)
      for (const BranchId side : {network.two_ports[port].a, network.two_ports[port].b})
        places.of_branch[static_cast<std::size_t>(side)] = index;
  }
  for (const ControlBlock& block : network.blocks) {
    for (const auto& output : block.outputs) result.owner[output.symbol] = circuits;
    for (const auto& state : block.states) result.owner[state.symbol] = circuits;
  }
  const auto owner_of = [&](ElementId element, Expr value) -> std::size_t {
    const auto home = home_circuit(network, element, places);
    if (home && network.elements[static_cast<std::size_t>(element)].joins_circuit) return *home;
    for (const SymbolId symbol : network.graph().symbols_of(value))
      if (const auto known = result.owner.find(symbol);
          known != result.owner.end() && known->second < circuits)
        return known->second;
    return home.value_or(0);
  };
  if (circuits == 0) return result;
  own_switches(network, places, result.owner);
  for (std::size_t k = 0; k < network.states.size(); ++k) {
    const std::size_t index = owner_of(network.states[k].element, network.states[k].derivative);
    result.owner[network.states[k].symbol] = index;
    result.states[index].push_back(static_cast<std::uint32_t>(k));
  }
  for (const FreeUnknown& free : network.free_unknowns)
    result.owner[free.symbol] = owner_of(free.element, free.start);
  for (std::size_t k = 0; k < network.variables.size(); ++k) {
    const std::size_t index = owner_of(network.variables[k].element, network.variables[k].value);
    result.owner[network.variables[k].symbol] = index;
    result.variables[index].push_back(static_cast<std::uint32_t>(k));
  }
  for (std::size_t k = 0; k < network.balances.size(); ++k) {
    const std::size_t index = owner_of(network.balances[k].element, network.balances[k].residual);
    result.owner[network.balances[k].unknown] = index;
    result.balances[index].push_back(static_cast<std::uint32_t>(k));
  }
  for (std::size_t k = 0; k < network.heat_inputs.size(); ++k) {
    const std::size_t index =
        owner_of(network.heat_inputs[k].element, network.heat_inputs[k].value);
    result.owner[network.heat_inputs[k].received] = index;
    result.heat_inputs[index].push_back(static_cast<std::uint32_t>(k));
  }
  return result;
}

std::vector<FluxSource> find_fluxes(const Network& network, const TopologyResult& topology,
                                    const Ownership& ownership) {
  std::vector<FluxSource> fluxes;
  const auto find = [&](FluxSource flux, const std::string& path) {
    std::optional<std::size_t> producer;
    bool one = true;
    for (const SymbolId symbol : network.graph().symbols_of(flux.value)) {
      const auto place = ownership.owner.find(symbol);
      if (place == ownership.owner.end()) continue;  // parameter, plant input, time
      if (producer && *producer != place->second) one = false;
      producer = place->second;
    }
    if (!producer || !one || *producer == flux.consumer || *producer >= topology.circuits.size())
      return;
    flux.producer = *producer;
    flux.sent =
        network.graph().make_symbol(path + ".sent", network.graph().symbol(flux.received).unit);
    fluxes.push_back(flux);
  };
  for (std::size_t consumer = 0; consumer < topology.circuits.size(); ++consumer) {
    for (const BranchId id : topology.circuits[consumer].branches) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      if (branch.kind == BranchKind::through_source)
        find({id, branch.element, branch.law, branch.through, branch.where, 0, consumer, {}},
             branch.path);
    }
    for (const std::uint32_t k : ownership.heat_inputs[consumer]) {
      const HeatInput& input = network.heat_inputs[k];
      find({std::nullopt, input.element, input.value, input.received, input.where, 0, consumer, {}},
           network.graph().symbol(input.received).path);
    }
  }
  for (const ForeignModel& model : network.foreign)
    for (const ForeignPort& port : model.ports) {
      const Branch& branch = network.branches[static_cast<std::size_t>(port.branch)];
      find({std::nullopt,
            branch.element,
            power_into(network, branch),
            port.power,
            port.where,
            0,
            topology.circuits.size() + 1,
            {},
            true},
           network.graph().symbol(port.power).path);
    }
  return fluxes;
}

}  // namespace takt::codegen
