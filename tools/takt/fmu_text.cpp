#include "tools/takt/fmu_text.hpp"

#include <fmt/format.h>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/type_names.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + printable(word);
  return all;
}

std::string abilities(const FmuInterface& interface) {
  std::vector<std::string> can;
  const auto add = [&](bool has, const char* words) {
    if (has) can.emplace_back(words);
  };
  add(interface.get_and_set_state, "gets and sets its state");
  add(interface.serialize_state, "serialises it");
  add(interface.directional_derivatives, "directional derivatives");
  add(interface.adjoint_derivatives, "adjoint derivatives");
  add(interface.variable_step, "steps of any size");
  add(interface.interpolates_inputs, "interpolates inputs");
  add(interface.output_derivative_order > 0, "derivatives of outputs");
  add(interface.has_event_mode, "event mode");
  add(interface.intermediate_update, "intermediate updates");
  add(interface.early_return || interface.returns_early, "early return");
  add(interface.only_once_per_process, "one instance per process");
  add(interface.needs_execution_tool, "needs its tool");
  return interface.model_identifier + (can.empty() ? "" : ": ") + joined(can);
}

std::string start_text(const FmuVariable& variable) {
  return std::visit(
      [](const auto& values) -> std::string {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::monostate>) {
          return "";
        } else if constexpr (std::is_same_v<Values, std::vector<std::string>>) {
          return values.empty() ? "" : " = \"" + printable(values[0]) + (values.size() > 1 ? "\" ..." : "\"");
        } else {
          std::string text = " =";
          for (std::size_t k = 0; k < values.size() && k < 4; ++k) text += fmt::format(" {}", values[k]);
          return text + (values.size() > 4 ? " ..." : "");
        }
      },
      variable.start);
}

std::string variable_text(const FmuVariable& variable) {
  std::string dimensions;
  for (const FmuDimension& dimension : variable.dimensions)
    dimensions +=
        dimension.size ? fmt::format("[{}]", *dimension.size) : fmt::format("[#{}]", dimension.reference.value_or(0));
  const std::string type = std::string(text(variable.type)) + dimensions;
  return fmt::format("  {:<32} {:<12} {:<11} {}{}{}\n", printable(variable.name), type, text(variable.variability),
                     variable.unit.empty() ? "" : "[" + printable(variable.unit) + "]", start_text(variable),
                     variable.description.empty() ? "" : "  " + printable(variable.description));
}

void append_variables(std::string& out, const FmuDescription& fmu, FmuCausality causality) {
  std::string lines;
  std::size_t count = 0;
  for (const FmuVariable& variable : fmu.variables)
    if (variable.causality == causality) lines += variable_text(variable), ++count;
  if (count > 0) out += fmt::format("\n{} ({})\n{}", text(causality), count, lines);
}

std::string experiment_text(const FmuExperiment& experiment) {
  std::string all;
  for (const auto& [name, value] : {std::pair{"start", experiment.start},
                                    {"stop", experiment.stop},
                                    {"step", experiment.step},
                                    {"tolerance", experiment.tolerance}})
    if (value) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", name, *value);
  return all;
}

}  // namespace

std::string fmu_text(const FmuDescription& fmu) {
  std::string out;
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += fmt::format("{:<16}{}\n", name, value);
  };
  line("model", printable(fmu.model_name));
  line("description", printable(fmu.description));
  line("FMI", printable(fmu.version_text));
  line("made by", printable(fmu.generation_tool));
  if (fmu.co_simulation) line("co-simulation", abilities(*fmu.co_simulation));
  if (fmu.model_exchange) line("model exchange", abilities(*fmu.model_exchange));
  if (fmu.scheduled_execution) line("scheduled", "execution by clocks, not served");
  line("binaries", fmu.platforms.empty() ? "none" : joined(fmu.platforms));
  if (fmu.has_sources) line("sources", "yes");
  line("experiment", experiment_text(fmu.experiment));
  line("structure",
       fmt::format("{} variables, {} outputs, {} state derivatives, {} event indicators", fmu.variables.size(),
                   fmu.outputs.size(), fmu.state_derivatives.size(), fmu.event_indicators));
  for (const FmuTerminal& terminal : fmu.terminals)
    line("terminal", printable(terminal.name) + " " + printable(terminal.kind) +
                         fmt::format(", {} members", terminal.members.size()));
  for (auto causality :
       {FmuCausality::independent, FmuCausality::structural_parameter, FmuCausality::parameter,
        FmuCausality::calculated_parameter, FmuCausality::input, FmuCausality::output, FmuCausality::local})
    append_variables(out, fmu, causality);
  return out;
}

}  // namespace takt::tools
