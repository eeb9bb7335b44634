#include "codegen/partition/choose_method.hpp"

#include "codegen/partition/stable_steps.hpp"

namespace takt::codegen {
namespace {

std::string methods_text() {
  std::string text;
  for (const Method* method : methods::all())
    if (method->kind == Method::Kind::stepped) text += std::string(method->name) + ", ";
  return text + "or auto";
}

/// A method that needs derivatives as expressions must be given them.
/// @return whether it is
bool check_derivatives(const StepTask& task, Diagnostics& diagnostics) {
  const Method& method = *task.subsystem.method;
  if ((!method.solves && !method.needs_linear) || !has_tables(task.surrogate)) return true;
  diagnostics.error(
      "S052", task.setting.where,
      task.subsystem.name + " has a linear block that is solved over tables: the method '" +
          std::string(method.name) + "' has no derivatives of it",
      "rkc integrates stiff circuits explicitly; auto takes the cheapest method that is stable");
  task.subsystem.method = &methods::rkc;
  return false;
}

/// Steps are cut at events: by methods that can. @return whether this one does
bool check_events(const StepTask& task, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  if (task.surrogate.events.empty() ||
      (!subsystem.method->needs_linear && !subsystem.method->is_offline()))
    return true;
  diagnostics.error(
      "S058", task.setting.where,
      subsystem.name + " has events, such as " +
          task.network.events[task.surrogate.events.front()].path + ": the method '" +
          std::string(subsystem.method->name) + "' does not cut its steps at them",
      "heun, rk4, rkc (diffusion) and ros2 (stiff) do; auto takes the cheapest that is stable");
  subsystem.method = &methods::rk4;
  return false;
}

/// A method for linear subsystems must be given one.
void check_exact(const StepTask& task, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const SolveSetting& setting = task.setting;
  if (!subsystem.method->needs_linear) return;
  const LinearShape shape = shape_for_exact(task.network, task.dae, task.surrogate);
  const std::size_t most_states =
      shape.held.empty() ? largest_exact_block : largest_refreshed_block;
  const auto path = [&](SymbolId symbol) { return task.network.graph().symbol(symbol).path; };
  if (shape.problem) {
    diagnostics.error("S050", setting.where,
                      subsystem.name + " is not linear as method exact needs it: in the rate of " +
                          path(shape.problem->state) +
                          (shape.problem->driving ? " a coefficient moves with "
                                                  : ", not linear is what hangs on ") +
                          path(shape.problem->symbol),
                      "heun, rk4, rkc (diffusion) and ros2 (any step) integrate it; auto takes the "
                      "cheapest that is stable");
  } else if (shape.largest_block > most_states) {
    diagnostics.error(
        "S051", setting.where,
        subsystem.name + " has " + std::to_string(shape.largest_block) +
            " states that hang together, too many for " +
            (shape.held.empty() ? "a full matrix in every step"
                                : "a matrix exponential in every window, as coefficients follow " +
                                      path(shape.held.front())) +
            " (" + std::to_string(most_states) + ")",
        "rkc (diffusion) and ros2 (any step) use that each state hangs on few others");
  } else {
    return;
  }
  subsystem.method = &methods::ros2;  // any step is: nothing else to report
}

}  // namespace

void choose_method(const StepTask& task, Diagnostics& diagnostics) {
  PlanSubsystem& subsystem = task.subsystem;
  const SolveSetting& setting = task.setting;
  if (!setting.method || setting.method == "auto") {
    subsystem.method = &methods::heun;
    subsystem.reason =
        setting.method ? "method: the cheapest of order 2 that is stable" : "method proposed";
    return;
  }
  const Method* method = methods::find(*setting.method);
  const bool possible =
      method != nullptr && (method->kind == Method::Kind::stepped ||
                            (task.surrogate.name == "whole" && method->is_offline()));
  if (possible) {
    subsystem.method = method;
    if (check_events(task, diagnostics) && check_derivatives(task, diagnostics))
      check_exact(task, diagnostics);
  } else {
    diagnostics.error("S003", setting.where,
                      "unknown method '" + *setting.method + "' for " + subsystem.name,
                      "methods are " + methods_text());
  }
}

}  // namespace takt::codegen
