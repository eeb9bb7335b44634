#include "codegen/topology/network_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace takt::codegen {

namespace {

using Pair = std::pair<NodeId, NodeId>;

std::size_t index_of(NodeId id) { return static_cast<std::size_t>(id); }

class NetworkRules {
 public:
  NetworkRules(const Network& network, Diagnostics& diagnostics)
      : network_(network), diagnostics_(diagnostics) {
    for (const HeatCoupling& heat : network.heat_couplings)
      crossing_[heat.element].push_back(&heat);
  }

  void check() {
    for (const Element& element : network_.elements) {
      if (element.home == Domain::fluid) {
        check_flow(element);
        check_sources(element, "R002", "demand");
      }
      if (element.home == Domain::solid) check_heat(element);
    }
    check_pumps();
  }

 private:
  struct Ends {
    NodeId a{}, b{};                 ///< ascending
    bool forward = true;             ///< directed from a to b
    const Branch* branch = nullptr;  ///< the only one; nullptr where there are several
  };

  const Branch& branch(BranchId id) const {
    return network_.branches[static_cast<std::size_t>(id)];
  }
  const std::string& path(NodeId id) const { return network_.nodes[index_of(id)].path; }
  bool reference(NodeId id) const { return network_.nodes[index_of(id)].reference; }

  bool has(const Element& element, BranchKind kind) const {
    return std::any_of(element.branches.begin(), element.branches.end(), [&](BranchId id) {
      return branch(id).kind == kind && branch(id).domain == element.home;
    });
  }

  /// The two nodes an element joins, without its internal ones.
  std::optional<Ends> ends(const Element& element) const {
    std::set<NodeId> outer;
    Ends result;
    for (const BranchId id : element.branches) {
      const Branch& each = branch(id);
      if (each.domain != element.home || each.coupling) continue;
      result.branch = outer.empty() ? &each : nullptr;
      for (const NodeId end : {each.from, each.to})
        if (!reference(end) && !path(end).starts_with(element.path + ".")) outer.insert(end);
    }
    if (outer.size() != 2) return std::nullopt;
    result.a = *outer.begin(), result.b = *outer.rbegin();
    result.forward = std::any_of(element.branches.begin(), element.branches.end(),
                                 [&](BranchId id) { return branch(id).from == result.a; });
    return result;
  }

  /// @return the element that stands there already, unless it is of the same array
  template <typename Key>
  const Element* earlier(std::map<Key, const Element*>& places, const Key& key,
                         const Element& element) {
    const auto [place, fresh] = places.emplace(key, &element);
    return fresh || place->second->where == element.where ? nullptr : place->second;
  }

  /// Pipes and pumps between the same junctions; reservoirs with several of them.
  void check_flow(const Element& element) {
    const bool pipe = has(element, BranchKind::through_storage);
    if (!pipe && !element.pump) return;
    const auto between = ends(element);
    if (!between) return;
    const Element* other = earlier(lines_, Pair{between->a, between->b}, element);
    if (other != nullptr &&
        (pipe == has(*other, BranchKind::through_storage) ||
         between->forward == ends(*other)->forward))  // a pump and the way back are a loop
      diagnostics_.warning("R001", element.where,
                           "'" + element.path + "' and '" + other->path + "' both run between '" +
                               path(between->a) + "' and '" + path(between->b) + "'",
                           "they share the flow as their laws say; if one of them is meant to end "
                           "elsewhere, name its node");
    for (const NodeId node : {between->a, between->b}) {
      if (!is_reservoir(node)) continue;
      const Element* first = earlier(at_reservoir_, node, element);
      if (first == nullptr || !told_.insert(node).second) continue;
      diagnostics_.warning("R003", element.where,
                           "reservoir '" + path(node) + "' is on several pipes or pumps: '" +
                               first->path + "', '" + element.path + "'",
                           "its pressure holds for all of them; where they should join before it, "
                           "give that junction a name of its own");
    }
  }

  bool is_reservoir(NodeId node) {
    if (reservoirs_.empty())
      for (const Branch& each : network_.branches)
        if (each.kind == BranchKind::across_source && is_convective(each.domain))
          reservoirs_.insert({each.from, each.to});
    return reservoirs_.contains(node) && !reference(node);
  }

  /// Given flows at the same node.
  void check_sources(const Element& element, const char* code, const char* what) {
    for (const BranchId id : element.branches) {
      const Branch& each = branch(id);
      if (each.domain != element.home || each.kind != BranchKind::through_source ||
          reference(each.from) == reference(each.to) || each.path != element.path)
        continue;
      add_source(element, reference(each.from) ? each.to : each.from, code, what);
    }
  }

  void add_source(const Element& element, NodeId node, const char* code, const char* what) {
    const std::pair place(node, element.home);
    const Element* other = earlier(sources_, place, element);
    if (other != nullptr && told_sources_.insert(place).second)
      diagnostics_.warning(code, element.where,
                           std::string("there is more than one ") + what + " at '" + path(node) +
                               "': '" + other->path + "', '" + element.path + "'; they add up",
                           "one of their sum says the same");
  }

  void check_heat(const Element& element) {
    const auto crossings =
        crossing_.find(element.branches.empty() ? ElementId{~std::uint32_t{0}}
                                                : branch(element.branches.front()).element);
    if (crossings != crossing_.end()) {
      const HeatCoupling& heat = *crossings->second.front();
      if (has(element, BranchKind::through_source))
        return add_source(element, heat.medium, "R002", "heat source");
      parallel_heat(element, {std::min(heat.wall, heat.medium), std::max(heat.wall, heat.medium)},
                    "R006");
      return;
    }
    check_sources(element, "R005", "heat source");
    if (const auto between = ends(element);
        between && between->branch != nullptr && between->branch->kind == BranchKind::dissipator)
      parallel_heat(element, {between->a, between->b}, "R004");
  }

  void parallel_heat(const Element& element, Pair nodes, const char* code) {
    const Element* other = earlier(transfers_, std::tuple{nodes, element.type}, element);
    if (other == nullptr) return;
    diagnostics_.warning(
        code, element.where,
        "'" + element.path + "' and '" + other->path + "' both join '" + path(nodes.first) +
            "' and '" + path(nodes.second) + "'; their heat flows add up",
        "one of their sum says the same; if one of them is meant to end elsewhere, name its node");
  }

  NodeId root(NodeId node) {
    while (parent_[index_of(node)] != node)
      node = parent_[index_of(node)] = parent_[index_of(parent_[index_of(node)])];
    return node;
  }

  /// Pumps whose flow follows from their pressure alone: in a cycle, and between given pressures.
  /// All reservoirs are one vertex then.
  void check_pumps() {
    parent_.resize(network_.nodes.size());
    for (std::size_t k = 0; k < parent_.size(); ++k) parent_[k] = static_cast<NodeId>(k);
    std::vector<std::pair<const Element*, Ends>> pumps;
    for (const Element& element : network_.elements) {
      if (!element.pump) continue;
      const auto between = ends(element);
      if (between && between->branch != nullptr &&
          between->branch->kind == BranchKind::dissipator &&
          between->branch->form != LawForm::through_of)
        pumps.emplace_back(&element, *between);
    }
    for (const auto& [element, between] : pumps) close(*element, between);
    std::optional<NodeId> first;
    for (std::size_t k = 0; k < parent_.size() && !pumps.empty(); ++k) {
      const auto node = static_cast<NodeId>(k);
      if (!is_reservoir(node)) continue;
      if (first && root(*first) == root(node)) {
        diagnostics_.warning(
            "R008", place_of(node, pumps),
            "only pumps lie between the reservoirs '" + path(*first) + "' and '" + path(node) + "'",
            "the flow follows from the pump curves alone and may jump; put a pipe into the path, "
            "which gives the flow its inertia and friction");
      }
      if (!first)
        first = node;
      else
        parent_[index_of(root(node))] = root(*first);
    }
  }

  void close(const Element& element, const Ends& between) {
    if (root(between.a) == root(between.b)) {
      diagnostics_.warning("R007", element.where, "'" + element.path + "' closes a cycle of pumps",
                           "the flow in it follows from the pump curves alone and may jump; put a "
                           "pipe into the cycle, or check where the pumps end");
      return;
    }
    parent_[index_of(root(between.b))] = root(between.a);
  }

  /// Of a pump at the node, else of the node.
  Location place_of(NodeId node, const std::vector<std::pair<const Element*, Ends>>& pumps) const {
    for (const auto& [element, between] : pumps)
      if (between.a == node || between.b == node) return element->where;
    return network_.nodes[index_of(node)].where;
  }

  const Network& network_;
  Diagnostics& diagnostics_;
  std::map<ElementId, std::vector<const HeatCoupling*>> crossing_;
  std::map<Pair, const Element*> lines_;
  std::map<NodeId, const Element*> at_reservoir_;
  std::map<std::pair<NodeId, Domain>, const Element*> sources_;
  std::set<std::pair<NodeId, Domain>> told_sources_;
  std::map<std::tuple<Pair, std::string>, const Element*> transfers_;
  std::set<NodeId> reservoirs_, told_;
  std::vector<NodeId> parent_;
};

/// Volumes of gas or liquid that nothing resists between: the surrogate keeps their sum and one
/// pressure.
void check_joined_volumes(const Network& network, const TopologyResult& topology,
                          Diagnostics& diagnostics) {
  for (const CircuitTopology& circuit : topology.circuits) {
    for (const BranchId id : circuit.dependent_across_storages) {
      const Branch& dependent = network.branches[static_cast<std::size_t>(id)];
      if (!is_convective(dependent.domain)) continue;
      const auto row = std::find_if(circuit.cotree.begin(), circuit.cotree.end(),
                                    [&](const CotreeRow& each) { return each.branch == id; });
      std::string others;
      for (const LinearTerm& term : row->terms) {
        const Branch& other = network.branches[static_cast<std::size_t>(term.branch)];
        if (other.kind == BranchKind::across_storage || other.kind == BranchKind::across_source)
          others += (others.empty() ? "'" : ", '") + other.path + "'";
      }
      diagnostics.warning(
          "R013", dependent.where,
          "nothing resists the flow between '" + dependent.path + "' and " + others +
              ": they are merged and share one pressure",
          "put a pipe, an orifice or a resistance between them, or make them one volume");
    }
  }
}

}  // namespace

void check_network_rules(const Network& network, const TopologyResult& topology,
                         Diagnostics& diagnostics) {
  NetworkRules(network, diagnostics).check();
  check_joined_volumes(network, topology, diagnostics);
}

}  // namespace takt::codegen
