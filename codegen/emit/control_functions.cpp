#include "codegen/emit/control_functions.hpp"

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/observed_values.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// One execution.
void emit_tick(const SubsystemView& view, const ControlTask& task, Coefficients& coefficients,
               SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const Assignment& update : task.updates) roots.push_back(update.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body);
  std::vector<code::Value> names;
  for (const Assignment& update : task.updates) {
    const std::string wished = "next_" + identifier_of(view.graph().symbol(update.symbol).path);
    names.push_back(body.statements().local(wished, body.statements().value(update.value), ""));
  }
  for (std::size_t index = 0; index < names.size(); ++index) {
    const SymbolId symbol = task.updates[index].symbol;
    body.block().when(body.values().variable("advance"),
                      code::Assignment{body.values().element("x", view.state.at(symbol)),
                                       names[index], body.statements().note(view.label(symbol))});
  }
  write_function(functions, view, {"tick", time_and({{"bool", "advance"}})}, {body.statements()});
}

/// Those of a window.
void emit_ticks(const SubsystemView& view, Writer& text) {
  text.blank();
  text.open_of("void ", view.type, "::run(const takt::Window& window) noexcept");
  text.open("for (std::int32_t step = 0; step < window.steps; ++step)");
  text.line("const std::int64_t passed_ns = step * window.step_ns;");
  if (view.plan.every_ns > view.plan.step_ns) {
    text.line("if ((window.start_ns + passed_ns) % " + std::to_string(view.plan.every_ns) +
              " != 0) continue;  // executed every " + duration_text(view.plan.every_ns));
  } else {
    text.line("if (window.step_ns < " + std::to_string(view.plan.every_ns) +
              " && (window.start_ns + passed_ns) % " + std::to_string(view.plan.every_ns) +
              " != 0) continue;  // an audit has shorter windows");
  }
  text.line(
      "tick(static_cast<double>(window.start_ns + passed_ns) / 1e9, static_cast<double>(passed_ns) "
      "/ 1e9, true);");
  text.close();
  text.close();
}

}  // namespace

void emit_control(const SubsystemView& view, const ControlTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  emit_tick(view, task, coefficients, functions);
  emit_ticks(view, functions.text);
}

}  // namespace takt::codegen
