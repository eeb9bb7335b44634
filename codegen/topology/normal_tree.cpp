#include "codegen/topology/normal_tree.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "codegen/topology/exact_number.hpp"
#include "codegen/topology/tree_steps.hpp"
#include "runtime/graph/disjoint_sets.hpp"

namespace takt::codegen {

namespace {

using Terms = std::map<std::uint32_t, ExactNumber>;  // variable -> coefficient, zeros removed

void add_scaled(Terms& target, const Terms& source, ExactNumber factor) {
  for (const auto& [variable, coefficient] : source) {
    const auto [place, fresh] = target.try_emplace(variable);
    place->second = place->second + coefficient * factor;
    if (place->second.is_zero()) target.erase(place);
  }
}

/// Node potentials as combinations of tree across variables and still free potentials.
class PotentialSpace {
 public:
  PotentialSpace(const Network& network, const CircuitTopology& circuit) : network_(network) {
    for (const NodeId node : circuit.nodes) {
      const auto id = static_cast<std::uint32_t>(node);
      potential_[id].free = {{id, ExactNumber::integer(1)}};
      users_[id] = {id};
    }
  }

  struct Row {
    Terms tree;  // branch id -> coefficient
    Terms free;  // node id -> coefficient
  };

  [[nodiscard]] Row across(const Branch& branch) const {
    Row row;
    add(row, branch.from, ExactNumber::integer(1));
    add(row, branch.to, ExactNumber::integer(-1));
    return row;
  }

  static void add(Row& target, const Row& source, ExactNumber factor) {
    add_scaled(target.tree, source.tree, factor);
    add_scaled(target.free, source.free, factor);
  }

  /// Uses "row = value" to eliminate one free potential; value is a tree variable, or zero for a
  /// constraint.
  /// @return the eliminated free potential
  std::uint32_t eliminate(const Row& row, const Terms& value) {
    // The free potential that the fewest nodes refer to: small sets merge into large ones.
    const auto pivot =
        std::min_element(row.free.begin(), row.free.end(), [&](const auto& a, const auto& b) {
          return users_.at(a.first).size() < users_.at(b.first).size();
        });
    const std::uint32_t eliminated = pivot->first;
    Row replacement;  // eliminated = (value - other terms) / pivot
    add_scaled(replacement.tree, value, ExactNumber::integer(1) / pivot->second);
    Row others = row;
    others.free.erase(eliminated);
    add(replacement, others, -(ExactNumber::integer(1) / pivot->second));
    for (const std::uint32_t node : users_.at(eliminated)) {
      Row& target = potential_.at(node);
      const auto used = target.free.find(eliminated);
      if (used == target.free.end()) continue;  // cancelled since
      const ExactNumber factor = used->second;
      target.free.erase(used);
      add(target, replacement, factor);
      for (const auto& [variable, coefficient] : replacement.free)
        if (target.free.contains(variable)) users_.at(variable).insert(node);
    }
    users_.erase(eliminated);
    return eliminated;
  }

  [[nodiscard]] const Row& potential(NodeId node) const {
    return potential_.at(static_cast<std::uint32_t>(node));
  }

 private:
  void add(Row& row, NodeId node, ExactNumber factor) const {
    if (!network_.nodes[static_cast<std::size_t>(node)].reference)
      add(row, potential(node), factor);
  }

  const Network& network_;
  std::unordered_map<std::uint32_t, Row> potential_;
  std::unordered_map<std::uint32_t, std::set<std::uint32_t>>
      users_;  // free potential -> nodes that may refer to it
};

std::vector<LinearTerm> branch_terms(const Terms& terms) {
  std::vector<LinearTerm> result;
  for (const auto& [branch, coefficient] : terms)
    result.push_back({static_cast<BranchId>(branch), coefficient.value()});
  return result;
}

/// Branches to the reference, of every node; where there is none, to the first node.
std::unordered_map<NodeId, std::size_t> distances(const Network& network,
                                                  const CircuitTopology& circuit) {
  std::unordered_map<NodeId, std::vector<NodeId>> next;
  std::unordered_map<NodeId, std::size_t> distance;
  std::vector<NodeId> open;
  const auto reach = [&](NodeId node, std::size_t at) {
    if (distance.try_emplace(node, at).second) open.push_back(node);
  };
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    next[branch.from].push_back(branch.to), next[branch.to].push_back(branch.from);
    for (const NodeId node : {branch.from, branch.to})
      if (network.nodes[static_cast<std::size_t>(node)].reference) reach(node, 0);
  }
  const auto spread = [&](std::size_t from) {
    for (std::size_t k = from; k < open.size(); ++k) {
      const NodeId node = open[k];
      for (const NodeId other : next[node]) reach(other, distance.at(node) + 1);
    }
  };
  spread(0);
  for (const NodeId node : circuit.nodes) {  // parts that only two-ports join
    const std::size_t from = open.size();
    reach(node, 0);
    spread(from);
  }
  return distance;
}

/// Branches from which on the tree is kept shallow: paths through it, and with them the terms of
/// loops, are short. Below, elements stand in the order in which the user wrote them.
constexpr std::size_t smallest_shallow = 500;

/// Greedy order: A, C, R, L, T. The user may start any independent storage, so started C come first
/// and started L last.
std::vector<BranchId> greedy_order(const Network& network, const CircuitTopology& circuit) {
  const auto rank = [&](BranchId id) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    const bool started = branch.started();
    switch (branch.kind) {
      case BranchKind::across_source:
        return 0;
      case BranchKind::across_storage:
        return started ? 10 : 11;
      case BranchKind::dissipator:
        return branch.form == LawForm::across_of ? 20 : branch.form == LawForm::implicit ? 21 : 22;
      case BranchKind::through_storage:
        return started ? 31 : 30;
      default:
        return 40;
    }
  };
  std::vector<BranchId> order = circuit.branches;
  if (order.size() >= smallest_shallow) {
    const std::unordered_map<NodeId, std::size_t> distance = distances(network, circuit);
    const auto nearer = [&](BranchId id) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      return std::min(distance.at(branch.from), distance.at(branch.to));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](BranchId a, BranchId b) { return nearer(a) < nearer(b); });
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](BranchId a, BranchId b) { return rank(a) < rank(b); });
  return order;
}

/// Through variables of the ports from the node balances at the potentials the constraints
/// eliminated: C^T f_a = -A f with C the constraint matrix; restricted to the pivot nodes C^T is
/// square and regular.
void solve_port_throughs(const Network& network, CircuitTopology& circuit,
                         const std::vector<std::uint32_t>& ports,
                         const std::vector<std::uint32_t>& pivots) {
  const std::size_t n = ports.size();
  std::map<std::uint32_t, std::size_t> row_of;
  for (std::size_t k = 0; k < n; ++k) row_of[pivots[k]] = k;
  std::vector<Terms> matrix(n), right(n);           // rows over ports, over branch ids
  std::vector<std::set<std::size_t>> rows_with(n);  // per port
  const auto spread = [&](const Branch& branch, ExactNumber factor, auto&& put) {
    if (const auto row = row_of.find(static_cast<std::uint32_t>(branch.from)); row != row_of.end())
      put(row->second, factor);
    if (const auto row = row_of.find(static_cast<std::uint32_t>(branch.to)); row != row_of.end())
      put(row->second, -factor);
  };
  for (std::size_t column = 0; column < n; ++column) {
    const TwoPort& port = network.two_ports[ports[column]];
    const auto put = [&](std::size_t row, ExactNumber factor) {
      add_scaled(matrix[row], {{static_cast<std::uint32_t>(column), factor}},
                 ExactNumber::integer(1));
      rows_with[column].insert(row);
    };
    spread(network.branches[static_cast<std::size_t>(port.a)], ExactNumber::integer(1), put);
    spread(network.branches[static_cast<std::size_t>(port.b)], -ExactNumber::ratio(port.ratio),
           put);
  }
  for (const BranchId id : circuit.branches)
    spread(network.branches[static_cast<std::size_t>(id)], ExactNumber::integer(-1),
           [&](std::size_t row, ExactNumber factor) {
             add_scaled(right[row], {{static_cast<std::uint32_t>(id), factor}},
                        ExactNumber::integer(1));
           });
  std::vector<std::size_t> row_at(n), place_of(n);  // rows in the order of their pivots, and back
  std::iota(row_at.begin(), row_at.end(), std::size_t{0});
  std::iota(place_of.begin(), place_of.end(), std::size_t{0});
  for (std::uint32_t column = 0; column < n; ++column) {
    std::size_t place = n;
    for (const std::size_t row : rows_with[column])
      if (place_of[row] >= column && matrix[row].contains(column))
        place = std::min(place, place_of[row]);
    if (place == n) return;  // locked ports: reported by the caller
    std::swap(row_at[place], row_at[column]);
    std::swap(place_of[row_at[place]], place_of[row_at[column]]);
    const Terms& pivot_row = matrix[row_at[column]];
    const std::vector<std::size_t> touched(rows_with[column].begin(), rows_with[column].end());
    for (const std::size_t row : touched) {
      const auto entry = matrix[row].find(column);
      if (row == row_at[column] || entry == matrix[row].end()) continue;
      const ExactNumber factor = -(entry->second / pivot_row.at(column));
      add_scaled(matrix[row], pivot_row, factor);
      add_scaled(right[row], right[row_at[column]], factor);
      for (const auto& [other, coefficient] : pivot_row)
        if (matrix[row].contains(other)) rows_with[other].insert(row);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t row = row_at[k];
    Terms terms;
    add_scaled(terms, right[row],
               ExactNumber::integer(1) / matrix[row].at(static_cast<std::uint32_t>(k)));
    circuit.port_throughs.push_back({network.two_ports[ports[k]].a, branch_terms(terms)});
  }
}

}  // namespace

namespace {

/// Two-ports that constrain potentials, and the potentials that were eliminated by them.
struct PortPivots {
  std::vector<std::uint32_t> ports, pivots;
};

/// Potentials with the constraints of the two-ports in them.
PotentialSpace constrained_space(const Network& network, const CircuitTopology& circuit,
                                 NormalTreeFindings& findings, PortPivots& eliminated) {
  PotentialSpace space(network, circuit);
  for (const std::uint32_t index : circuit.two_ports) {
    const TwoPort& port = network.two_ports[index];
    PotentialSpace::Row row = space.across(network.branches[static_cast<std::size_t>(port.a)]);
    PotentialSpace::add(row, space.across(network.branches[static_cast<std::size_t>(port.b)]),
                        -ExactNumber::ratio(port.ratio));
    if (row.free.empty()) {
      findings.locked_ports.push_back(index);
      continue;
    }
    eliminated.ports.push_back(index);
    eliminated.pivots.push_back(space.eliminate(row, {}));
  }
  return space;
}

/// Puts each branch in turn into the tree where its across variable is not yet determined, else
/// into the cotree.
void grow_basis(const Network& network, PotentialSpace& space, const std::vector<BranchId>& order,
                Basis& basis) {
  for (const BranchId id : order) {
    const PotentialSpace::Row row = space.across(network.branches[static_cast<std::size_t>(id)]);
    if (row.free.empty()) {
      basis.cotree.push_back({id, branch_terms(row.tree)});
      continue;
    }
    // The tree terms of the row are part of the elimination: x_branch = tree terms + free terms.
    space.eliminate(row, {{static_cast<std::uint32_t>(id), ExactNumber::integer(1)}});
    basis.tree.push_back(id);
  }
}

/// Without two-ports the across variables are those of a graph: a branch whose ends hang together
/// is determined by the tree between them. Nothing is eliminated, which costs the square of a long
/// chain.
Basis spanning_basis(const Network& network, const CircuitTopology& circuit,
                     const std::vector<BranchId>& order) {
  std::unordered_map<NodeId, std::size_t> number;
  for (const NodeId node : circuit.nodes) number.emplace(node, number.size() + 1);
  const auto vertex = [&](NodeId node) {
    return network.nodes[static_cast<std::size_t>(node)].reference ? std::size_t{0}
                                                                   : number.at(node);
  };
  graph::DisjointSets parts(number.size() + 1);
  Basis basis;
  for (const BranchId id : order) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    const std::size_t from = vertex(branch.from), to = vertex(branch.to);
    if (parts.find(from) == parts.find(to)) {
      basis.cotree.push_back({id, {}});
      continue;
    }
    parts.join(from, to);
    basis.tree.push_back(id);
  }
  const TreePaths paths(network, circuit, basis.tree);
  for (CotreeRow& row : basis.cotree) {
    const Branch& branch = network.branches[static_cast<std::size_t>(row.branch)];
    row.terms = paths.between(branch.from, branch.to);
  }
  return basis;
}

NormalTreeFindings build_spanning_tree(const Network& network, CircuitTopology& circuit) {
  NormalTreeFindings findings;
  Basis basis = spanning_basis(network, circuit, greedy_order(network, circuit));
  circuit.tree = std::move(basis.tree);
  circuit.cotree = std::move(basis.cotree);
  const TreePaths paths(network, circuit, circuit.tree);
  for (const NodeId node : circuit.nodes) {
    if (!paths.is_tied(node)) findings.undetermined.push_back(node);
    if (!goes_along_tree(circuit)) circuit.potentials.push_back({node, paths.from_root(node)});
  }
  return findings;
}

}  // namespace

Basis greedy_basis(const Network& network, const CircuitTopology& circuit,
                   const std::vector<BranchId>& order) {
  if (circuit.two_ports.empty()) return spanning_basis(network, circuit, order);
  NormalTreeFindings findings;
  PortPivots eliminated;
  PotentialSpace space = constrained_space(network, circuit, findings, eliminated);
  Basis basis;
  grow_basis(network, space, order, basis);
  return basis;
}

NormalTreeFindings build_normal_tree(const Network& network, CircuitTopology& circuit) {
  if (circuit.two_ports.empty()) return build_spanning_tree(network, circuit);
  NormalTreeFindings findings;
  PortPivots eliminated;
  PotentialSpace space = constrained_space(network, circuit, findings, eliminated);
  Basis basis;
  grow_basis(network, space, greedy_order(network, circuit), basis);
  circuit.tree = std::move(basis.tree);
  circuit.cotree = std::move(basis.cotree);
  for (const NodeId node : circuit.nodes) {
    const PotentialSpace::Row& row = space.potential(node);
    if (!row.free.empty()) findings.undetermined.push_back(node);
    circuit.potentials.push_back({node, branch_terms(row.tree)});
  }
  solve_port_throughs(network, circuit, eliminated.ports, eliminated.pivots);
  return findings;
}

}  // namespace takt::codegen
