#include "codegen/plan/sampled_loops.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "codegen/plan/symbol_origins.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t smallest_part = 8;  ///< of a period, taken so that it divides another

/// Sets of subsystems that grow together.
class Sets {
 public:
  explicit Sets(std::size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), std::size_t{0}); }
  std::size_t of(std::size_t member) {
    while (leader_[member] != member) member = leader_[member] = leader_[leader_[member]];
    return member;
  }
  void join(std::size_t a, std::size_t b) { leader_[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

 private:
  std::vector<std::size_t> leader_;
};

/// Parts of a graph, as edges, in which any two edges lie on a common circle (J. Hopcroft, R. Tarjan, Comm. ACM 16(6),
/// 1973). Where the graph is strongly connected with directions, so is each part.
class Blocks {
 public:
  using Edge = std::pair<std::size_t, std::size_t>;

  Blocks(std::size_t count, const std::set<Edge>& edges)
      : next_(count), depth_(count, 0), low_(count, 0), tried_(count, 0) {
    for (const auto& [a, b] : edges) next_[a].push_back(b), next_[b].push_back(a);
    for (std::size_t root = 0; root < count; ++root)
      if (depth_[root] == 0) visit(root);
  }
  std::vector<std::vector<Edge>> found;

 private:
  /// Depth first, without recursion.
  void visit(std::size_t root) {
    std::vector<Edge> path{{root, root}};  // node, the one it was reached from
    depth_[root] = low_[root] = 1;
    while (!path.empty()) {
      const auto [node, from] = path.back();
      if (tried_[node] < next_[node].size()) {
        step(node, from, path);
        continue;
      }
      path.pop_back();
      if (path.empty()) continue;
      low_[from] = std::min(low_[from], low_[node]);
      if (low_[node] >= depth_[from]) close({from, node});
    }
  }

  void step(std::size_t node, std::size_t from, std::vector<Edge>& path) {
    const std::size_t to = next_[node][tried_[node]++];
    if (depth_[to] == 0) {
      open_.push_back({node, to});
      depth_[to] = low_[to] = depth_[node] + 1;
      path.emplace_back(to, node);
    } else if (to != from && depth_[to] < depth_[node]) {
      open_.push_back({node, to});
      low_[node] = std::min(low_[node], depth_[to]);
    }
  }

  void close(const Edge& last) {
    std::vector<Edge> block;
    do {
      block.push_back(open_.back());
      open_.pop_back();
    } while (block.back() != last);
    found.push_back(std::move(block));
  }

  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::size_t> depth_, low_, tried_;
  std::vector<Edge> open_;
};

class Groups {
 public:
  Groups(const DaeResult& dae, const std::vector<Dependency>& dependencies, std::int64_t outer_ns)
      : dae_(dae), dependencies_(dependencies), outer_ns_(outer_ns), together_(dae.subsystems.size()) {}

  SampledLoops run() {
    std::set<std::int64_t> periods;
    for (const Surrogate& surrogate : dae_.subsystems)
      if (const auto period_ns = sampling_period_ns(surrogate.kind); period_ns && *period_ns < outer_ns_)
        periods.insert(std::max<std::int64_t>(*period_ns, 1));
    for (const std::int64_t period : periods) add_level(period);
    std::reverse(groups_.begin(), groups_.end());  // outermost first
    for (std::size_t inner = 0; inner < groups_.size(); ++inner)
      for (std::size_t outer = inner; outer-- > 0 && !groups_[inner].parent;)
        if (std::binary_search(groups_[outer].members.begin(), groups_[outer].members.end(),
                               groups_[inner].members.front()))
          groups_[inner].parent = outer;
    fit_periods();
    SampledLoops result{std::move(groups_), {}};
    for (const auto& [ends, pair] : pairs_) result.pairs.push_back(pair);
    return result;
  }

 private:
  [[nodiscard]] bool is_sampled(std::size_t subsystem) const {
    return sampling_period_ns(dae_.subsystems[subsystem].kind).has_value();
  }
  /// Circuits, and blocks sampled at least so often.
  [[nodiscard]] bool takes_part(std::size_t subsystem, std::int64_t period) const {
    return sampling_period_ns(dae_.subsystems[subsystem].kind).value_or(0) <= period;
  }

  void add_level(std::int64_t period) {
    std::vector<Dependency> among;
    std::vector<std::size_t> members;
    for (std::size_t index = 0; index < dae_.subsystems.size(); ++index)
      if (takes_part(index, period)) members.push_back(index);
    for (const Dependency& dependency : dependencies_)
      if (takes_part(dependency.producer, period) && takes_part(dependency.consumer, period))
        among.push_back(dependency);
    const std::vector<std::size_t> component = components(members, among);
    std::set<Blocks::Edge> inside;  // of strongly connected parts
    for (const Dependency& dependency : among) {
      const Blocks::Edge ends = std::minmax(dependency.producer, dependency.consumer);
      const bool loop = component[ends.first] == component[ends.second];
      if (loop) inside.insert(ends);
      if (touches_block(ends)) join(ends, period, loop);
    }
    for (const auto& circle : Blocks(dae_.subsystems.size(), inside).found) {
      if (std::none_of(circle.begin(), circle.end(), [&](const auto& edge) { return touches_block(edge); })) continue;
      for (const auto& [a, b] : circle) join(std::minmax(a, b), period, true);
    }
    note(period);
  }

  [[nodiscard]] bool touches_block(const Blocks::Edge& edge) const {
    return is_sampled(edge.first) || is_sampled(edge.second);
  }

  void join(const Blocks::Edge& ends, std::int64_t period, bool loop) {
    together_.join(ends.first, ends.second);
    pairs_.try_emplace(ends, SampledPair{ends.first, ends.second, period, loop});
  }

  /// Number of the strongly connected part each lies in.
  [[nodiscard]] std::vector<std::size_t> components(const std::vector<std::size_t>& members,
                                                    const std::vector<Dependency>& among) const {
    std::vector<std::size_t> component(dae_.subsystems.size(), dae_.subsystems.size());
    std::size_t number = 0;
    for (const auto& strong : strong_components(members, among)) {
      for (const std::size_t member : strong) component[member] = number;
      ++number;
    }
    return component;
  }

  /// Sets that have grown are groups of this period.
  void note(std::int64_t period) {
    std::map<std::size_t, std::vector<std::size_t>> sets;
    for (std::size_t index = 0; index < dae_.subsystems.size(); ++index) sets[together_.of(index)].push_back(index);
    for (auto& [leader, members] : sets) {
      const auto same = [&](const SampledGroup& group) { return group.members == members; };
      if (members.size() > 1 && std::none_of(groups_.begin(), groups_.end(), same))
        groups_.push_back({period, std::move(members), std::nullopt});
    }
  }

  void fit_periods() {
    for (SampledGroup& group : groups_) {
      const std::int64_t around = group.parent ? groups_[*group.parent].period_ns : outer_ns_;
      const std::int64_t part = std::gcd(group.period_ns, around);
      if (part * smallest_part >= group.period_ns) group.period_ns = part;
    }
  }

  const DaeResult& dae_;
  const std::vector<Dependency>& dependencies_;
  std::int64_t outer_ns_;
  Sets together_;
  std::vector<SampledGroup> groups_;
  std::map<Blocks::Edge, SampledPair> pairs_;
};

}  // namespace

std::vector<Dependency> dependencies_of(const Network& network, const DaeResult& dae) {
  const SymbolOrigins origins(network, dae);
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t consumer = 0; consumer < dae.subsystems.size(); ++consumer)
    for (const SymbolId symbol : symbols_read(network, dae.subsystems[consumer])) {
      const auto flux = origins.flux(symbol);
      const auto producer = origins.owner(flux ? dae.fluxes[*flux].source : symbol);
      if (producer && *producer != consumer) pairs.emplace(*producer, consumer);
    }
  std::vector<Dependency> dependencies;
  for (const auto& [producer, consumer] : pairs) dependencies.push_back({producer, consumer, 0.0});
  return dependencies;
}

SampledLoops sampled_loops(const DaeResult& dae, const std::vector<Dependency>& dependencies, std::int64_t outer_ns) {
  return Groups(dae, dependencies, outer_ns).run();
}

}  // namespace takt::codegen
