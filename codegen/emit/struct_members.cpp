#include "codegen/emit/struct_members.hpp"

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/event_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/sparse_blocks.hpp"

namespace takt::codegen {

std::string MemberWriter::type_of(const std::string& type) const {
  if (!in_lanes_) return type;
  return std::string(type == runtime::input_polynomial ? runtime::lane_input : runtime::lanes);
}

void MemberWriter::array(const Array& array) const {
  const std::string size = array.size.empty() ? std::to_string(array.symbols.size()) : array.size;
  if (in_lanes_)
    return text_.line("std::array<" + type_of(array.type) + ", " + size + "> " + array.name + ";");
  if (!array.meaning.empty()) text_.doc(array.meaning);
  for (std::size_t index = 0; index < array.symbols.size() && !is_large(view_); ++index)
    text_.doc("  [" + std::to_string(index) + "] " + view_.label(array.symbols[index]));
  text_.line("std::array<" + array.type + ", " + size + "> " + array.name + "{};");
}

void MemberWriter::number(const std::string& name, const std::string& start,
                          std::string_view meaning) const {
  if (in_lanes_) return text_.line(type_of("double") + " " + name + ";");
  text_.doc(meaning);
  text_.line("double " + name + " = " + start + ";");
}

void MemberWriter::coefficients(const std::vector<SubsystemFunctions::Member>& coefficients) const {
  if (coefficients.empty()) return;
  const bool numbered = coefficients.front().name.empty();
  if (in_lanes_) {
    text_.open("struct Coefficients");
    for (const SubsystemFunctions::Member& member : coefficients)
      text_.line(type_of("double") + " " + member.name + ";");
    text_.close("};");
    return text_.line("Coefficients k;");
  }
  if (numbered)
    return array({"double",
                  "k",
                  {},
                  "Coefficients, computed by prepare().",
                  std::to_string(coefficients.size())});
  write_coefficients(text_, "Coefficients", coefficients);
  text_.line("/// Computed by prepare().");
  text_.line("Coefficients k{};");
}

namespace {

/// Counts of events since the start, and what they are found by.
void write_counts(const MemberWriter& to) {
  const SubsystemView& view = to.view();
  const std::string blocks = std::to_string(view.newton_blocks),
                    ranges = std::to_string(view.ranges.size()),
                    still = std::to_string(view.still.size());
  if (view.newton_blocks > 0) {
    to.array({"double",
              "unsolved",
              {},
              "Solves of each Newton block that left a residual, since start.",
              blocks});
    to.array({"double",
              "turned",
              {},
              "Solves in which the residual of a block of one unknown both rose and fell with it.",
              blocks});
  }
  if (!view.surrogate.checks.empty()) {
    to.number(
        "inaccurate", "0.0",
        "How often linear equations did not hold where the subsystem was observed, since start.");
    to.number("unchecked", "1e3", "Looks since its equations were checked; the first one checks.");
  }
  to.number("alert", "0.0", "Not zero: an event was counted since the executive last looked.");
  std::vector<SymbolId> warm;
  for (const AlgebraicStep& step : view.surrogate.algebra)
    if (!step.newton.linear && !step.newton.flows)
      warm.insert(warm.end(), step.newton.unknowns.begin(), step.newton.unknowns.end());
  to.listed(
      {"double", "warm", warm, "Unknowns of the Newton blocks, as the last solve left them."});
  if (!view.still.empty()) {
    to.array({"double",
              "still",
              {},
              "Windows in whose last stage no mass flowed through a junction, since start.",
              still});
    to.array({"double", "still_now", {}, "1: none in this stage.", still});
  }
  if (!view.ranges.empty())
    to.array({"double",
              "left",
              {},
              "Windows and looks that found a quantity outside its range, since start.",
              ranges});
  if (any_may_pass(view))
    to.array({"double",
              "running",
              {},
              "How often running it was found there, of what may be for an instant.",
              ranges});
  write_event_members(to);
  if (look_every(view) > 0) to.number("unseen", "0.0", "Windows since somebody looked.");
}

}  // namespace

void write_sizes(Writer& text, const SubsystemView& view) {
  const auto size = [&](const char* name, std::size_t value) {
    text.line("static constexpr std::size_t " + std::string(name) + " = " + std::to_string(value) +
              ";");
  };
  size("state_count", view.surrogate.states.size());
  if (is_circuit(view.surrogate.kind)) size("quadrature_count", view.quadratures());
  write_event_sizes(text, view);
}

void write_members(const MemberWriter& to,
                   const std::vector<SubsystemFunctions::Member>& coefficients) {
  const SubsystemView& view = to.view();
  std::vector<SymbolId> states;
  for (const SurrogateState& state : view.surrogate.states) states.push_back(state.symbol);
  const bool integrated = is_circuit(view.surrogate.kind);
  if (integrated || !states.empty())  // a method integrates none as well
    to.array({"double", "x", states, "States.", "state_count"});
  if (integrated)
    to.array({"double",
              "q",
              {},
              "Integrals over the last window: sent, received, supplied, dissipated, exchanged.",
              "quadrature_count"});
  to.listed({std::string(runtime::input_polynomial), "inputs", view.plan.inputs,
             "Inputs, written by the executive before run()."});
  if (!to.in_lanes()) write_line_members(to.text(), view);
  to.listed({"double", "outputs", view.plan.outputs,
             "What other subsystems read, at the end of the last window."});
  to.listed({"double", "sent", view.plan.sent, "Fluxes sent, integral over the last window."});
  to.listed({"double", "received", view.plan.received,
             "Fluxes received, integral over the last window by this subsystem's quadrature."});
  to.array({"double",
            "energy",
            {},
            "Supplied, dissipated, exchanged since start; stored now; sum of the magnitudes of the "
            "first three, window by window [J].",
            "5"});
  to.array({"double", "newton", {}, "Largest residual of the last window and since start.", "2"});
  write_counts(to);
  to.coefficients(coefficients);
  if (to.in_lanes()) return;
  write_sparse_members(to.text(), view);
  write_flow_members(to.text(), view);
  to.listed({"double", "signals", view.signals,
             "Everything else that can be observed, when it was last looked at."});
}

}  // namespace takt::codegen
