#include "codegen/emit/kind_code.hpp"

#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

KindCode smooth_code(const SubsystemView& view) {
  const bool holds = view.plan.linear && !view.plan.linear->held.empty();
  std::vector<std::string> rates{"double dq[" + view.type + "::quadrature_count];"};
  if (holds) rates.emplace_back("(void)self.hold(0.0);");
  rates.emplace_back("self.evaluate(0.0, 0.0, self.x.data(), rates, dq);");
  if (holds) rates.emplace_back("self.forget();");
  rates.emplace_back("self.finish(0.0, 0.0);");
  std::vector<std::string> tuned{"self.finish(t, s);", "self.observe(t, s, false);"};
  if (holds) tuned.insert(tuned.begin(), "self.forget();");
  return {
      .headers = {},
      .declarations =
          {"/// Derivatives dz and integrands dq at states z and time t, s seconds into the "
           "window.",
           "void evaluate(double t, double s, const double* z, double* dz, double* dq) noexcept;",
           "/// What other subsystems read, from the states at time t, s seconds into the window.",
           "void finish(double t, double s) noexcept;",
           ("/// All else: signals, outputs that only name fluxes, the energy stored; what Newton "
            "blocks find stays only where asked."),
           "void observe(double t, double s, bool keep) noexcept;"},
      .started = {},
      .settle = "observe(0.0, 0.0, true);",
      .settled = {"finish(0.0, 0.0);"},
      .rates = std::move(rates),
      .tuned = std::move(tuned),
      .observed = true};
}

KindCode switched_code(const SubsystemView& view) {
  const std::string step = double_literal(static_cast<double>(view.plan.step_ns) * 1e-9);
  return {.headers = {"math/affine_map", "solver/pwm_leg", "solver/switched", "solver/timed_gate"},
          .declarations = {"/// Outputs and signals from the last point of the window.",
                           "void finish(double t, double s) noexcept;"},
          .started = {"half_step = 0.0;", "takt::start_switched(*this, " + step + ");"},
          .settle = "finish(0.0, 0.0);",
          .settled = switched_circuit(view.surrogate.kind).joins.empty()
                         ? std::vector<std::string>{}
                         : std::vector<std::string>{"join_at_start();"},
          .rates = {"takt::rates_switched(self, " + step + ", rates);", "self.finish(0.0, 0.0);"},
          .tuned = {"self.half_step = 0.0;",
                    "takt::resume_switched(self, {.t = t, .s = s, .step = " + step + "});",
                    "self.finish(t, s);"},
          .observed = false};
}

KindCode control_code(const SubsystemView& view) {
  const std::string period = double_literal(static_cast<double>(view.plan.every_ns) / 1e9);
  std::vector<std::string> rates{"self.tick(0.0, 0.0, false);"};
  if (!view.surrogate.states.empty())
    rates = {"const auto before = self.x;", "self.tick(0.0, 0.0, true);",
             "for (std::size_t state = 0; state < before.size(); ++state) rates[state] = "
             "(self.x[state] - "
             "before[state]) / " +
                 period + ";",
             "self.x = before;"};
  return {.headers = {},
          .declarations =
              {"/// Outputs at t, s seconds into the window; then, if `advance`, the new states.",
               "void tick(double t, double s, bool advance) noexcept;"},
          .started = {},
          .settle = "tick(0.0, 0.0, false);",
          .settled = {},
          .rates = std::move(rates),
          .tuned = {},
          .observed = false};
}

KindCode foreign_code(const SubsystemView& view, const ForeignTask& task) {
  KindCode code{
      .headers = {"foreign/port"},
      .declarations =
          {"/// Its inputs at t, s seconds into the window, in its own units; outputs and signals.",
           "void feed(double t, double s) noexcept;", "/// Its parameters, in its own units.",
           "void give(double* to) noexcept;", "/// Its outputs, from its own units.",
           "void take(const double* raw) noexcept;", "/// Safe values where it has failed.",
           "void be_safe() noexcept;"},
      .started = {"feed(0.0, 0.0);",
                  "takt::foreign::begin(*this, " + std::to_string(task.model) + ");"},
      .settle = "feed(0.0, 0.0);",
      .settled = {},
      .rates = {},
      .tuned = {},
      .observed = false};
  if (!view.network.foreign[task.model].ports.empty())
    code.declarations.insert(code.declarations.end(),
                             {"/// Account of its ports over a step: before it, when it has been "
                              "computed, h seconds long; over a window.",
                              "void begin_ports() noexcept;", "void end_ports(double h) noexcept;",
                              "void receive_ports(double length) noexcept;"});
  return code;
}

}  // namespace

KindCode kind_code(const SubsystemView& view) {
  return by_kind(
      view.surrogate.kind, [&](const SmoothCircuit&) { return smooth_code(view); },
      [&](const SwitchedCircuit&) { return switched_code(view); },
      [&](const ControlTask&) { return control_code(view); },
      [&](const ForeignTask& task) { return foreign_code(view, task); });
}

}  // namespace takt::codegen
