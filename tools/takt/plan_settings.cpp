#include "tools/takt/plan_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + '"';
  return text;
}

std::string solve_line(const PlanSubsystem& subsystem, std::int64_t step_ns, double tolerance_part) {
  std::string line = fmt::format("\"{}\" = {{ method = \"{}\"", subsystem.name, subsystem.method->name);
  if (subsystem.method->is_offline())
    return line + fmt::format(", tolerance = {:g}, step = \"{}\" }}\n", subsystem.tolerance * tolerance_part,
                              duration_text(subsystem.largest_step_ns));
  line += fmt::format(", step = \"{}\"", duration_text(step_ns));
  if (subsystem.method->chooses_stages) line += fmt::format(", stages = {}", subsystem.stages);
  if (subsystem.newton_iterations) line += fmt::format(", newton = {}", *subsystem.newton_iterations);
  if (subsystem.sampled_edges) line += ", edges = \"sampled\"";
  return line + " }\n";
}

/// What the user wrote of a group beside its members and time.
const SyncSetting* written(const Network& network, const std::string& name) {
  const auto found = std::find_if(network.sync.begin(), network.sync.end(),
                                  [&](const SyncSetting& setting) { return setting.name == name; });
  return found == network.sync.end() ? nullptr : &*found;
}

std::vector<std::string> members_of(const Plan& plan, std::size_t group) {
  std::vector<std::string> members;
  for (const SyncGroup& inner : plan.groups)
    if (inner.parent == group) members.push_back(inner.name);
  for (const std::size_t subsystem : plan.groups[group].members) members.push_back(plan.subsystems[subsystem].name);
  return members;
}

std::string sync_line(const Checked& checked, std::size_t index, std::int64_t period_ns) {
  const SyncGroup& group = checked.plan.groups[index];
  std::string line = fmt::format("{} = {{ members = [{}], every = \"{}\"", group.name,
                                 quoted_list(members_of(checked.plan, index)), duration_text(period_ns));
  if (group.scheme != Scheme::by_dependency) line += fmt::format(", scheme = \"{}\"", scheme_text(group.scheme));
  if (group.order) line += fmt::format(", order = {}", *group.order);
  if (group.smooth) line += ", smooth = true";
  if (const SyncSetting* setting = written(checked.network, group.name)) {
    if (setting->history) line += fmt::format(", history = {}", *setting->history);
    if (!setting->sequence.empty()) line += fmt::format(", sequence = [{}]", quoted_list(setting->sequence));
  }
  return line + " }\n";
}

/// What the user wrote; else what was proposed, but for rates of the reduced plant, which no one can name.
std::string record_lines(const Checked& checked) {
  std::string text;
  for (const RecordSetting& setting : checked.network.record)
    text += fmt::format("\"{}\" = [{}]\n", duration_text(setting.period_ns), quoted_list(setting.patterns));
  if (!text.empty()) return text;
  for (const PlanRecord& record : checked.plan.records) {
    std::vector<std::string> paths;
    for (const SymbolId symbol : record.symbols) paths.push_back(checked.network.graph().symbol(symbol).path);
    std::erase_if(paths, [](const std::string& path) { return path.ends_with(".der"); });
    if (!paths.empty()) text += fmt::format("\"{}\" = [{}]\n", duration_text(record.period_ns), quoted_list(paths));
  }
  return text;
}

}  // namespace

std::string plan_settings(const Checked& checked, const PlanSettings& settings) {
  const Plan& plan = checked.plan;
  std::string text = fmt::format("title = \"{}\"\n\n[solve]\n", settings.title);
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k)
    if (!plan.subsystems[k].method->is_sampled())
      text += solve_line(plan.subsystems[k], settings.times.step_ns[k], settings.tolerance_part);
  text += "\n[sync]\n";
  for (std::size_t k = 0; k < plan.groups.size(); ++k) text += sync_line(checked, k, settings.times.period_ns[k]);
  return text + "\n[record]\n" + record_lines(checked);
}

std::string two_rates(const Checked& checked, const std::vector<std::size_t>& fast, std::int64_t inner_ns,
                      std::int64_t outer_ns) {
  std::vector<std::string> inner, outer{"fast"};
  for (std::size_t k = 0; k < checked.plan.subsystems.size(); ++k) {
    const bool is_fast = std::find(fast.begin(), fast.end(), k) != fast.end();
    (is_fast ? inner : outer).push_back(checked.plan.subsystems[k].name);
  }
  return fmt::format(
      "title = \"two rates\"\n\n[sync]\nfast = {{ members = [{}], every = \"{}\" }}\n"
      "plant = {{ members = [{}], every = \"{}\" }}\n\n[record]\n{}",
      quoted_list(inner), duration_text(inner_ns), quoted_list(outer), duration_text(outer_ns), record_lines(checked));
}

std::string other_methods(const Checked& checked, const std::vector<const Method*>& methods) {
  std::string text = "title = \"other methods\"\n\n[solve]\n";
  for (std::size_t k = 0; k < methods.size(); ++k)
    if (methods[k] != nullptr)
      text += fmt::format("\"{}\" = {{ method = \"{}\" }}\n", checked.plan.subsystems[k].name, methods[k]->name);
  text += "\n[sync]\n";
  for (std::size_t k = 0; k < checked.plan.groups.size(); ++k)
    text += sync_line(checked, k, checked.plan.groups[k].period_ns);
  return text + "\n[record]\n" + record_lines(checked);
}

std::string half_steps(const Checked& checked, bool half_exchange) {
  PlanTimes times;
  for (const SyncGroup& group : checked.plan.groups)
    times.period_ns.push_back(half_exchange ? group.period_ns / 2 : group.period_ns);
  for (const PlanSubsystem& s : checked.plan.subsystems)
    times.step_ns.push_back(nearest_divisors(times.period_ns[s.group], std::max<std::int64_t>(s.step_ns / 2, 1)).below);
  const std::string title = half_exchange ? "half the steps and synchronisation times" : "half the steps";
  return plan_settings(checked, {.title = title, .times = std::move(times), .tolerance_part = 0.1});
}

}  // namespace takt::tools
