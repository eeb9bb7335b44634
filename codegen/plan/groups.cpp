#include "codegen/plan/groups.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "codegen/plan/patterns.hpp"
#include "codegen/plan/sampled_loops.hpp"
#include "codegen/plan/subject_names.hpp"
#include "codegen/plan/travel_delays.hpp"
#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t default_period_ns =
    1'000'000;  // 1 ms: what a CAN-connected ECU expects of its plant

bool has_wildcard(std::string_view pattern) { return pattern.find('*') != std::string_view::npos; }

/// What a pattern without wildcard may say for a name: "solid", "solid.chip" and "solid.chip.t" for
/// the last of them.
template <class Use>
void for_each_head(std::string_view name, const Use& use) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1))
    use(name.substr(0, dot));
  use(name);
}

/// [sync] as a tree, outermost group first.
class GroupTree {
 public:
  GroupTree(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics)
      : plan_(plan), network_(network), dae_(dae), diagnostics_(diagnostics) {}

  void build() {
    if (network_.sync.empty()) {
      propose();
    } else {
      std::vector<std::size_t> outermost = find_parents();
      if (outermost.size() > 1) refuse_forest(outermost);
      outermost.resize(1);
      for (const std::size_t setting : outermost) add(setting, {}, 0);
      check_members();
      index_members();
    }
    for (std::size_t index = 0; index < plan_.subsystems.size(); ++index)
      network_.sync.empty() ? put(index, innermost_with(index)) : place(index);
    plan_.macro_step_ns = plan_.groups.front().period_ns;
    if (!network_.sync.empty()) check_sampling();
  }

 private:
  /// One group and, inside, those that blocks sampled more often need.
  void propose() {
    const auto add_proposed = [&](std::string name, std::optional<std::size_t> parent,
                                  std::int64_t period_ns) {
      plan_.groups.push_back({.name = std::move(name),
                              .parent = parent,
                              .period_ns = period_ns,
                              .scheme = Scheme::by_dependency,
                              .order = {},
                              .smooth = false,
                              .members = {},
                              .proposed = true});
    };
    const std::int64_t outermost_ns = proposed_period_ns();
    add_proposed("plant", {}, outermost_ns);
    if (!sampled_within(outermost_ns)) return;
    const SampledLoops loops = sampled_loops(dae_, dependencies_of(network_, dae_), outermost_ns);
    for (const SampledGroup& group : loops.groups) {
      const auto same = static_cast<std::size_t>(std::count_if(
          plan_.groups.begin(), plan_.groups.end(),
          [&](const SyncGroup& other) { return other.period_ns == group.period_ns; }));
      std::string name =
          "loop_" + period_text(group.period_ns) + (same > 0 ? "_" + std::to_string(same + 1) : "");
      add_proposed(std::move(name), group.parent ? *group.parent + 1 : 0, group.period_ns);
      proposed_members_.push_back(group.members);
    }
  }

  /// What is recorded is there at the end of a macro-step.
  [[nodiscard]] std::int64_t proposed_period_ns() const {
    std::int64_t common_ns = 0;
    for (const RecordSetting& record : network_.record)
      common_ns = std::gcd(common_ns, record.period_ns);
    const std::int64_t usual_ns = usual_period_ns(network_, dae_);
    const std::int64_t longest_ns = std::min(usual_ns, shortest_travel_ns(network_));
    if (common_ns == 0) common_ns = usual_ns;
    // Where all delays are multiples of it, lines lose nothing.
    const std::int64_t shared_ns = std::gcd(common_ns, common_travel_ns(network_));
    constexpr std::int64_t worth = 20;  // times as many exchanges
    const std::int64_t whole_ns = shared_ns * worth >= longest_ns ? shared_ns : common_ns;
    const std::int64_t first_ns = nearest_divisors(whole_ns, longest_ns).below;
    for (std::int64_t period_ns = first_ns; period_ns * worth >= first_ns && period_ns > 0;
         period_ns = period_ns > 1 ? nearest_divisors(whole_ns, period_ns - 1).below : 0)
      if (suits_what_is_sampled(period_ns)) return period_ns;
    return first_ns;
  }

  [[nodiscard]] bool suits_what_is_sampled(std::int64_t period_ns) const {
    return std::all_of(
        dae_.subsystems.begin(), dae_.subsystems.end(), [&](const Surrogate& surrogate) {
          const std::int64_t every_ns =
              std::max<std::int64_t>(sampling_period_ns(surrogate.kind).value_or(period_ns), 1);
          return every_ns % period_ns == 0 || period_ns % every_ns == 0;
        });
  }

  [[nodiscard]] bool sampled_within(std::int64_t period_ns) const {
    return std::any_of(dae_.subsystems.begin(), dae_.subsystems.end(),
                       [&](const Surrogate& surrogate) {
                         const auto sampled_ns = sampling_period_ns(surrogate.kind);
                         return sampled_ns && *sampled_ns < period_ns;
                       });
  }

  /// Of the proposed groups; they stand after those they lie in.
  [[nodiscard]] std::size_t innermost_with(std::size_t subsystem) const {
    for (std::size_t group = proposed_members_.size(); group-- > 0;)
      if (std::binary_search(proposed_members_[group].begin(), proposed_members_[group].end(),
                             subsystem))
        return group + 1;
    return 0;
  }

  void put(std::size_t subsystem, std::size_t group) {
    plan_.subsystems[subsystem].group = group;
    plan_.groups[group].members.push_back(subsystem);
  }

  /// S033: what a block samples reaches it more slowly than that.
  void check_sampling() {
    if (!sampled_within(plan_.macro_step_ns)) return;
    const SampledLoops loops =
        sampled_loops(dae_, dependencies_of(network_, dae_), plan_.macro_step_ns);
    std::set<std::pair<std::size_t, std::int64_t>> told;
    for (const SampledPair& pair : loops.pairs) {
      const std::size_t common =
          common_group(plan_, plan_.subsystems[pair.a].group, plan_.subsystems[pair.b].group);
      const SyncGroup& group = plan_.groups[common];
      if (group.period_ns <= pair.period_ns || !told.insert({common, pair.period_ns}).second)
        continue;
      const std::string sampled = duration_text(pair.period_ns),
                        exchanged = duration_text(group.period_ns);
      diagnostics_.warning("S033", network_.sync[settings_[common]].where,
                           plan_.subsystems[pair.a].name + " and " + plan_.subsystems[pair.b].name +
                               " exchange every " + exchanged + " (sync group '" + group.name +
                               "'), but control between them is sampled every " + sampled,
                           "put them into a group of their own with every = \"" + sampled +
                               "\", or sample every \"" + exchanged + "\"");
    }
  }

  [[nodiscard]] std::optional<std::size_t> setting_of(const std::string& name) const {
    const auto found = setting_by_name_.find(name);
    return found == setting_by_name_.end() ? std::nullopt : std::optional(found->second);
  }

  /// @return groups that lie in no other; at least one even where groups contain each other, which
  /// the model has refused
  std::vector<std::size_t> find_parents() {
    for (std::size_t index = 0; index < network_.sync.size(); ++index)
      setting_by_name_.emplace(network_.sync[index].name, index);
    parents_.assign(network_.sync.size(), {});
    for (std::size_t outer = 0; outer < network_.sync.size(); ++outer) {
      for (const std::string& member : network_.sync[outer].members) {
        const auto inner = setting_of(member);
        if (!inner || *inner == outer) continue;
        if (parents_[*inner] && *parents_[*inner] != outer) {
          diagnostics_.error("S019", network_.sync[outer].where,
                             "sync group '" + member + "' is a member of '" +
                                 network_.sync[*parents_[*inner]].name + "' and of '" +
                                 network_.sync[outer].name + "'",
                             "name it in one of them");
        } else {
          parents_[*inner] = outer;
        }
      }
    }
    std::vector<std::size_t> outermost;
    for (std::size_t index = 0; index < parents_.size(); ++index)
      if (!parents_[index]) outermost.push_back(index);
    if (outermost.empty()) outermost.push_back(0), parents_[0].reset();
    children_.resize(parents_.size());
    for (std::size_t index = 0; index < parents_.size(); ++index)
      if (parents_[index]) children_[*parents_[index]].push_back(index);
    return outermost;
  }

  void refuse_forest(const std::vector<std::size_t>& outermost) {
    const SyncSetting& first = network_.sync[outermost[0]];
    for (std::size_t extra = 1; extra < outermost.size(); ++extra) {
      const SyncSetting& setting = network_.sync[outermost[extra]];
      diagnostics_.error(
          "S007", setting.where,
          "sync groups '" + first.name + "' and '" + setting.name +
              "' lie in no common group, so nothing says when they exchange with each other",
          "make one a member of the other, or name both as members of a third group");
    }
  }

  /// @param depth  of groups around it: more than the multiples a time has room for have been
  /// refused
  void add(std::size_t index, std::optional<std::size_t> parent, int depth) {
    const SyncSetting& setting = network_.sync[index];
    SyncGroup group{.name = setting.name,
                    .parent = parent,
                    .period_ns = setting.period_ns,
                    .scheme = setting.scheme,
                    .order = setting.order,
                    .smooth = setting.smooth,
                    .members = {},
                    .proposed = false};
    if (group.period_ns <= 0)
      group.period_ns = parent ? plan_.groups[*parent].period_ns : default_period_ns;
    if (parent) fit_into(group, plan_.groups[*parent], setting);
    if (setting.history && *setting.history <= setting.order.value_or(1)) {
      const int order = setting.order.value_or(1);
      diagnostics_.error("S031", setting.order_where,
                         "order " + std::to_string(order) + " of sync group '" + setting.name +
                             "' reads " + std::to_string(order + 1) +
                             " versions of a value, its history keeps " +
                             std::to_string(*setting.history),
                         "write history = " + std::to_string(order + 1) +
                             ", leave it out, or order = " + std::to_string(*setting.history - 1));
    }
    const std::size_t own = plan_.groups.size();
    plan_.groups.push_back(std::move(group));
    settings_.push_back(index);
    if (depth > 64) return;
    for (const std::size_t inner : children_[index]) add(inner, own, depth + 1);
  }

  void fit_into(SyncGroup& group, const SyncGroup& outer, const SyncSetting& setting) {
    if (outer.period_ns % group.period_ns == 0 && group.period_ns < outer.period_ns) return;
    if (group.period_ns == outer.period_ns && outer.scheme == Scheme::jacobi)
      return;  // its members are one to it
    const std::string times = duration_text(group.period_ns) + " of sync group '" + group.name +
                              "' and " + duration_text(outer.period_ns) + " of '" + outer.name +
                              "' around it";
    if (group.period_ns == outer.period_ns) {
      diagnostics_.error("S030", setting.where, times + " are the same",
                         "give the inner group a shorter time, or make its members members of '" +
                             outer.name +
                             "'; a group with scheme = \"jacobi\" may hold groups of its own time");
      return;
    }
    const std::int64_t ratio = std::max<std::int64_t>(2, outer.period_ns / group.period_ns);
    diagnostics_.error(
        "S030", setting.where, times + " do not fit: the outer time is a multiple of the inner one",
        "with every = \"" + duration_text(group.period_ns * ratio) + "\" or \"" +
            duration_text(group.period_ns * (ratio + 1)) + "\" for '" + outer.name + "' they do");
    group.period_ns = outer.period_ns;
  }

  void check_members() {
    const std::vector<std::string> names = all_subject_names(network_, dae_);
    std::unordered_set<std::string_view> known;
    for (const std::string& name : names)
      for_each_head(name, [&](std::string_view head) { known.insert(head); });
    const auto is_known = [&](const std::string& member) {
      return has_wildcard(member) ? names_match(member, names) : known.contains(member);
    };
    for (const SyncSetting& setting : network_.sync) {
      for (const std::string& member : setting.members) {
        if (setting_of(member) || is_known(member)) continue;
        diagnostics_.error("S005", setting.where,
                           "[sync] " + setting.name + " names '" + member +
                               "', but no circuit, domain, element or block is called so",
                           subject_hint(member, names));
      }
      for (const std::string& member : setting.sequence) {
        if (setting_of(member) || is_known(member)) continue;
        diagnostics_.error("S032", setting.sequence_where,
                           "the sequence of sync group '" + setting.name + "' names '" + member +
                               "', but no circuit, domain, element or block is called so",
                           subject_hint(member, names));
      }
    }
  }

  void index_members() {
    for (std::size_t group = 0; group < settings_.size(); ++group) {
      for (const std::string& member : network_.sync[settings_[group]].members) {
        if (setting_of(member)) continue;
        if (has_wildcard(member))
          wildcards_.emplace_back(member, group);
        else
          groups_by_member_[member].push_back(group);
      }
    }
  }

  /// In ascending order.
  [[nodiscard]] std::set<std::size_t> groups_naming(const std::vector<std::string>& names) const {
    std::set<std::size_t> groups;
    for (const std::string& name : names) {
      for_each_head(name, [&](std::string_view head) {
        if (const auto found = groups_by_member_.find(head); found != groups_by_member_.end())
          groups.insert(found->second.begin(), found->second.end());
      });
    }
    for (const auto& [pattern, group] : wildcards_)
      if (names_match(std::string(pattern), names)) groups.insert(group);
    return groups;
  }

  /// Of the groups that name a subsystem the innermost; the outermost where none does.
  void place(std::size_t index) {
    std::vector<std::size_t> named;
    for (const std::size_t group : groups_naming(names_of(network_, dae_.subsystems[index]))) {
      std::erase_if(named, [&](std::size_t other) { return lies_in(plan_, group, other); });
      named.push_back(group);
    }
    if (named.size() > 1) {
      const SyncSetting& first = network_.sync[settings_[named[0]]];
      const SyncSetting& second = network_.sync[settings_[named[1]]];
      diagnostics_.error("S019", second.where,
                         plan_.subsystems[index].name + " is a member of the sync groups '" +
                             first.name + "' and '" + second.name + "'",
                         "name it in one of them, or make one group a member of the other");
    }
    put(index, named.empty() ? 0 : named.front());
  }

  Plan& plan_;
  const Network& network_;
  const DaeResult& dae_;
  Diagnostics& diagnostics_;
  std::vector<std::optional<std::size_t>> parents_;  // of Network::sync
  std::vector<std::vector<std::size_t>> children_;   // of Network::sync
  std::vector<std::size_t> settings_;                // of Plan::groups: index into Network::sync
  std::unordered_map<std::string_view, std::size_t> setting_by_name_;
  std::unordered_map<std::string_view, std::vector<std::size_t>>
      groups_by_member_;  // what they name without a wildcard
  std::vector<std::pair<std::string_view, std::size_t>> wildcards_;
  std::vector<std::vector<std::size_t>> proposed_members_;  // of Plan::groups from the second on
};

}  // namespace

bool lies_in(const Plan& plan, std::size_t group, std::size_t outer) {
  for (;;) {
    if (group == outer) return true;
    if (!plan.groups[group].parent) return false;
    group = *plan.groups[group].parent;
  }
}

std::size_t common_group(const Plan& plan, std::size_t a, std::size_t b) {
  while (!lies_in(plan, b, a)) a = *plan.groups[a].parent;
  return a;
}

std::optional<std::size_t> member_towards(const Plan& plan, std::size_t group, std::size_t outer) {
  std::optional<std::size_t> member;
  for (; group != outer; group = *plan.groups[group].parent) member = group;
  return member;
}

std::int64_t usual_period_ns(const Network& network, const DaeResult& dae) {
  constexpr std::int64_t most_of_a_duration = 500'000;
  bool is_free = network.solve.empty() && network.sync.empty() && network.inputs.empty();
  std::int64_t sampled_ns = 0;
  for (const Surrogate& surrogate : dae.subsystems) {
    is_free = is_free && (std::holds_alternative<SmoothCircuit>(surrogate.kind) ||
                          std::holds_alternative<ControlTask>(surrogate.kind));
    if (const auto every_ns = sampling_period_ns(surrogate.kind))
      sampled_ns = std::gcd(sampled_ns, std::max<std::int64_t>(*every_ns, 1));
  }
  const std::int64_t wanted_ns =
      is_free ? network.default_duration_ns.value_or(0) / most_of_a_duration : 0;
  std::int64_t period_ns = default_period_ns;
  for (std::size_t k = 0; period_ns < wanted_ns; ++k)
    period_ns = period_ns / 2 * (k % 3 == 1 ? 5 : 4);
  if (sampled_ns == 0 || period_ns == default_period_ns) return period_ns;
  return std::max(default_period_ns, nearest_divisors(sampled_ns, period_ns).below);
}

void choose_groups(Plan& plan, const Network& network, const DaeResult& dae,
                   Diagnostics& diagnostics) {
  GroupTree(plan, network, dae, diagnostics).build();
}

}  // namespace takt::codegen
