#include "codegen/plan/sampled_loops.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "codegen/plan/symbol_origins.hpp"
#include "runtime/graph/components.hpp"
#include "runtime/graph/disjoint_sets.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t smallest_part = 8;  ///< of a period, taken so that it divides another

class Groups {
 public:
  Groups(const DaeResult& dae, const std::vector<Dependency>& dependencies, std::int64_t outer_ns)
      : dae_(dae),
        dependencies_(dependencies),
        outer_ns_(outer_ns),
        together_(dae.subsystems.size()) {}

  SampledLoops run() {
    std::set<std::int64_t> periods;
    for (const Surrogate& surrogate : dae_.subsystems)
      if (const auto period_ns = sampling_period_ns(surrogate.kind);
          period_ns && *period_ns < outer_ns_)
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
    std::set<graph::Edge> inside;  // of strongly connected parts
    for (const Dependency& dependency : among) {
      const graph::Edge ends = std::minmax(dependency.producer, dependency.consumer);
      const bool loop = component[ends.first] == component[ends.second];
      if (loop) inside.insert(ends);
      if (touches_block(ends)) join(ends, period, loop);
    }
    const std::vector<graph::Edge> edges(inside.begin(), inside.end());
    for (const auto& circle : graph::biconnected_components(dae_.subsystems.size(), edges)) {
      if (std::none_of(circle.begin(), circle.end(),
                       [&](const auto& edge) { return touches_block(edge); }))
        continue;
      for (const graph::Edge& edge : circle) join(edge, period, true);
    }
    note(period);
  }

  [[nodiscard]] bool touches_block(const graph::Edge& edge) const {
    return is_sampled(edge.first) || is_sampled(edge.second);
  }

  void join(const graph::Edge& ends, std::int64_t period, bool loop) {
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
    for (std::size_t index = 0; index < dae_.subsystems.size(); ++index)
      sets[together_.find(index)].push_back(index);
    for (auto& set : sets) {
      std::vector<std::size_t>& members = set.second;
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
  graph::DisjointSets together_;  // subsystems
  std::vector<SampledGroup> groups_;
  std::map<graph::Edge, SampledPair> pairs_;
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

SampledLoops sampled_loops(const DaeResult& dae, const std::vector<Dependency>& dependencies,
                           std::int64_t outer_ns) {
  return Groups(dae, dependencies, outer_ns).run();
}

}  // namespace takt::codegen
