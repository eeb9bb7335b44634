#include "codegen/emit/foreign_functions.hpp"

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/observed_values.hpp"
#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

/// An SI value in the FMU's own unit.
std::string in_own_unit(const std::string& value, const ForeignModel::Port& port) {
  std::string text = port.offset == 0.0 ? value : "(" + value + " - " + double_literal(port.offset) + ")";
  return port.factor == 1.0 ? text : text + " / " + double_literal(port.factor);
}

std::string in_si(const std::string& value, const ForeignModel::Port& port) {
  std::string text = port.factor == 1.0 ? value : double_literal(port.factor) + " * " + value;
  return port.offset == 0.0 ? text : text + " + " + double_literal(port.offset);
}

void emit_give(const SubsystemView& view, const ForeignTask& task, Coefficients& coefficients,
               SubsystemFunctions& functions) {
  const ForeignModel& model = view.network.foreign[task.model];
  FunctionBody body(view, coefficients, "x");
  body.begin({}, task.given, false);
  for (std::size_t index = 0; index < task.given.size(); ++index)
    body.statements().writer().line(
        at("to", index) + " = " +
        in_own_unit("(" + body.statements().value(task.given[index]) + ")", model.parameters[index].port) + ";  // " +
        model.fmu_of(model.parameters[index].port).variables[model.parameters[index].port.variable].name);
  write_function(functions, view, {"give", "[[maybe_unused]] double* to", "to"}, {body.statements()});
}

void emit_feed(const SubsystemView& view, const ForeignModel& model, Coefficients& coefficients,
               SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<SymbolId> wanted = observed(view);
  for (const ForeignModel::Fed& input : model.inputs) wanted.push_back(input.port.symbol);
  const std::vector<std::size_t> steps = needed_steps(view, {}, wanted);
  body.begin(steps, {}, true);
  for (const SymbolId symbol : observed(view))
    if (view.state.contains(symbol)) body.use_state(symbol);
  body.algebra(steps);
  store_observed(view, body);
  for (std::size_t index = 0; index < model.inputs.size(); ++index)
    body.statements().writer().line(at("fed", index) + " = " +
                                    in_own_unit(body.own(model.inputs[index].port.symbol), model.inputs[index].port) +
                                    ";");
  write_function(functions, view, {"feed", "[[maybe_unused]] double t, [[maybe_unused]] double s", "t, s"},
                 {body.statements()});
}

}  // namespace

void emit_foreign(const SubsystemView& view, const ForeignTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  const ForeignModel& model = view.network.foreign[task.model];
  emit_give(view, task, coefficients, functions);
  coefficients.forget_uses();  // parameters go to the FMU when it starts: tuning later would do nothing
  emit_feed(view, model, coefficients, functions);
  Writer& text = functions.text;
  text.blank();
  text.open("void " + view.type + "::take([[maybe_unused]] const double* raw) noexcept");
  for (std::size_t index = 0; index < model.outputs.size(); ++index)
    text.line(at("x", index) + " = " + in_si(at("raw", index), model.outputs[index]) + ";  // " +
              view.label(model.outputs[index].symbol));
  text.close();
  text.blank();
  text.open("void " + view.type + "::be_safe() noexcept");
  for (std::size_t index = 0; index < model.outputs.size(); ++index)
    if (model.outputs[index].safe)
      text.line(at("x", index) + " = " + double_literal(*model.outputs[index].safe) + ";  // " +
                view.label(model.outputs[index].symbol));
  text.close();
  text.blank();
  text.open("void " + view.type + "::run(const takt::Window& window) noexcept");
  text.line("takt::foreign::run(*this, " + std::to_string(task.model) + ", window);");
  text.close();
}

void write_foreign_members(Writer& text, const SubsystemView& view, const ForeignTask& task) {
  const ForeignModel& model = view.network.foreign[task.model];
  text.line(std::string("static constexpr bool stops = ") + (model.stops ? "true" : "false") + ";");
  text.doc("Inputs in the FMU's own units.");
  for (std::size_t index = 0; index < model.inputs.size(); ++index)
    text.doc("  [" + std::to_string(index) + "] " +
             model.fmu_of(model.inputs[index].port).variables[model.inputs[index].port.variable].name);
  text.line("std::array<double, " + std::to_string(std::max<std::size_t>(model.inputs.size(), 1)) + "> fed{};");
  text.doc("Number of parameters.");
  text.line("static constexpr std::size_t given = " + std::to_string(task.given.size()) + ";");
  text.doc("Steps in which the FMU failed, since start; paced, those after which its answer was late.");
  text.line("double failed = 0.0, late = 0.0;");
}

}  // namespace takt::codegen
