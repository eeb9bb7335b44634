#include "codegen/emit/foreign_functions.hpp"

#include <algorithm>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/observed_values.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

/// An SI value in the FMU's own unit.
code::Value in_own_unit(code::Values& values, code::Value value, const ForeignModel::Port& port) {
  if (port.offset != 0.0)
    value = values.operation(code::Form::bracketed, values.operation(code::Form::difference, value,
                                                                     values.number(port.offset)));
  if (port.factor == 1.0) return value;
  return values.operation(code::Form::quotient, value, values.number(port.factor));
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
  const auto given = [&](std::size_t index) {
    const code::Value value =
        body.values().operation(code::Form::bracketed, body.statements().value(task.given[index]));
    return in_own_unit(body.values(), value, model.parameters[index].port);
  };
  for (std::size_t index = 0; index < task.given.size(); ++index)
    body.store("to", index, given(index),
               model.fmu_of(model.parameters[index].port)
                   .variables[model.parameters[index].port.variable]
                   .name);
  write_function(functions, view, {"give", {{"double*", "to"}}}, {body.statements()});
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
    body.store("fed", index,
               in_own_unit(body.values(), body.own(model.inputs[index].port.symbol),
                           model.inputs[index].port),
               "");
  write_function(functions, view, {"feed", time_parameters}, {body.statements()});
}

/// Place of what the FMU takes at a port among its inputs, of what it gives among its outputs.
struct PortPlaces {
  std::size_t fed = 0, given = 0;
};

PortPlaces places_of(const ForeignModel& model, const ForeignPort& port) {
  PortPlaces places;
  while (model.inputs[places.fed].port.symbol != port.fed) ++places.fed;
  while (model.outputs[places.given].symbol != port.given) ++places.given;
  return places;
}

/// Whether its inputs move within a step.
bool follows_inputs(const ForeignModel& model) {
  return model.model_exchange ||
         (model.fmu->version == FmiVersion::v2 && model.fmu->co_simulation->interpolates_inputs);
}

/// Energy into the FMU over a step of length h, by what it took and gave: both linear between
/// beginning and end; an input of co-simulation held, where it does not interpolate.
std::string energy_of_step(const ForeignModel& model, const Branch& branch, std::size_t index) {
  const ForeignPort& port = model.ports[index];
  const PortPlaces places = places_of(model, port);
  const std::string took = at("took", index), gave = at("gave", index),
                    gives = at("x", places.given);
  const std::string takes =
      follows_inputs(model)
          ? "(" + in_si(at("fed", places.fed), model.inputs[places.fed].port) + ")"
          : took;
  const std::string sign = port.sign < 0.0 ? "-h" : "h";
  if (!words_of(branch.domain).through_is_power)
    return sign + " / 6.0 * (" + took + " * (2.0 * " + gave + " + " + gives + ") + " + takes +
           " * (" + gave + " + 2.0 * " + gives + "))";
  return sign + " / 2.0 * (" + (port.gives_through ? gave + " + " + gives : took + " + " + takes) +
         ")";
}

void emit_port_account(const SubsystemView& view, const ForeignModel& model, Writer& text) {
  text.blank();
  text.open_of("void ", view.type, "::begin_ports() noexcept");
  for (std::size_t index = 0; index < model.ports.size(); ++index) {
    const PortPlaces places = places_of(model, model.ports[index]);
    text.line(at("took", index) + " = " +
              in_si(at("fed", places.fed), model.inputs[places.fed].port) + ";");
    text.line(at("gave", index) + " = " + at("x", places.given) + ";");
  }
  text.close();
  text.blank();
  text.open_of("void ", view.type, "::end_ports(double h) noexcept");
  for (std::size_t index = 0; index < model.ports.size(); ++index) {
    const ForeignPort& port = model.ports[index];
    const Branch& branch = view.network.branches[static_cast<std::size_t>(port.branch)];
    text.line("const double into_" + std::to_string(index) + " = " +
              energy_of_step(model, branch, index) + ";  // " + view.label(port.taken));
    text.line(at("x", view.state.at(port.taken)) + " += into_" + std::to_string(index) + ";");
    text.line("energy[0] -= into_" + std::to_string(index) +
              ", energy[4] += takt::math::abs(into_" + std::to_string(index) + ");");
  }
  text.close();
  text.blank();
  text.open_of("void ", view.type, "::receive_ports(double length) noexcept");
  for (const ForeignPort& port : model.ports) {
    const std::string place =
        at("received", static_cast<std::size_t>(std::find(view.plan.received.begin(),
                                                          view.plan.received.end(), port.power) -
                                                view.plan.received.begin()));
    text.line(place + " = takt::foreign::integral(" + at("inputs", view.input.at(port.power)) +
              ", length);  // " + view.label(port.power));
    text.line(at("x", view.state.at(port.sent)) + " += " + place + ", energy[2] += " + place +
              ", energy[4] += takt::math::abs(" + place + ");");
  }
  text.close();
}

}  // namespace

std::vector<ForeignRange> ranges_of(const SubsystemView& view, const ForeignTask& task) {
  const ForeignModel& model = view.network.foreign[task.model];
  std::vector<ForeignRange> ranges;
  for (std::size_t output = 0; output < model.outputs.size(); ++output) {
    const ForeignModel::Port& port = model.outputs[output];
    if (port.member == ForeignModel::Port::of_join) continue;
    if (const auto declared = declared_range(model.fmu_of(port).variables[port.variable]))
      ranges.push_back({output, declared->least, declared->most,
                        view.network.graph().symbol(port.symbol).path +
                            " leaves the range that its FMU declares: " + declared->text});
  }
  return ranges;
}

void emit_foreign(const SubsystemView& view, const ForeignTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  const ForeignModel& model = view.network.foreign[task.model];
  emit_give(view, task, coefficients, functions);
  coefficients
      .forget_uses();  // parameters go to the FMU when it starts: tuning later would do nothing
  emit_feed(view, model, coefficients, functions);
  Writer& text = functions.text;
  text.blank();
  text.open_of(
      "void ", view.type,
      "::take(" + list_of({{"const double*", "raw"}}, !model.outputs.empty()) + ") noexcept");
  for (std::size_t index = 0; index < model.outputs.size(); ++index)
    text.line(at("x", index) + " = " + in_si(at("raw", index), model.outputs[index]) + ";  // " +
              view.label(model.outputs[index].symbol));
  const std::vector<ForeignRange> ranges = ranges_of(view, task);
  for (std::size_t index = 0; index < ranges.size(); ++index) {
    const std::string raw = at("raw", ranges[index].output);
    text.line("if (" + raw + " < " + double_literal(ranges[index].least) + " || " + raw + " > " +
              double_literal(ranges[index].most) + ") " + at("beyond", index) +
              " += 1.0, alert = 1.0;");
  }
  text.close();
  text.blank();
  text.open_of("void ", view.type, "::be_safe() noexcept");
  for (std::size_t index = 0; index < model.outputs.size(); ++index)
    if (model.outputs[index].safe)
      text.line(at("x", index) + " = " + double_literal(*model.outputs[index].safe) + ";  // " +
                view.label(model.outputs[index].symbol));
  text.close();
  if (!model.ports.empty()) emit_port_account(view, model, text);
  text.blank();
  text.open_of("void ", view.type, "::run(const takt::Window& window) noexcept");
  text.line("takt::foreign::run(*this, " + std::to_string(task.model) + ", window);");
  text.close();
}

void write_foreign_members(Writer& text, const SubsystemView& view, const ForeignTask& task) {
  const ForeignModel& model = view.network.foreign[task.model];
  text.line(std::string("static constexpr bool stops = ") + (model.stops ? "true" : "false") + ";");
  text.doc("Inputs in the FMU's own units.");
  for (std::size_t index = 0; index < model.inputs.size(); ++index)
    text.doc(
        "  [" + std::to_string(index) + "] " +
        model.fmu_of(model.inputs[index].port).variables[model.inputs[index].port.variable].name);
  text.line("std::array<double, " + std::to_string(std::max<std::size_t>(model.inputs.size(), 1)) +
            "> fed{};");
  text.doc("Number of parameters.");
  text.line("static constexpr std::size_t given = " + std::to_string(task.given.size()) + ";");
  text.doc(
      "Steps in which the FMU failed, since start; paced, those after which its answer was late.");
  text.line("double failed = 0.0, late = 0.0;");
  if (const std::size_t count = ranges_of(view, task).size(); count > 0) {
    text.doc("How often an output was beyond what the FMU declares for it.");
    text.line("std::array<double, " + std::to_string(count) + "> beyond{};");
  }
  text.doc("Ports that join circuits.");
  text.line("static constexpr std::size_t ports = " + std::to_string(model.ports.size()) + ";");
  if (model.ports.empty()) return;
  text.doc("At the beginning of a step: what the FMU takes at each port, and what it gives. SI.");
  text.line("std::array<double, ports> took{}, gave{};");
}

}  // namespace takt::codegen
