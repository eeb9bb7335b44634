#include "codegen/dae/circuit/dissipator_part.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

namespace takt::codegen {

namespace {

using Vertex = std::uint32_t;
constexpr Vertex reference_vertex = 0;  // all reference nodes are one vertex

class Contraction {
 public:
  Contraction(const Network& network, const CircuitTopology& circuit)
      : network_(network), parent_(circuit.nodes.size() + 1) {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
    for (std::size_t k = 0; k < circuit.nodes.size(); ++k)
      number_[circuit.nodes[k]] = static_cast<Vertex>(k + 1);
  }
  [[nodiscard]] Vertex find(NodeId id) {
    return find(network_.nodes[static_cast<std::size_t>(id)].reference ? reference_vertex
                                                                       : number_.at(id));
  }
  void join(const Branch& branch) {
    const Vertex a = find(branch.from), b = find(branch.to);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  Vertex find(Vertex vertex) {
    while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
    return vertex;
  }
  const Network& network_;
  std::vector<Vertex> parent_;
  std::unordered_map<NodeId, Vertex> number_;
};

/// Two-ports as rows over potentials (`root` stands for all known ones), each solved for its
/// largest coefficient.
class Constraints {
 public:
  static constexpr std::ptrdiff_t root = -1;
  using Row = std::map<std::ptrdiff_t, double>;  // 0 = sum of coefficient * potential

  void add(Row row) {
    for (const DissipatorConstraint& known : solved_) {
      const auto place = row.find(static_cast<std::ptrdiff_t>(known.potential));
      if (place == row.end()) continue;
      const double factor = place->second;
      row.erase(place);
      for (const auto& [potential, coefficient] : known.terms)
        row[static_cast<std::ptrdiff_t>(potential)] += factor * coefficient;
      row[root] += factor * known.ground;
    }
    std::erase_if(row, [](const auto& term) { return std::fabs(term.second) < 1e-12; });
    const auto pivot = std::max_element(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return (a.first == root ? 0.0 : std::fabs(a.second)) <
             (b.first == root ? 0.0 : std::fabs(b.second));
    });
    if (pivot == row.end() || pivot->first == root) return;  // fixed by sources on both sides
    DissipatorConstraint solved{static_cast<std::size_t>(pivot->first), {}, 0.0};
    for (const auto& [potential, coefficient] : row) {
      if (potential == pivot->first) continue;
      (potential == root ? solved.ground : solved.terms[static_cast<std::size_t>(potential)]) =
          -coefficient / pivot->second;
    }
    for (DissipatorConstraint& known : solved_) replace(known, solved);
    solved_.push_back(std::move(solved));
  }
  std::vector<DissipatorConstraint> take() { return std::move(solved_); }

 private:
  static void replace(DissipatorConstraint& in, const DissipatorConstraint& solved) {
    const auto place = in.terms.find(solved.potential);
    if (place == in.terms.end()) return;
    const double factor = place->second;
    in.terms.erase(place);
    for (const auto& [potential, coefficient] : solved.terms)
      in.terms[potential] += factor * coefficient;
    in.ground += factor * solved.ground;
  }
  std::vector<DissipatorConstraint> solved_;
};

bool is_offset(BranchKind kind) {
  return kind == BranchKind::across_source || kind == BranchKind::across_storage;
}

}  // namespace

DissipatorPart find_dissipator_part(const Network& network, const CircuitTopology& circuit) {
  DissipatorPart part;
  const auto branch = [&](BranchId id) -> const Branch& {
    return network.branches[static_cast<std::size_t>(id)];
  };
  const bool ported = !circuit.two_ports.empty();
  const auto is_storage = [&](BranchId id) {
    return branch(id).kind == BranchKind::across_storage ||
           branch(id).kind == BranchKind::through_storage;
  };
  if (ported && std::any_of(circuit.branches.begin(), circuit.branches.end(), is_storage))
    return part;
  Contraction vertices(network, circuit), components(network, circuit);
  for (const BranchId id : circuit.branches) {
    if (is_offset(branch(id).kind)) vertices.join(branch(id));
    if (is_offset(branch(id).kind) || branch(id).kind == BranchKind::dissipator)
      components.join(branch(id));
  }
  // The root of a component is its smallest vertex: the reference where it belongs to it. Two-ports
  // join components.
  std::map<Vertex, std::size_t> potential_of;
  for (const NodeId node : circuit.nodes)
    if (vertices.find(node) != (ported ? reference_vertex : components.find(node)) &&
        potential_of.try_emplace(vertices.find(node), part.potentials.size()).second)
      part.potentials.push_back(node);
  const auto potential = [&](NodeId node) -> std::optional<std::size_t> {
    const auto place = potential_of.find(vertices.find(node));
    return place == potential_of.end() ? std::nullopt : std::optional(place->second);
  };
  std::unordered_map<BranchId, const CotreeRow*>
      row_of;  // a dissipator in the tree has no other branch in its row
  for (const CotreeRow& row : circuit.cotree) row_of[row.branch] = &row;
  part.balances.resize(part.potentials.size());
  for (const BranchId id : circuit.branches) {
    const Branch& each = branch(id);
    if (is_offset(each.kind)) continue;
    const auto from = potential(each.from), to = potential(each.to);
    if (from != to) {
      if (from) part.balances[*from].push_back({id, 1.0});
      if (to) part.balances[*to].push_back({id, -1.0});
    }
    if (each.kind != BranchKind::dissipator) continue;
    DissipatorEdge edge{id, from, to, {}};
    if (const auto row = row_of.find(id); row != row_of.end())
      for (const LinearTerm& term : row->second->terms)
        if (is_offset(branch(term.branch).kind)) edge.offset.push_back(term);
    part.branches.insert(id);
    part.edges.push_back(std::move(edge));
  }
  Constraints constraints;
  for (const std::uint32_t port : circuit.two_ports) {
    const TwoPort& two_port = network.two_ports[port];
    const Branch &a = branch(two_port.a), &b = branch(two_port.b);
    Constraints::Row row;
    for (const auto& [node, coefficient] :
         {std::pair(a.from, 1.0), std::pair(a.to, -1.0), std::pair(b.from, -two_port.ratio),
          std::pair(b.to, two_port.ratio)}) {
      const auto place = potential(node);
      row[place ? static_cast<std::ptrdiff_t>(*place) : Constraints::root] += coefficient;
    }
    constraints.add(std::move(row));
  }
  part.constraints = constraints.take();
  return part;
}

}  // namespace takt::codegen
