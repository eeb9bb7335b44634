#include "codegen/topology/circuits.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/topology/shared_ground.hpp"
#include "runtime/graph/disjoint_sets.hpp"

namespace takt::codegen {

namespace {

std::size_t index_of(NodeId id) { return static_cast<std::size_t>(id); }
std::size_t index_of(BranchId id) { return static_cast<std::size_t>(id); }
std::size_t index_of(ElementId id) { return static_cast<std::size_t>(id); }

}  // namespace

std::vector<CircuitTopology> find_circuits(const Network& network) {
  const std::size_t branch_count = network.branches.size();
  graph::DisjointSets components(branch_count + network.nodes.size());
  const auto node_member = [&](NodeId id) { return branch_count + index_of(id); };

  for (std::size_t branch = 0; branch < branch_count; ++branch)
    for (const NodeId end : {network.branches[branch].from, network.branches[branch].to})
      if (!network.nodes[index_of(end)].reference) components.join(branch, node_member(end));
  for (const auto& [a, b] : ties_across_ground(network)) components.join(index_of(a), index_of(b));
  for (const TwoPort& port : network.two_ports) components.join(index_of(port.a), index_of(port.b));
  for (const CircuitJoint& joint : network.joints)
    components.join(node_member(joint.a), node_member(joint.b));
  for (const Element& element : network.elements) {
    if (!element.joins_circuit) continue;
    std::optional<std::size_t> first;
    for (const BranchId branch : element.branches)
      if (const Domain domain = network.branches[index_of(branch)].domain;
          domain == element.home ||
          (element.has_equations && circuit_domain(domain) == circuit_domain(element.home))) {
        if (first) components.join(*first, index_of(branch));
        first = first.value_or(index_of(branch));
      }
  }

  std::map<std::size_t, std::size_t> circuit_of;  // representative -> circuit
  std::vector<CircuitTopology> circuits;
  std::set<std::pair<std::size_t, ElementId>> listed;  // representative, element
  const auto circuit_at = [&](std::size_t member, Domain domain) -> CircuitTopology& {
    const auto [place, fresh] = circuit_of.try_emplace(components.find(member), circuits.size());
    if (fresh) circuits.emplace_back().domain = circuit_domain(domain);
    CircuitTopology& circuit = circuits[place->second];
    if (is_convective(domain) && circuit.domain != CircuitDomain::fluid)
      circuit.domain = circuit_domain(domain);  // at a joint
    return circuit;
  };
  for (std::size_t branch = 0; branch < branch_count; ++branch) {
    CircuitTopology& circuit = circuit_at(branch, network.branches[branch].domain);
    if (network.branches[branch].kind != BranchKind::port)
      circuit.branches.push_back(static_cast<BranchId>(branch));
    const ElementId element = network.branches[branch].element;
    if (network.elements.size() > index_of(element) &&
        circuit_domain(network.elements[index_of(element)].home) ==
            circuit_domain(network.branches[branch].domain) &&
        listed.emplace(components.find(branch), element).second)
      circuit.elements.push_back(element);
  }
  for (std::size_t node = 0; node < network.nodes.size(); ++node)
    if (!network.nodes[node].reference)
      circuit_at(branch_count + node, network.nodes[node].domain)
          .nodes.push_back(static_cast<NodeId>(node));
  for (std::size_t element = 0; element < network.elements.size(); ++element) {
    const Element& node = network.elements[element];  // a node that stores without a branch
    const auto at_home = [&](BranchId branch) {
      return network.branches[index_of(branch)].domain == node.home;
    };
    if (!node.self || std::any_of(node.branches.begin(), node.branches.end(), at_home)) continue;
    circuit_at(branch_count + index_of(*node.self), node.home)
        .elements.push_back(static_cast<ElementId>(element));
  }
  for (std::size_t port = 0; port < network.two_ports.size(); ++port)
    circuit_at(index_of(network.two_ports[port].a),
               network.branches[index_of(network.two_ports[port].a)].domain)
        .two_ports.push_back(static_cast<std::uint32_t>(port));

  // A domain with one circuit gives its name; otherwise the circuit is called after its first
  // element or node.
  std::map<CircuitDomain, int> per_domain;
  for (const CircuitTopology& circuit : circuits) ++per_domain[circuit.domain];
  for (CircuitTopology& circuit : circuits) {
    circuit.name = text_of(circuit.domain);
    if (per_domain[circuit.domain] == 1) continue;
    const auto whole = [&](ElementId id) {
      return network.elements[index_of(id)].joins_circuit;
    };  // not a line's end
    const auto first = std::find_if(circuit.elements.begin(), circuit.elements.end(), whole);
    if (first != circuit.elements.end())
      circuit.name = network.elements[index_of(*first)].path;
    else if (!circuit.nodes.empty())
      circuit.name = network.nodes[index_of(circuit.nodes.front())].path;
    else
      circuit.name = network.branches[index_of(circuit.branches.front())].path;
  }
  return circuits;
}

}  // namespace takt::codegen
