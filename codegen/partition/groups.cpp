#include "codegen/partition/groups.hpp"

#include <algorithm>

#include "codegen/partition/patterns.hpp"
#include "codegen/partition/settings.hpp"
#include "codegen/partition/subject_names.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t default_period_ns = 1'000'000;  // 1 ms: what a CAN-connected ECU expects of its plant

/// [sync] as a tree, outermost group first.
class GroupTree {
 public:
  GroupTree(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics)
      : plan_(plan), network_(network), dae_(dae), diagnostics_(diagnostics) {}

  void build() {
    if (network_.sync.empty()) {
      plan_.groups.push_back({.name = "plant", .parent = {}, .period_ns = default_period_ns, .scheme = {}, .order = {}, .smooth = false, .members = {}, .proposed = true});
    } else {
      std::vector<std::size_t> outermost = find_parents();
      if (outermost.size() > 1) refuse_forest(outermost);
      outermost.resize(1);
      for (const std::size_t setting : outermost) add(setting, {});
      check_members();
    }
    for (std::size_t index = 0; index < plan_.subsystems.size(); ++index) place(index);
    plan_.macro_step_ns = plan_.groups.front().period_ns;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> setting_of(const std::string& name) const {
    for (std::size_t index = 0; index < network_.sync.size(); ++index)
      if (network_.sync[index].name == name) return index;
    return std::nullopt;
  }

  /// @return groups that lie in no other; at least one even where groups contain each other, which the model has refused
  std::vector<std::size_t> find_parents() {
    parents_.assign(network_.sync.size(), {});
    for (std::size_t outer = 0; outer < network_.sync.size(); ++outer) {
      for (const std::string& member : network_.sync[outer].members) {
        const auto inner = setting_of(member);
        if (!inner || *inner == outer) continue;
        if (parents_[*inner] && *parents_[*inner] != outer) {
          diagnostics_.error("S019", network_.sync[outer].where,
                             "sync group '" + member + "' is a member of '" + network_.sync[*parents_[*inner]].name + "' and of '" + network_.sync[outer].name + "'",
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
    return outermost;
  }

  void refuse_forest(const std::vector<std::size_t>& outermost) {
    const SyncSetting& first = network_.sync[outermost[0]];
    for (std::size_t extra = 1; extra < outermost.size(); ++extra) {
      const SyncSetting& setting = network_.sync[outermost[extra]];
      diagnostics_.error("S007", setting.where, "sync groups '" + first.name + "' and '" + setting.name + "' lie in no common group, so nothing says when they exchange with each other",
                         "make one a member of the other, or name both as members of a third group");
    }
  }

  void add(std::size_t index, std::optional<std::size_t> parent) {
    const SyncSetting& setting = network_.sync[index];
    PlanGroup group{.name = setting.name, .parent = parent, .period_ns = setting.period_ns, .scheme = setting.scheme, .order = setting.order, .smooth = setting.smooth, .members = {}, .proposed = false};
    if (group.period_ns <= 0) group.period_ns = parent ? plan_.groups[*parent].period_ns : default_period_ns;
    if (parent) fit_into(group, plan_.groups[*parent], setting);
    if (setting.history && *setting.history <= setting.order.value_or(1)) {
      const int order = setting.order.value_or(1);
      diagnostics_.error("S031", setting.order_where,
                         "order " + std::to_string(order) + " of sync group '" + setting.name + "' reads " + std::to_string(order + 1) + " versions of a value, its history keeps " + std::to_string(*setting.history),
                         "write history = " + std::to_string(order + 1) + ", leave it out, or order = " + std::to_string(*setting.history - 1));
    }
    const std::size_t own = plan_.groups.size();
    plan_.groups.push_back(std::move(group));
    settings_.push_back(index);
    for (std::size_t inner = 0; inner < parents_.size(); ++inner)
      if (parents_[inner] == index && std::find(settings_.begin(), settings_.end(), inner) == settings_.end()) add(inner, own);
  }

  void fit_into(PlanGroup& group, const PlanGroup& outer, const SyncSetting& setting) {
    if (outer.period_ns % group.period_ns == 0 && group.period_ns < outer.period_ns) return;
    const std::string times = duration_text(group.period_ns) + " of sync group '" + group.name + "' and " + duration_text(outer.period_ns) + " of '" + outer.name + "' around it";
    if (group.period_ns == outer.period_ns) {
      diagnostics_.error("S030", setting.where, times + " are the same", "give the inner group a shorter time, or make its members members of '" + outer.name + "'");
      return;
    }
    const std::int64_t ratio = std::max<std::int64_t>(2, outer.period_ns / group.period_ns);
    diagnostics_.error("S030", setting.where, times + " do not fit: the outer time is a multiple of the inner one",
                       "with every = \"" + duration_text(group.period_ns * ratio) + "\" or \"" + duration_text(group.period_ns * (ratio + 1)) + "\" for '" + outer.name + "' they do");
    group.period_ns = outer.period_ns;
  }

  void check_members() {
    const std::vector<std::string> names = all_subject_names(network_, dae_);
    for (const SyncSetting& setting : network_.sync) {
      for (const std::string& member : setting.members) {
        if (setting_of(member) || names_match(member, names)) continue;
        diagnostics_.error("S005", setting.where, "[sync] " + setting.name + " names '" + member + "', but no circuit, domain, element or block is called so",
                           subject_hint(member, names));
      }
      for (const std::string& member : setting.sequence) {
        if (setting_of(member) || names_match(member, names)) continue;
        diagnostics_.error("S032", setting.sequence_where, "the sequence of sync group '" + setting.name + "' names '" + member + "', but no circuit, domain, element or block is called so",
                           subject_hint(member, names));
      }
    }
  }

  /// Of the groups that name a subsystem the innermost; the outermost where none does.
  void place(std::size_t index) {
    const std::vector<std::string> names = names_of(network_, dae_.subsystems[index]);
    std::vector<std::size_t> named;
    for (std::size_t group = 0; group < settings_.size(); ++group) {
      const SyncSetting& setting = network_.sync[settings_[group]];
      const bool matches = std::any_of(setting.members.begin(), setting.members.end(),
                                       [&](const std::string& member) { return !setting_of(member) && names_match(member, {names}); });
      if (!matches) continue;
      std::erase_if(named, [&](std::size_t other) { return lies_in(plan_, group, other); });
      named.push_back(group);
    }
    if (named.size() > 1) {
      const SyncSetting& first = network_.sync[settings_[named[0]]];
      const SyncSetting& second = network_.sync[settings_[named[1]]];
      diagnostics_.error("S019", second.where, plan_.subsystems[index].name + " is a member of the sync groups '" + first.name + "' and '" + second.name + "'",
                         "name it in one of them, or make one group a member of the other");
    }
    const std::size_t group = named.empty() ? 0 : named.front();
    plan_.subsystems[index].group = group;
    plan_.groups[group].members.push_back(index);
  }

  Plan& plan_;
  const Network& network_;
  const DaeResult& dae_;
  Diagnostics& diagnostics_;
  std::vector<std::optional<std::size_t>> parents_;  // of Network::sync
  std::vector<std::size_t> settings_;                // of Plan::groups: index into Network::sync
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

void choose_groups(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  GroupTree(plan, network, dae, diagnostics).build();
}

}  // namespace takt::codegen
