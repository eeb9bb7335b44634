#include "tools/takt/element_text.hpp"

#include <fmt/format.h>

#include <iterator>

#include "tools/takt/fault_text.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

constexpr std::string_view kind_name(BranchKind kind) {
  switch (kind) {
    case BranchKind::across_source:
      return "A";
    case BranchKind::across_storage:
      return "C";
    case BranchKind::dissipator:
      return "R";
    case BranchKind::through_storage:
      return "L";
    case BranchKind::through_source:
      return "T";
    case BranchKind::port:
      return "P";
  }
  return "?";
}

std::string parameter_unit(const ParameterDefinition& parameter) {
  switch (parameter.kind) {
    case ParameterDefinition::Kind::boolean:
      return "true/false";
    case ParameterDefinition::Kind::gate:
      return "gate";
    case ParameterDefinition::Kind::text:
      return "text";
    case ParameterDefinition::Kind::any:
      return "any";
    case ParameterDefinition::Kind::table:
      if (parameter.two_dimensional)
        return fmt::format("table {}, {} -> {}", parameter.x_unit_text, parameter.y_unit_text, parameter.unit_text);
      return fmt::format("table {} -> {}", parameter.x_unit_text, parameter.unit_text);
    case ParameterDefinition::Kind::quantity:
      break;
  }
  return parameter.unit_text;
}

std::string constraints_text(const ParameterDefinition& parameter) {
  std::string text;
  for (const Constraint& constraint : parameter.constraints) text += (text.empty() ? "" : " and ") + constraint.text;
  return text;
}

class Page {
 public:
  void head(std::string_view title, std::string_view doc) { print("{}\n{}\n", title, wrapped(doc, 2)); }
  void section(std::string_view title) { print("\n{}\n", title); }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  void row(std::string_view name, std::string_view unit, std::string_view rest) {
    print("  {:<14} {:<14} {}", name, unit, rest);
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void print_terminals(Page& page, const ElementDefinition& element) {
  if (element.self_node) page.print("  is itself a node of its section, named after it\n");
  for (const TerminalDefinition& terminal : element.terminals) {
    page.print("  {:<14} {}\n", terminal.name, words_of(terminal.domain).name);
  }
  if (element.heat)
    page.print("  {:<14} heat port: temperature in{}\n", "heat", element.heat->loss ? ", loss out" : "");
}

void print_parameters(Page& page, const std::vector<ParameterDefinition>& parameters) {
  for (const ParameterDefinition& parameter : parameters) {
    std::string rest = constraints_text(parameter);
    for (const std::string& word : parameter.words) rest += (rest.empty() ? "one of " : " | ") + word;
    if (parameter.optional) rest += (rest.empty() ? "" : ", ") + fmt::format("default {}", parameter.default_text);
    if (parameter.structural) rest += (rest.empty() ? "" : ", ") + std::string("a change needs a rebuild");
    if (!parameter.doc.empty()) rest += (rest.empty() ? "" : "; ") + parameter.doc;
    page.row(parameter.name, parameter_unit(parameter), rest);
  }
}

void print_laws(Page& page, const ElementDefinition& element) {
  for (const BranchDefinition& branch : element.branches) {
    const std::string_view reference = words_of(branch.domain).reference;
    page.print("  {} {:<11} {} -> {}   {}\n", kind_name(branch.kind), branch.name,
               branch.from.empty() ? reference : std::string_view(branch.from),
               branch.to.empty() ? reference : std::string_view(branch.to), branch.law_text);
    if (branch.energy) page.print("    {:<11} energy = {}\n", "", branch.energy->text);
  }
  for (const TwoPortDefinition& two_port : element.two_ports)
    page.print("  across({}) = ratio * across({}), ratio = {}\n", two_port.a, two_port.b, two_port.ratio.text);
  if (!element.heat) return;
  page.print("  t = temperature of the wall at `heat`, else {}\n", element.heat->temperature.text);
  if (element.heat->loss) page.print("  loss = {}   into that wall\n", element.heat->loss->text);
}

void print_equations(Page& page, const ElementDefinition& element) {
  for (const EquationDefinition& equation : element.equations)
    page.print("  {} = {}\n", equation.left.text, equation.right.text);
  for (const UnknownDefinition& unknown : element.unknowns)
    page.row(unknown.name, unknown.unit_text, fmt::format("start {}", unknown.start.text));
}

void print_convection(Page& page, const ElementDefinition& element) {
  if (!element.streams.empty()) page.section("streams (mass flow that carries enthalpy)");
  for (const StreamDefinition& stream : element.streams) {
    const std::string to =
        stream.to.empty()
            ? "outside" + (stream.temperature ? ", at " + stream.temperature->text + " inwards" : std::string())
            : stream.to;
    page.row(stream.name.empty() ? "h_flow" : stream.name + ".h_flow", "W",
             fmt::format("{} from {} to {}", stream.flow.text, stream.from, to));
  }
  if (!element.content) return;
  page.section("contents");
  if (element.content->temperature) page.row("t", "K", "given: " + element.content->temperature->text);
  if (element.content->mass)
    page.row("e", "J",
             "energy of the mass " + element.content->mass->text + "; starts at 20 degC, or start = { t = ... }");
}

void print_states(Page& page, const ElementDefinition& element) {
  const std::string_view change = element.is_control() ? "next" : "d/dt";
  for (const StateDefinition& state : element.states) {
    page.row(state.name, state.unit_text,
             fmt::format("{} = {}, start {}{}", change, state.change.text, state.start.text,
                         state.fixed ? ", fixed in a steady start" : ""));
  }
}

void print_values(Page& page, const std::vector<LetDefinition>& values) {
  // Outputs of gate blocks have no expression.
  for (const LetDefinition& value : values)
    page.row(value.name, value.unit_text, value.value.text.empty() ? "" : "= " + value.value.text);
}

void print_switching(Page& page, const ElementDefinition& element) {
  if (!element.modes.empty()) page.section("modes (1 or 0, or what events set)");
  for (const ModeDefinition& mode : element.modes) {
    if (mode.is_set_by_events()) {
      page.row(mode.name, mode.unit_text, fmt::format("set by events, start {}", mode.start.text));
      continue;
    }
    page.row(mode.name, "1", fmt::format("on where {} > 0", mode.on.text));
    page.row("", "", fmt::format("off where {} > 0, start {}", mode.off.text, mode.start.text));
  }
  if (!element.points.empty()) page.section("linearisation points");
  for (const PointDefinition& point : element.points) {
    page.row(point.name, point.unit_text, fmt::format("next = {}", point.next.text));
    page.row("", "", fmt::format("within {}, start {}", point.tolerance.text, point.start.text));
  }
  if (!element.edges.empty()) page.section("energies lost at edges (total since start)");
  for (const EdgeDefinition& edge : element.edges) {
    if (edge.rise.text != "0") page.row(edge.name, "J", fmt::format("where {} turns on: {}", edge.of, edge.rise.text));
    if (edge.fall.text != "0") page.row(edge.name, "J", fmt::format("where {} turns off: {}", edge.of, edge.fall.text));
  }
}

void print_events(Page& page, const ElementDefinition& element) {
  if (!element.events.empty()) page.section("events, where a condition comes true");
  for (const EventDefinition& event : element.events) {
    page.row(event.name, "", fmt::format("when {}", event.when.text));
    for (const EventDefinition::Set& set : event.sets)
      page.row("", "", fmt::format("{} becomes {}", set.name, set.value.text));
  }
}

void print_ranges(Page& page, const ElementDefinition& element) {
  if (!element.ranges.empty()) page.section("ranges, judged while the plant runs");
  for (const RangeDefinition& range : element.ranges) {
    const auto row = [&](const std::optional<SourceExpression>& limit, std::string_view relation,
                         RangeDefinition::Meaning meaning) {
      if (limit)
        page.row(range.name, range.unit_text,
                 fmt::format("{} {} {}, else it {} ({})", range.of.text, relation, limit->text, meaning_text(meaning),
                             meaning_code(meaning)));
    };
    row(range.min, ">=", range.at_min);
    row(range.max, "<=", range.at_max);
  }
}

void print_faults(Page& page, const ElementDefinition& element) {
  if (!element.faults.empty()) page.section("faults (while one is injected, these parameters have other values)");
  for (const FaultDefinition& fault : element.faults)
    page.print("  {:<16} {}\n{}\n", fault.name, changes_text(fault), wrapped(fault.doc, 19));
}

/// `name = { is = "resistor", at = ["p", "n"], r = "... Ohm" }` with what must be given.
std::string example_line(const ElementDefinition& element) {
  std::string line = fmt::format("name = {{ is = \"{}\"", element.name);
  if (!element.terminals.empty()) {
    line += ", at = [";
    for (std::size_t k = 0; k < element.terminals.size(); ++k) {
      line += fmt::format("{}\"{}\"", k > 0 ? ", " : "", element.terminals[k].name);
    }
    line += "]";
  }
  if (element.is_control() && element.gate_block == GateBlock::none) line += ", every = \"10 ms\"";
  for (const auto* list : {&element.inputs, &element.parameters}) {
    for (const ParameterDefinition& parameter : *list) {
      const bool gate = parameter.kind == ParameterDefinition::Kind::gate;
      if (!parameter.optional) line += fmt::format(", {} = {}", parameter.name, gate ? "\"control.pwm.high\"" : "...");
    }
  }
  return line + " }";
}

}  // namespace

std::string element_text(const ElementDefinition& element) {
  Page page;
  page.head(element.full_name(), element.doc);
  if (!element.source.empty()) page.print("{}\n", wrapped("source: " + element.source, 2));
  if (!element.terminals.empty() || element.self_node || element.heat) page.section("terminals");
  print_terminals(page, element);
  if (!element.inputs.empty()) page.section("inputs");
  print_parameters(page, element.inputs);
  if (!element.parameters.empty()) page.section("parameters");
  print_parameters(page, element.parameters);
  if (!element.branches.empty() || element.heat) {
    page.section("laws (A across source, C across storage, R dissipator, L through storage, T through source, P port)");
  }
  print_laws(page, element);
  if (!element.equations.empty()) page.section("free equations, and what they determine beside branches without law");
  print_equations(page, element);
  print_convection(page, element);
  print_ranges(page, element);
  if (!element.states.empty()) page.section("states");
  print_states(page, element);
  if (!element.lets.empty()) page.section("variables");
  print_values(page, element.lets);
  print_switching(page, element);
  print_events(page, element);
  if (!element.outputs.empty()) page.section("outputs");
  print_values(page, element.outputs);
  print_faults(page, element);
  if (element.state_machine) {
    page.print(
        "\n[control.name]\nis = \"{}\"\nevery = \"10 ms\"\nstart = \"low\"\nstate.low  = {{ gain = 1, to = {{ high = "
        "\"speed > 5 m/s\" }} }}\n"
        "state.high = {{ gain = 2, to = {{ low = \"speed < 4 m/s and time_in_state > 1 s\" }} }}\n",
        element.name);
    return page.take();
  }
  page.print("\n[{}]\n{}\n", element.section, example_line(element));
  return page.take();
}

std::string medium_text(const MediumDefinition& medium) {
  Page page;
  page.head("medium." + medium.name, medium.doc);
  if (!medium.source.empty()) page.print("{}\n", wrapped("source: " + medium.source, 2));
  page.section(medium.r ? "an ideal gas; properties over the temperature t"
                        : "a liquid; properties over the temperature t");
  const auto property = [&](std::string_view name, std::string_view unit, const std::optional<SourceExpression>& value,
                            std::string_view what) {
    if (value) page.row(name, unit, fmt::format("{}: {}", what, value->text));
  };
  property("cp", "J/kg/K", medium.cp, "heat capacity");
  property("rho", "kg/m^3", medium.rho, "density");
  property("r", "J/kg/K", medium.r, "gas constant");
  property("mu", "Pa*s", medium.mu, "dynamic viscosity");
  property("lambda", "W/m/K", medium.lambda, "thermal conductivity");
  property("p_vap", "Pa", medium.p_vap, "vapour pressure");
  property("t_min", "K", medium.t_min, "holds from");
  property("t_max", "K", medium.t_max, "holds up to");
  if (!medium.fraction.empty()) page.row("x", "1", "carried along: " + medium.fraction);
  page.print("\n[{}]\nmedium = \"{}\"\n", medium.r ? "gas" : "fluid", medium.name);
  return page.take();
}

std::string code_text(const CodeEntry& entry) {
  return fmt::format("{}  {}\n\n{}\n", entry.code, entry.title, wrapped(entry.explanation, 2));
}

}  // namespace takt::tools
