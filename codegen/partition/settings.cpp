#include "codegen/partition/settings.hpp"

#include <algorithm>
#include <set>

#include "codegen/partition/divisors.hpp"
#include "codegen/partition/patterns.hpp"
#include "codegen/partition/symbol_origins.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t default_period_ns = 1'000'000;  // 1 ms: what a CAN-connected ECU expects of its plant
constexpr std::int64_t largest_proposed_step_ns = 1'000'000;
constexpr std::int64_t proposed_switched_step_ns = 1000;

std::string hint_for(std::string_view pattern, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(pattern, names);
  return hint.empty() ? "`takt check` lists the circuits" : hint;
}

std::vector<std::string> all_names(const Network& network, const DaeResult& dae) {
  std::vector<std::string> names;
  for (const Surrogate& surrogate : dae.subsystems) {
    for (std::string& name : names_of(network, surrogate)) names.push_back(std::move(name));
  }
  return names;
}

bool names_match(const std::string& pattern, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return pattern_matches(pattern, name); });
}

std::optional<Method> method_of(std::string_view name) {
  for (const Method method : {Method::euler, Method::heun, Method::rk3, Method::rk4}) {
    if (method_name(method) == name) return method;
  }
  return std::nullopt;
}

/// Settings of one subsystem; patterns with '*' first, so that a plain name overrides them; later lines override
/// earlier ones.
SolveSetting merged_setting(const Network& network, const std::vector<std::string>& names) {
  SolveSetting merged;
  for (const bool wildcard : {true, false}) {
    for (const SolveSetting& setting : network.solve) {
      if ((setting.pattern.find('*') != std::string::npos) != wildcard || !names_match(setting.pattern, names))
        continue;
      if (setting.step_ns) merged.step_ns = setting.step_ns;
      if (setting.method) merged.method = setting.method;
      if (setting.newton_iterations) merged.newton_iterations = setting.newton_iterations;
      if (setting.edges) merged.edges = setting.edges;
      if (setting.network) merged.network = setting.network;
      merged.where = setting.where;
    }
  }
  return merged;
}

using Names = std::vector<std::vector<std::string>>;  // per subsystem

void check_patterns(const Network& network, const DaeResult& dae, const Names& of, Diagnostics& diagnostics) {
  for (const SolveSetting& setting : network.solve) {
    if (std::any_of(of.begin(), of.end(), [&](const auto& own) { return names_match(setting.pattern, own); })) continue;
    diagnostics.error("S002", setting.where,
                      "[solve] names '" + setting.pattern + "', but no circuit, domain, element or block is called so",
                      hint_for(setting.pattern, all_names(network, dae)));
  }
}

/// What is said about switches must be said of a circuit that has some.
void check_switches(const Network& network, const DaeResult& dae, const Names& of, Diagnostics& diagnostics) {
  for (const SolveSetting& setting : network.solve) {
    if (!setting.edges && !setting.network) continue;
    bool named = false, switches = false, gates = false;
    for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
      const Surrogate& surrogate = dae.subsystems[index];
      if (!names_match(setting.pattern, of[index])) continue;
      named = true;
      switches = switches || surrogate.switched;
      gates = gates || (surrogate.switched && !surrogate.switched->gates.empty());
    }
    if (named && setting.edges && !gates)
      diagnostics.error("S017", setting.where, "'edges' is about gates, and '" + setting.pattern + "' has none", "leave `edges` out");
    if (named && setting.network && !switches)
      diagnostics.error("S017", setting.where, "'network' is about switched circuits, and '" + setting.pattern + "' is none",
                        "leave `network` out");
  }
}

void plan_switched(PlanSubsystem& subsystem, const Surrogate& surrogate, const SolveSetting& setting, Diagnostics& diagnostics) {
  subsystem.method = Method::trapezoidal;
  if (setting.method && *setting.method != method_name(Method::trapezoidal))
    diagnostics.error("S015", setting.where, subsystem.name + " has switches: the method '" + *setting.method + "' cannot integrate it",
                      "leave `method` out or write trapezoidal, the linearly implicit rule that cuts its steps at edges");
  subsystem.sampled_edges = setting.edges == "sampled";
  const std::optional<AffineRows>& affine = surrogate.switched->affine;
  subsystem.affine = affine && (setting.network ? setting.network == "affine" : affine->cheaper);
  if (setting.network == "affine" && !affine)
    diagnostics.error("S018", setting.where, subsystem.name + " has no affine map per switch state: a coefficient of its laws moves inside a window, or a law is not linear",
                      "leave `network` out, or write eliminated");
}

void plan_continuous(PlanSubsystem& subsystem, const Surrogate& surrogate, const SolveSetting& setting, std::int64_t period_ns,
                     Diagnostics& diagnostics) {
  subsystem.period_ns = period_ns;
  if (surrogate.switched) {
    plan_switched(subsystem, surrogate, setting, diagnostics);
  } else if (!setting.method) {
    subsystem.method = Method::heun;
    subsystem.reason = "method proposed";
  } else if (const std::optional<Method> method = method_of(*setting.method)) {
    subsystem.method = *method;
  } else {
    diagnostics.error("S003", setting.where, "unknown method '" + *setting.method + "' for " + subsystem.name,
                      "methods are euler, heun, rk3 and rk4");
  }
  const std::int64_t wished = setting.step_ns.value_or(std::min(period_ns, surrogate.switched ? proposed_switched_step_ns : largest_proposed_step_ns));
  const NearestDivisors nearest = nearest_divisors(period_ns, std::max<std::int64_t>(wished, 1));
  subsystem.step_ns = nearest.below;
  if (!setting.step_ns) {
    subsystem.reason += subsystem.reason.empty() ? "step proposed" : ", step proposed";
  } else if (wished <= 0 || nearest.below != wished) {
    const std::string cure = nearest.above == nearest.below
                                 ? duration_text(nearest.below)
                                 : duration_text(nearest.below) + " or " + duration_text(nearest.above);
    diagnostics.error("S001", setting.where,
                      "the step " + duration_text(wished) + " of " + subsystem.name +
                          " does not divide its synchronisation time " + duration_text(period_ns),
                      "nearest steps that do: " + cure);
  }
}

void plan_discrete(PlanSubsystem& subsystem, const Surrogate& surrogate, const SolveSetting& setting,
                   std::int64_t period_ns, const Location& where, Diagnostics& diagnostics) {
  subsystem.method = Method::discrete;
  subsystem.every_ns = std::max<std::int64_t>(surrogate.period_ns, 1);
  subsystem.step_ns = std::min(subsystem.every_ns, period_ns);
  subsystem.period_ns = period_ns;
  if (setting.step_ns || setting.method) {
    diagnostics.error("S010", setting.where, subsystem.name + " is sampled control: it has no step and no method",
                      "set its blocks' `every`");
  }
  if (period_ns % subsystem.every_ns == 0 || subsystem.every_ns % period_ns == 0) return;
  const NearestDivisors nearest = nearest_divisors(period_ns, subsystem.every_ns);
  const std::int64_t multiple = subsystem.every_ns / period_ns * period_ns;
  const std::string cure = subsystem.every_ns > period_ns
                               ? duration_text(multiple) + " or " + duration_text(multiple + period_ns)
                               : duration_text(nearest.below) + " or " + duration_text(nearest.above);
  diagnostics.error("S004", where,
                    "the period " + duration_text(subsystem.every_ns) + " of " + subsystem.name +
                        " is neither a multiple nor a divisor of the synchronisation time " + duration_text(period_ns),
                    "nearest periods that are: " + cure);
  subsystem.every_ns = subsystem.step_ns = period_ns;
}

Location place_of(const Network& network, const Surrogate& surrogate) {
  const std::set<SymbolId> defined(surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end());
  for (const ControlBlock& block : network.blocks) {
    for (const ControlBlock::Output& output : block.outputs) {
      if (defined.contains(output.symbol)) return block.where;
    }
  }
  return {};
}

}  // namespace

std::string_view method_name(Method method) {
  switch (method) {
    case Method::euler:
      return "euler";
    case Method::heun:
      return "heun";
    case Method::rk3:
      return "rk3";
    case Method::rk4:
      return "rk4";
    case Method::trapezoidal:
      return "trapezoidal";
    case Method::discrete:
      return "discrete";
  }
  return "";
}

int method_order(Method method) {
  switch (method) {
    case Method::euler:
    case Method::discrete:
      return 1;
    case Method::heun:
    case Method::trapezoidal:
      return 2;
    case Method::rk3:
      return 3;
    case Method::rk4:
      return 4;
  }
  return 1;
}

void choose_groups(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  PlanGroup group;
  group.name = "plant";
  group.period_ns = default_period_ns;
  group.scheme = "fast-first";
  group.proposed = true;
  if (!network.sync.empty()) {
    const SyncSetting& setting = network.sync.front();
    group = {.name = setting.name,
             .parent = {},
             .period_ns = setting.period_ns,
             .scheme = setting.scheme,
             .order = setting.order,
             .members = {},
             .proposed = false};
    const std::vector<std::string> names = all_names(network, dae);
    for (const std::string& member : setting.members) {
      if (names_match(member, names)) continue;
      diagnostics.error(
          "S005", setting.where,
          "[sync] " + setting.name + " names '" + member + "', but no circuit, domain, element or block is called so",
          hint_for(member, names));
    }
    if (setting.order && *setting.order != 0 && *setting.order != 1) {
      diagnostics.error("S006", setting.where,
                        "order " + std::to_string(*setting.order) + " of inter- and extrapolation is not available",
                        "use 0 (hold) or 1 (linear)");
      group.order.reset();
    }
  }
  for (std::size_t extra = 1; extra < network.sync.size(); ++extra) {
    diagnostics.error("S007", network.sync[extra].where,
                      "a second synchronisation group '" + network.sync[extra].name + "': this version knows one",
                      "give all subsystems one synchronisation time");
  }
  if (group.period_ns <= 0) group.period_ns = default_period_ns;
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) group.members.push_back(index);
  plan.macro_step_ns = group.period_ns;
  plan.groups.push_back(std::move(group));
}

void choose_steps(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  Names names;
  for (const Surrogate& surrogate : dae.subsystems) names.push_back(names_of(network, surrogate));
  check_patterns(network, dae, names, diagnostics);
  check_switches(network, dae, names, diagnostics);
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) {
    PlanSubsystem& subsystem = plan.subsystems[index];
    const Surrogate& surrogate = dae.subsystems[index];
    const SolveSetting setting = merged_setting(network, names[index]);
    const std::int64_t period_ns = plan.groups[subsystem.group].period_ns;
    subsystem.newton_iterations = setting.newton_iterations;
    if (surrogate.discrete) {
      plan_discrete(subsystem, surrogate, setting, period_ns, place_of(network, surrogate), diagnostics);
    } else {
      plan_continuous(subsystem, surrogate, setting, period_ns, diagnostics);
    }
  }
}

}  // namespace takt::codegen
