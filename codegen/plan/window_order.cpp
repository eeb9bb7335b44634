#include "codegen/plan/window_order.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "codegen/plan/evaluation_order.hpp"
#include "codegen/plan/gather_alike.hpp"
#include "codegen/plan/groups.hpp"
#include "codegen/plan/patterns.hpp"
#include "codegen/plan/subject_names.hpp"

namespace takt::codegen {
namespace {

/// A member of a group on its level: a subsystem or a group inside.
struct LevelMember {
  bool group = false;
  std::size_t index = 0;                                        ///< of the subsystem or the group
  std::size_t first = std::numeric_limits<std::size_t>::max();  ///< its first subsystem
  std::int64_t rate_ns = std::numeric_limits<std::int64_t>::max();  ///< its shortest micro-step
};

class WindowOrder {
 public:
  WindowOrder(Plan& plan, const Network& network, const DaeResult& dae,
              const std::vector<Extrapolation>& costs)
      : plan_(plan), network_(network), dae_(dae), costs_(costs), couplings_(plan.groups.size()) {
    for (std::size_t index = 0; index < plan_.couplings.size(); ++index) {
      PlanCoupling& coupling = plan_.couplings[index];
      coupling.group = common_group(plan_, plan_.subsystems[coupling.producer].group,
                                    plan_.subsystems[coupling.consumer].group);
      couplings_[coupling.group].push_back(index);
    }
  }

  void run() {
    plan_.order.clear();
    order_group(0);
  }

 private:
  [[nodiscard]] std::vector<LevelMember> members_of(std::size_t group) const {
    std::map<std::size_t, LevelMember> groups;
    std::vector<LevelMember> members;
    for (std::size_t index = 0; index < plan_.subsystems.size(); ++index) {
      const PlanSubsystem& subsystem = plan_.subsystems[index];
      if (subsystem.group == group)
        members.push_back(
            {.group = false, .index = index, .first = index, .rate_ns = subsystem.step_ns});
      if (subsystem.group == group || !lies_in(plan_, subsystem.group, group)) continue;
      const std::size_t inner = *member_towards(plan_, subsystem.group, group);
      LevelMember& member = groups[inner];
      member.group = true, member.index = inner;
      member.first = std::min(member.first, index);
      member.rate_ns = std::min(member.rate_ns, subsystem.step_ns);
    }
    for (const auto& [inner, member] : groups) members.push_back(member);
    std::sort(members.begin(), members.end(),
              [](const LevelMember& a, const LevelMember& b) { return a.first < b.first; });
    return members;
  }

  /// Place in the user's sequence; what it does not name comes after.
  [[nodiscard]] std::size_t place_in_sequence(const LevelMember& member,
                                              const std::vector<std::string>& sequence) const {
    if (sequence.empty()) return 0;
    const std::vector<std::string> names =
        member.group ? std::vector<std::string>{plan_.groups[member.index].name}
                     : names_of(network_, dae_.subsystems[member.index]);
    for (std::size_t place = 0; place < sequence.size(); ++place)
      if (names_match(sequence[place], names)) return place;
    return sequence.size();
  }

  void order_group(std::size_t group) {
    const std::vector<LevelMember> members = members_of(group);
    const Scheme scheme = plan_.groups[group].scheme;
    std::vector<std::string> sequence;
    for (const SyncSetting& setting : network_.sync)
      if (setting.name == plan_.groups[group].name) sequence = setting.sequence;
    // Equal classes are ordered by dependency.
    std::map<std::tuple<std::size_t, std::int64_t>, std::vector<std::size_t>> classes;
    for (std::size_t node = 0; node < members.size(); ++node) {
      const bool by_dependency = scheme == Scheme::by_dependency || scheme == Scheme::jacobi;
      const std::int64_t rate = by_dependency                  ? 0
                                : scheme == Scheme::slow_first ? -members[node].rate_ns
                                                               : members[node].rate_ns;
      classes[{place_in_sequence(members[node], sequence), rate}].push_back(node);
    }
    const std::vector<std::size_t> node_of = nodes_of_subsystems(members, group);
    for (const auto& [rank, nodes] : classes) {
      for (const std::size_t node : order_class(members, nodes, node_of, group)) {
        if (members[node].group)
          order_group(members[node].index);
        else
          plan_.order.push_back(members[node].index);
      }
    }
    if (scheme == Scheme::decoupled || scheme == Scheme::jacobi) decouple(group, members, node_of);
  }

  /// Of each subsystem in the group: the member it is or lies in.
  [[nodiscard]] std::vector<std::size_t> nodes_of_subsystems(
      const std::vector<LevelMember>& members, std::size_t group) const {
    std::map<std::size_t, std::size_t> of_group;
    std::vector<std::size_t> nodes(plan_.subsystems.size());
    for (std::size_t node = 0; node < members.size(); ++node) {
      if (members[node].group)
        of_group[members[node].index] = node;
      else
        nodes[members[node].index] = node;
    }
    for (std::size_t index = 0; index < plan_.subsystems.size(); ++index) {
      if (!lies_in(plan_, plan_.subsystems[index].group, group)) continue;
      if (const auto inner = member_towards(plan_, plan_.subsystems[index].group, group))
        nodes[index] = of_group.at(*inner);
    }
    return nodes;
  }

  /// What subsystems share that probably have the same code; a group is of its own kind.
  [[nodiscard]] std::vector<std::size_t> kinds_of(const std::vector<LevelMember>& members,
                                                  const std::vector<std::size_t>& nodes) const {
    using Likeness =
        std::tuple<CircuitDomain, const Method*, std::int64_t, std::array<std::size_t, 7>>;
    std::map<Likeness, std::size_t> known;
    std::vector<std::size_t> kinds;
    for (const std::size_t node : nodes) {
      const LevelMember& member = members[node];
      if (member.group) {
        kinds.push_back(members.size() + node);
        continue;
      }
      const PlanSubsystem& plan = plan_.subsystems[member.index];
      const Surrogate& surrogate = dae_.subsystems[member.index];
      const std::array<std::size_t, 7> sizes{surrogate.equations,      surrogate.states.size(),
                                             surrogate.algebra.size(), plan.inputs.size(),
                                             plan.outputs.size(),      plan.sent.size(),
                                             plan.received.size()};
      kinds.push_back(
          known.try_emplace({plan.domain, plan.method, plan.step_ns, sizes}, known.size())
              .first->second);
    }
    return kinds;
  }

  [[nodiscard]] std::vector<std::size_t> order_class(const std::vector<LevelMember>& members,
                                                     const std::vector<std::size_t>& nodes,
                                                     const std::vector<std::size_t>& node_of,
                                                     std::size_t group) const {
    std::map<std::size_t, std::size_t> local;
    for (const std::size_t node : nodes) local.emplace(node, local.size());
    std::vector<Dependency> dependencies;
    for (const std::size_t index : couplings_[group]) {
      const auto producer = local.find(node_of[plan_.couplings[index].producer]);
      const auto consumer = local.find(node_of[plan_.couplings[index].consumer]);
      if (producer == local.end() || consumer == local.end() || plan_.couplings[index].delay)
        continue;
      dependencies.push_back({producer->second, consumer->second, costs_[index].penalty});
    }
    std::vector<std::size_t> ordered;
    const std::vector<std::size_t> order = evaluation_order(nodes.size(), dependencies).order;
    for (const std::size_t place : gather_alike(order, dependencies, kinds_of(members, nodes)))
      ordered.push_back(nodes[place]);
    return ordered;
  }

  void decouple(std::size_t group, const std::vector<LevelMember>& members,
                const std::vector<std::size_t>& node_of) {
    for (const std::size_t index : couplings_[group]) {
      PlanCoupling& coupling = plan_.couplings[index];
      const std::size_t from = node_of[coupling.producer], to = node_of[coupling.consumer];
      const bool apart = plan_.groups[group].scheme == Scheme::jacobi
                             ? from != to
                             : members[from].rate_ns != members[to].rate_ns;
      if (apart) coupling.lag = 1;
    }
  }

  Plan& plan_;
  const Network& network_;
  const DaeResult& dae_;
  const std::vector<Extrapolation>& costs_;
  std::vector<std::vector<std::size_t>> couplings_;  // by the group they cross in
};

/// FMUs have their processes: while one computes its window, the others compute theirs.
bool runs_beside(const Network& network, const DaeResult& dae, std::size_t subsystem) {
  const auto* task = std::get_if<ForeignTask>(&dae.subsystems[subsystem].kind);
  return task != nullptr && !network.foreign[task->model].waited_for;
}

}  // namespace

void order_windows(Plan& plan, const Network& network, const DaeResult& dae,
                   const std::vector<Extrapolation>& costs) {
  WindowOrder(plan, network, dae, costs).run();
  std::vector<std::size_t> position(plan.order.size());
  for (std::size_t place = 0; place < plan.order.size(); ++place)
    position[plan.order[place]] = place;
  for (std::size_t index = 0; index < plan.couplings.size(); ++index) {
    PlanCoupling& coupling = plan.couplings[index];
    const bool beside = runs_beside(network, dae, coupling.producer) ||
                        runs_beside(network, dae, coupling.consumer);
    if (beside || coupling.delay || position[coupling.producer] > position[coupling.consumer])
      coupling.lag = 1;
    coupling.order = exchange_order(plan, coupling);
    if (coupling.lag == 1)
      coupling.reason = beside ? "an FMU computes beside the others" : costs[index].reason;
  }
  for (PlanSubsystem& subsystem : plan.subsystems)
    subsystem.input_degree.assign(subsystem.inputs.size(), 0);
  for (const PlanCoupling& coupling : plan.couplings) {
    PlanSubsystem& consumer = plan.subsystems[coupling.consumer];
    // What arrives over a line goes straight from sample to sample.
    consumer.input_degree[index_in(consumer.inputs, coupling.to)] =
        coupling.delay ? 1 : coupling.order;
  }
}

}  // namespace takt::codegen
