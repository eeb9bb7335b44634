// ModelStructure against the variables. FMI 2.0.4, 2.2.8; FMI 3.0.2, 2.4.8.

#include <fmt/format.h>

#include <map>
#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {
namespace {

class StructureCheck {
 public:
  explicit StructureCheck(const FmuReading& reading) : reading_(reading), fmu_(reading.fmu) {}

  void run() const {
    outputs();
    derivatives();
    event_indicators();
    clocked_states();
    initial_unknowns();
  }

 private:
  [[nodiscard]] std::string name(std::size_t index) const {
    return "'" + printable(fmu_.variables[index].name) + "'";
  }
  [[nodiscard]] Location structure() const {
    return reading_.xml.at(reading_.root().child("ModelStructure"));
  }
  void error(const char* code, const Location& where, std::string message, std::string hint) const {
    reading_.diagnostics.error(code, where, std::move(message), std::move(hint));
  }
  /// What only the integrator of model exchange reads: it changes no run of an FMU that integrates
  /// itself.
  void integration(const char* code, const Location& where, std::string message,
                   std::string hint) const {
    if (fmu_.model_exchange) return error(code, where, std::move(message), std::move(hint));
    reading_.diagnostics.warning(code, where, std::move(message), std::move(hint));
  }

  static std::set<std::size_t> indices(const std::vector<FmuUnknown>& unknowns) {
    std::set<std::size_t> all;
    for (const FmuUnknown& unknown : unknowns) all.insert(unknown.variable);
    return all;
  }

  void outputs() const {
    const auto named = indices(fmu_.outputs);
    for (std::size_t index = 0; index < fmu_.variables.size(); ++index)
      if (fmu_.variables[index].causality == FmuCausality::output && !named.contains(index))
        error("Y051", fmu_.variables[index].where,
              name(index) + " is an output that ModelStructure does not name",
              "list all outputs there");
    for (std::size_t index : named)
      if (fmu_.variables[index].causality != FmuCausality::output)
        error("Y051", structure(),
              fmt::format("ModelStructure names {} as an output, but it is {}", name(index),
                          text(fmu_.variables[index].causality)),
              "take it out, or make its causality output");
  }

  void derivatives() const {
    std::map<std::size_t, std::size_t> states;
    for (const FmuUnknown& unknown : fmu_.state_derivatives) {
      const FmuVariable& rate = fmu_.variables[unknown.variable];
      if (!rate.derivative_of) {
        integration(
            "Y052", rate.where,
            fmt::format("ModelStructure names {} as a derivative, but it does not say of what",
                        name(unknown.variable)),
            "give it derivative=\"...\", the state");
        continue;
      }
      const auto [other, is_new] = states.try_emplace(*rate.derivative_of, unknown.variable);
      if (!is_new)
        integration("Y052", rate.where,
                    fmt::format("{} and {} are both derivatives of {}", name(other->second),
                                name(unknown.variable), name(*rate.derivative_of)),
                    "a state has one derivative");
      if (fmu_.variables[*rate.derivative_of].variability != FmuVariability::continuous ||
          rate.variability != FmuVariability::continuous)
        integration("Y052", rate.where,
                    fmt::format("{} is the derivative of {}, and one of them is not continuous",
                                name(unknown.variable), name(*rate.derivative_of)),
                    "states and their derivatives are continuous");
    }
    if (!fmu_.model_exchange) return;
    const auto named = indices(fmu_.state_derivatives);
    for (std::size_t index = 0; index < fmu_.variables.size(); ++index)
      if (const auto& variable = fmu_.variables[index]; variable.derivative_of &&
                                                        !named.contains(index) &&
                                                        !states.contains(*variable.derivative_of))
        reading_.diagnostics.warning(
            "Y052", variable.where,
            fmt::format("{} is the derivative of {}, which ModelStructure does not know as a state",
                        name(index), name(*variable.derivative_of)),
            "list the derivatives of all states there");
  }

  void event_indicators() const {
    for (const FmuUnknown& unknown : fmu_.indicators)
      if (const auto& variable = fmu_.variables[unknown.variable];
          !is_float(variable.type) || variable.variability != FmuVariability::continuous)
        integration("Y055", variable.where,
                    name(unknown.variable) + " is an event indicator, but no continuous number",
                    "event indicators are continuous");
  }

  void clocked_states() const {
    for (const FmuUnknown& unknown : fmu_.clocked_states)
      if (const auto& variable = fmu_.variables[unknown.variable];
          !variable.previous || variable.clocks.empty())
        error("Y055", variable.where,
              name(unknown.variable) + " is a clocked state without previous or without clocks",
              "give it previous=\"...\" and clocks=\"...\"");
  }

  [[nodiscard]] bool is_found_at_start(const FmuVariable& variable) const {
    return variable.initial == FmuInitial::approx || variable.initial == FmuInitial::calculated;
  }

  void initial_unknowns() const {
    std::set<std::size_t> expected;
    for (std::size_t index = 0; index < fmu_.variables.size(); ++index) {
      const FmuVariable& variable = fmu_.variables[index];
      if (variable.causality == FmuCausality::calculated_parameter ||
          (variable.causality == FmuCausality::output && is_found_at_start(variable) &&
           variable.clocks.empty() && variable.type != FmuType::clock))
        expected.insert(index);
    }
    for (const FmuUnknown& unknown : fmu_.state_derivatives)
      for (std::size_t index :
           {unknown.variable,
            fmu_.variables[unknown.variable].derivative_of.value_or(unknown.variable)})
        if (is_found_at_start(fmu_.variables[index])) expected.insert(index);
    const auto named = indices(fmu_.initial_unknowns);
    for (std::size_t index : expected)
      if (!named.contains(index))
        reading_.diagnostics.warning(
            "Y053", fmu_.variables[index].where,
            name(index) + " is found at the start, but is no initial unknown of ModelStructure",
            "list it there");
    for (std::size_t index : named)
      if (!expected.contains(index))
        reading_.diagnostics.warning(
            "Y053", fmu_.variables[index].where,
            name(index) +
                " is an initial unknown of ModelStructure, but nothing that is found at the start",
            "outputs, calculated parameters, states and their derivatives are, where they are not "
            "exact");
  }

  const FmuReading& reading_;
  const FmuDescription& fmu_;
};

}  // namespace

void check_structure(FmuReading& reading) { StructureCheck(reading).run(); }

}  // namespace takt::codegen
