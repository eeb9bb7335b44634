#include "codegen/topology/switch_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace takt::codegen {
namespace {

constexpr std::size_t most_steps = 200'000;  // of the search, per circuit
constexpr std::size_t most_loops = 1000;
constexpr std::size_t longest_loop = 16;

const Branch& branch_of(const Network& network, BranchId id) {
  return network.branches[static_cast<std::size_t>(id)];
}

/// Searches loops from each switch, over supplies and switches after it, shorter ones first.
class LoopSearch {
 public:
  LoopSearch(const Network& network, const CircuitTopology& circuit,
             const std::vector<SwitchingBranch>& switches, const NominalValues& values)
      : network_(network), values_(values) {
    for (const SwitchingBranch& device : switches)
      if (!device.gates.empty() && (device.gated.forward || device.gated.backward))
        add_edge(device.branch, &device);
    gated_ = edges_.size();
    for (const BranchId id : circuit.branches) {
      const BranchKind kind = branch_of(network, id).kind;
      if (kind == BranchKind::across_source || kind == BranchKind::across_storage)
        add_edge(id, nullptr);
    }
  }

  [[nodiscard]] std::vector<SwitchLoop> run() {
    for (std::size_t length = 2; length <= std::min(longest_loop, edges_.size()); ++length) {
      for (std::size_t first = 0; first < gated_; ++first) {
        const Edge& edge = edges_[first];
        path_ = {first};
        visited_ = {edge.from, edge.to};
        if (edge.from != edge.to)
          extend(edge.to, edge.from, length,
                 {edge.device->gated.forward, edge.device->gated.backward});
      }
    }
    std::vector<SwitchLoop> loops;
    for (auto& [switches, loop] : found_) loops.push_back(std::move(loop));
    return loops;
  }

 private:
  struct Edge {
    BranchId branch{};
    NodeId from{}, to{};
    const SwitchingBranch* device = nullptr;  // none: a supply
  };
  void add_edge(BranchId id, const SwitchingBranch* device) {
    const Branch& branch = branch_of(network_, id);
    const std::size_t index = edges_.size();
    edges_.push_back({id, branch.from, branch.to, device});
    at_node_[branch.from].push_back(index);
    if (branch.to != branch.from) at_node_[branch.to].push_back(index);
  }

  /// Directions in which the switches of a path conduct.
  struct Directions {
    bool with, against;
  };

  /// Loops of just `length` edges.
  void extend(NodeId at, NodeId target, std::size_t length, const Directions& so_far) {
    if (++steps_ > most_steps || found_.size() >= most_loops) return;
    for (const std::size_t index : at_node_[at]) {
      const Edge& edge = edges_[index];
      if (index <= path_.front()) continue;
      const int direction = edge.from == at ? 1 : -1;
      const NodeId next = direction > 0 ? edge.to : edge.from;
      const bool closes = next == target, last = path_.size() + 1 == length;
      if (closes != last || (!closes && visited_.contains(next))) continue;
      const Directions still{
          so_far.with && (edge.device == nullptr || edge.device->gated.in(direction)),
          so_far.against && (edge.device == nullptr || edge.device->gated.in(-direction))};
      if (!still.with && !still.against) continue;
      path_.push_back(index);
      if (closes) {
        keep();
      } else {
        visited_.insert(next);
        extend(next, target, length, still);
        visited_.erase(next);
      }
      path_.pop_back();
    }
  }

  void keep() {
    SwitchLoop loop;
    std::size_t sources = 0, blocks = 0;
    bool after_switch = true;
    for (const std::size_t index : path_) {  // begins with a switch
      const Edge& edge = edges_[index];
      if (edge.device != nullptr) {
        loop.switches.push_back(edge.branch);
        loop.resistance += edge.device->resistance;
        loop.on_resistances.emplace_back(edge.branch, edge.device->resistance);
        after_switch = true;
      } else if (!is_wire(edge.branch)) {
        loop.supplies.push_back(edge.branch);
        sources += branch_of(network_, edge.branch).kind == BranchKind::across_source ? 1 : 0;
        blocks += after_switch ? 1 : 0;
        after_switch = false;
      }
    }
    if (loop.supplies.empty()) return;
    const bool stack = sources == 0 && blocks == 1 && loop.switches.size() > 1;
    loop.kind = sources == loop.supplies.size() || stack ? SwitchLoop::Kind::short_circuit
                                                         : SwitchLoop::Kind::surge;
    std::sort(loop.supplies.begin(), loop.supplies.end());
    std::sort(loop.switches.begin(), loop.switches.end());
    loop.closed = closed(loop.switches);
    auto& place = found_[loop.switches];
    // Of several loops through the same switches: a short circuit before a surge, the shorter one
    // before the longer.
    if (place.switches.empty() ||
        (place.kind == SwitchLoop::Kind::surge && loop.kind == SwitchLoop::Kind::short_circuit))
      place = std::move(loop);
  }

  /// A voltage source of 0 V: an ammeter, a ground.
  [[nodiscard]] bool is_wire(BranchId id) const {
    const Branch& branch = branch_of(network_, id);
    return branch.kind == BranchKind::across_source && values_.is_known(branch.law, false) &&
           values_.of(branch.law) == 0.0;
  }

  [[nodiscard]] Expr closed(const std::vector<BranchId>& switches) {
    Expr all = network_.graph().one();
    for (std::size_t k = 0; k < gated_; ++k)
      if (std::binary_search(switches.begin(), switches.end(), edges_[k].branch))
        all = network_.graph().binary(Op::logical_and, all, edges_[k].device->closed);
    return all;
  }

  const Network& network_;
  const NominalValues& values_;
  std::vector<Edge> edges_;  // switches first
  std::size_t gated_ = 0, steps_ = 0;
  std::map<NodeId, std::vector<std::size_t>> at_node_;
  std::vector<std::size_t> path_;
  std::set<NodeId> visited_;
  std::map<std::vector<BranchId>, SwitchLoop> found_;
};

}  // namespace

std::vector<SwitchLoop> find_switch_loops(const Network& network, const CircuitTopology& circuit,
                                          const std::vector<SwitchingBranch>& switches,
                                          const NominalValues& values) {
  return LoopSearch(network, circuit, switches, values).run();
}

}  // namespace takt::codegen
