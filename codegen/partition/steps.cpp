#include "codegen/partition/steps.hpp"

#include <algorithm>
#include <set>

#include "codegen/dae/algebra/time_instants.hpp"
#include "codegen/partition/choose_method.hpp"
#include "codegen/partition/source_steps.hpp"
#include "codegen/partition/stable_steps.hpp"
#include "codegen/partition/step_pieces.hpp"
#include "codegen/partition/switch_timing.hpp"
#include "codegen/plan/groups.hpp"
#include "codegen/plan/patterns.hpp"
#include "codegen/plan/subject_names.hpp"
#include "codegen/plan/symbol_origins.hpp"
#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/solver/time_instants.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t proposed_switched_step_ns = 1000;

/// Settings of one subsystem; patterns with '*' first, so that a plain name overrides them; later
/// lines override earlier ones.
SolveSetting merged_setting(const Network& network, const std::vector<std::string>& names) {
  SolveSetting merged;
  for (const bool wildcard : {true, false}) {
    for (const SolveSetting& setting : network.solve) {
      if ((setting.pattern.find('*') != std::string::npos) != wildcard ||
          !names_match(setting.pattern, names))
        continue;
      if (setting.step_ns) merged.step_ns = setting.step_ns;
      if (setting.method) merged.method = setting.method;
      if (setting.stages) merged.stages = setting.stages;
      if (setting.newton_iterations) merged.newton_iterations = setting.newton_iterations;
      if (setting.edges) merged.edges = setting.edges;
      if (setting.network) merged.network = setting.network;
      if (setting.tolerance) merged.tolerance = setting.tolerance;
      merged.where = setting.where;
    }
  }
  return merged;
}

using Names = std::vector<std::vector<std::string>>;  // per subsystem

/// A method that a line gives to several circuits is for those without switches where the switched
/// one has a line of its own without a method.
bool is_method_for_others(const PlantEquations& plant, const Names& of, std::size_t index) {
  bool own_line = false;
  for (const SolveSetting& setting : plant.network.solve) {
    if (!names_match(setting.pattern, of[index])) continue;
    std::size_t named = 0;
    bool smooth = false;
    for (std::size_t k = 0; k < of.size(); ++k)
      if (names_match(setting.pattern, of[k]))
        ++named,
            smooth = smooth || std::holds_alternative<SmoothCircuit>(plant.dae.subsystems[k].kind);
    own_line = own_line || named == 1;
    if (setting.method && !smooth) return false;
  }
  return own_line;
}

void check_patterns(const Network& network, const DaeResult& dae, const Names& of,
                    Diagnostics& diagnostics) {
  for (const SolveSetting& setting : network.solve) {
    if (std::any_of(of.begin(), of.end(),
                    [&](const auto& own) { return names_match(setting.pattern, own); }))
      continue;
    diagnostics.error("S002", setting.where,
                      "[solve] names '" + setting.pattern +
                          "', but no circuit, domain, element or block is called so",
                      subject_hint(setting.pattern, all_subject_names(network, dae)));
  }
}

/// What is said about switches must be said of a circuit that has some.
void check_switches(const Network& network, const DaeResult& dae, const Names& of,
                    Diagnostics& diagnostics) {
  for (const SolveSetting& setting : network.solve) {
    if (!setting.edges && !setting.network) continue;
    bool named = false, switches = false, gates = false;
    for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
      const Surrogate& surrogate = dae.subsystems[index];
      if (!names_match(setting.pattern, of[index])) continue;
      named = true;
      by_kind(
          surrogate.kind, [](const SmoothCircuit&) {},
          [&](const SwitchedCircuit& circuit) {
            switches = true, gates = gates || !circuit.gates.empty();
          },
          [](const ControlTask&) {}, [](const ForeignTask&) {});
    }
    if (named && setting.edges && !gates)
      diagnostics.error("S017", setting.where,
                        "'edges' is about gates, and '" + setting.pattern + "' has none",
                        "leave `edges` out");
    if (named && setting.network && !switches)
      diagnostics.error(
          "S017", setting.where,
          "'network' is about switched circuits, and '" + setting.pattern + "' is none",
          "leave `network` out");
  }
}

/// The step asked for, or the one proposed; it must divide the synchronisation time.
void settle_wished(const StepTask& task, std::int64_t proposed_ns, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const SolveSetting& setting = task.setting;
  const std::int64_t wished = setting.step_ns.value_or(std::min(task.period_ns, proposed_ns));
  const NearestDivisors nearest =
      nearest_divisors(task.period_ns, std::max<std::int64_t>(wished, 1));
  subsystem.step_ns = nearest.below;
  subsystem.step_given = setting.step_ns.has_value();
  if (!setting.step_ns) {
    subsystem.reason += subsystem.reason.empty() ? "step proposed" : ", step proposed";
  } else if (wished <= 0 || nearest.below != wished) {
    const std::string cure =
        nearest.above == nearest.below
            ? duration_text(nearest.below)
            : duration_text(nearest.below) + " or " + duration_text(nearest.above);
    diagnostics.error("S001", setting.where,
                      "the step " + duration_text(wished) + " of " + subsystem.name +
                          " does not divide its synchronisation time " +
                          duration_text(task.period_ns),
                      "nearest steps that do: " + cure);
  }
}

void plan_switched(const StepTask& task, const SwitchedCircuit& circuit, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const SolveSetting& setting = task.setting;
  subsystem.period_ns = task.period_ns;
  subsystem.method = &methods::trapezoidal;
  if (setting.method && setting.method != "auto" && *setting.method != methods::trapezoidal.name)
    diagnostics.error(
        "S015", setting.where,
        subsystem.name + " has switches: the method '" + *setting.method + "' cannot integrate it",
        "leave `method` out or write trapezoidal, the linearly implicit rule that cuts its steps "
        "at edges; where the line is for others, too, give this circuit one of its own");
  subsystem.sampled_edges = setting.edges == EdgeTreatment::sampled;
  const std::optional<AffineRows>& affine = circuit.affine;
  subsystem.affine =
      affine && (setting.network ? setting.network == NetworkForm::affine : affine->cheaper);
  if (setting.network == NetworkForm::affine && !affine)
    diagnostics.error("S018", setting.where,
                      subsystem.name +
                          " has no affine map per switch state: a coefficient of its laws moves "
                          "inside a window, or a law is not linear",
                      "leave `network` out, or write eliminated");
  settle_wished(
      task,
      std::min(proposed_switched_step_ns,
               step_for_pwm_ns(task.network, circuit).value_or(proposed_switched_step_ns)),
      diagnostics);
}

/// Its largest step need not divide anything.
void plan_offline(const StepTask& task, Diagnostics& diagnostics) {
  constexpr double usual_tolerance = 1e-6;
  task.subsystem.step_ns = task.period_ns;
  diagnostics.note("S084", task.setting.where,
                   "the steps of method " + std::string(task.subsystem.method->name) +
                       " have no bound: for free runs and comparisons only");
  task.subsystem.tolerance = task.setting.tolerance.value_or(usual_tolerance);
  task.subsystem.largest_step_ns = task.setting.step_ns.value_or(task.period_ns);
}

/// Functions of the time that jump or bend where no step is cut.
void tell_instants(const StepTask& task, Diagnostics& diagnostics) {
  const TimeInstants instants = time_instants(task.network, task.surrogate);
  if (task.subsystem.method->needs_linear && !instants.empty())
    diagnostics.warning("S053", task.setting.where,
                        task.subsystem.name +
                            " has functions of the time that jump or bend, and method exact sees " +
                            "them at the ends and the middle of its steps only",
                        "auto, heun, rk4, rkc and ros2 cut their steps where that happens");
  const StepPieces pieces(task.network, task.surrogate);
  const std::int64_t step_ns = task.subsystem.step_ns;
  if (!task.subsystem.method->needs_linear && !pieces.fit(step_ns))
    diagnostics.error(
        "S055", task.setting.where,
        "a step of " + duration_text(step_ns) + " of " + task.subsystem.name + " meets up to " +
            std::to_string(pieces.of(step_ns) - 1) +
            " instants at which functions of the time jump or bend, and is cut into " +
            std::to_string(most_pieces) + " pieces at most",
        "take a step of " + duration_text(pieces.longest_that_fits(step_ns)) + " or less");
  if (instants.unknown.empty()) return;
  diagnostics.note("S054", task.setting.where,
                   "it is not known ahead when " + instants.unknown.front() +
                       (instants.unknown.size() > 1
                            ? " and " + std::to_string(instants.unknown.size() - 1) + " more"
                            : "") +
                       " in " + task.subsystem.name + " jumps or bends: no step is cut there",
                   "what is shorter than a step is not seen: give a step that is shorter");
}

/// Where the modes of a subsystem are known, and a trial of its steps.
struct Seen {
  const StepEvidence& evidence;
  std::size_t index = 0;
};

void plan_smooth(const StepTask& task, const Seen& seen, Diagnostics& diagnostics) {
  const SolveSetting& setting = task.setting;
  const StepEvidence& evidence = seen.evidence;
  task.subsystem.period_ns = task.period_ns;
  choose_method(task, diagnostics);
  if (task.subsystem.method->is_offline()) {
    plan_offline(task, diagnostics);
    if (evidence.outlook != nullptr)
      check_narrow(task.subsystem, evidence.outlook->functions[seen.index], setting.where,
                   diagnostics);
    return;
  }
  const std::int64_t largest_ns = usual_period_ns(task.network, task.dae);
  settle_wished(task, largest_ns, diagnostics);
  std::optional<StepTrial> trial;
  if (evidence.outlook != nullptr)
    trial.emplace(task.network, task.surrogate, *evidence.outlook, seen.index);
  const bool by_hand = setting.step_ns && setting.method && setting.method != "auto";
  const Spectrum& spectrum =
      (by_hand || evidence.ahead == nullptr ? evidence.spectra : *evidence.ahead)[seen.index];
  settle_step(task.subsystem,
              {task.network, task.surrogate, spectrum, setting,
               std::min(task.period_ns, largest_ns), trial ? &*trial : nullptr},
              diagnostics);
  tell_instants(task, diagnostics);
}

Location place_of(const Network& network, const Surrogate& surrogate) {
  const std::set<SymbolId> defined(surrogate.algebra_outputs.begin(),
                                   surrogate.algebra_outputs.end());
  for (const ControlBlock& block : network.blocks) {
    for (const ControlBlock::Output& output : block.outputs) {
      if (defined.contains(output.symbol)) return block.where;
    }
  }
  return {};
}

void plan_control(const StepTask& task, const ControlTask& control, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const SolveSetting& setting = task.setting;
  const std::int64_t period_ns = task.period_ns;
  subsystem.method = &methods::discrete;
  subsystem.every_ns = std::max<std::int64_t>(control.period_ns, 1);
  subsystem.step_ns = std::min(subsystem.every_ns, period_ns);
  subsystem.period_ns = period_ns;
  if (setting.step_ns || setting.method) {
    diagnostics.error("S010", setting.where,
                      subsystem.name + " is sampled control: it has no step and no method",
                      "set its blocks' `every`");
  }
  if (period_ns % subsystem.every_ns == 0 || subsystem.every_ns % period_ns == 0) return;
  const NearestDivisors nearest = nearest_divisors(period_ns, subsystem.every_ns);
  const std::int64_t multiple = subsystem.every_ns / period_ns * period_ns;
  const std::string cure =
      subsystem.every_ns > period_ns
          ? duration_text(multiple) + " or " + duration_text(multiple + period_ns)
          : duration_text(nearest.below) + " or " + duration_text(nearest.above);
  diagnostics.error("S004", place_of(task.network, task.surrogate),
                    "the period " + duration_text(subsystem.every_ns) + " of " + subsystem.name +
                        " is neither a multiple nor a divisor of the synchronisation time " +
                        duration_text(period_ns),
                    "nearest periods that are: " + cure);
  subsystem.every_ns = subsystem.step_ns = period_ns;
}

/// It communicates at its own step; a window holds a whole number of them.
void plan_foreign(const StepTask& task, const ForeignTask& foreign, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const ForeignModel& model = task.network.foreign[foreign.model];
  subsystem.method = &methods::foreign;
  subsystem.period_ns = task.period_ns;
  if (task.setting.step_ns || task.setting.method)
    diagnostics.error(
        "S010", task.setting.where,
        subsystem.name + " is an FMU: [solve] gives it no step and no method",
        "write step = \"1 ms\" (and method = \"rk4\" for model exchange) in its line of [fmu]");
  const NearestDivisors nearest =
      nearest_divisors(task.period_ns, std::max<std::int64_t>(model.step_ns, 1));
  subsystem.step_ns = nearest.below;
  subsystem.step_given = true;
  for (const ForeignModel::Port& output : model.outputs)
    if (output.jumps) subsystem.jumping.push_back(output.symbol);
  std::sort(subsystem.jumping.begin(), subsystem.jumping.end());
  if (nearest.below == model.step_ns) return;
  diagnostics.error(
      "S001", model.where,
      "the step " + duration_text(model.step_ns) + " of " + subsystem.name +
          " does not divide its synchronisation time " + duration_text(task.period_ns),
      "nearest steps that do: " + duration_text(nearest.below) +
          (nearest.above == nearest.below ? "" : " or " + duration_text(nearest.above)));
}

}  // namespace

void choose_steps(Plan& plan, const PlantEquations& plant, const StepEvidence& evidence,
                  Diagnostics& diagnostics) {
  const Network& network = plant.network;
  const DaeResult& dae = plant.dae;
  Names names;
  for (const Surrogate& surrogate : dae.subsystems) names.push_back(names_of(network, surrogate));
  check_patterns(network, dae, names, diagnostics);
  check_switches(network, dae, names, diagnostics);
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) {
    PlanSubsystem& subsystem = plan.subsystems[index];
    const Surrogate& surrogate = dae.subsystems[index];
    StepTask task{subsystem,
                  network,
                  dae,
                  surrogate,
                  merged_setting(network, names[index]),
                  plan.groups[subsystem.group].period_ns};
    subsystem.newton_iterations = task.setting.newton_iterations;
    by_kind(
        surrogate.kind,
        [&](const SmoothCircuit&) {
          plan_smooth(task, {evidence, index}, diagnostics);
        },
        [&](const SwitchedCircuit& circuit) {
          if (is_method_for_others(plant, names, index)) task.setting.method.reset();
          plan_switched(task, circuit, diagnostics);
          if (evidence.outlook != nullptr)
            check_narrow(subsystem, evidence.outlook->functions[index], task.setting.where,
                         diagnostics);
        },
        [&](const ControlTask& control) { plan_control(task, control, diagnostics); },
        [&](const ForeignTask& foreign) { plan_foreign(task, foreign, diagnostics); });
  }
}

}  // namespace takt::codegen
