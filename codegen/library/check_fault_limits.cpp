// Limits of parameters under faults, judged with the defaults of an element and, where there are
// none, with values across what is allowed: a fault that leaves them with all of these is wrong.
// What only the values of a plant can tell is judged there (codegen/model/faults.cpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

using Values = std::map<std::string, double, std::less<>>;

std::optional<double> evaluate(const Ast& ast, const Values& values) {
  if (ast.kind == Ast::Kind::number) return ast.value;
  if (ast.kind == Ast::Kind::name) {
    const auto found = values.find(ast.name.starts_with("param.") ? ast.name.substr(6) : ast.name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<double> of;
  for (const auto& argument : ast.args) {
    const auto value = evaluate(*argument, values);
    if (!value) return std::nullopt;
    of.push_back(*value);
  }
  if (ast.kind == Ast::Kind::unary && ast.name == "-") return -of.at(0);
  if (ast.kind == Ast::Kind::call && ast.name == "sqrt" && of.size() == 1) return std::sqrt(of[0]);
  if (ast.kind != Ast::Kind::binary) return std::nullopt;
  if (ast.name == "+") return of.at(0) + of.at(1);
  if (ast.name == "-") return of.at(0) - of.at(1);
  if (ast.name == "*") return of.at(0) * of.at(1);
  if (ast.name == "/") return of.at(0) / of.at(1);
  return std::nullopt;
}

bool from_below(const Constraint& constraint) {
  return constraint.relation == Constraint::Relation::above ||
         constraint.relation == Constraint::Relation::at_least;
}

/// A value that the numbers among the limits allow.
/// @param part  where between them, 0 to 1
double allowed_value(const ParameterDefinition& parameter, double part) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double lowest = -infinity, highest = infinity;
  for (const Constraint& constraint : parameter.constraints) {
    if (constraint.expression.ast) continue;
    if (from_below(constraint))
      lowest = std::max(lowest, constraint.limit);
    else
      highest = std::min(highest, constraint.limit);
  }
  if (std::isfinite(lowest) && std::isfinite(highest)) return lowest + part * (highest - lowest);
  if (std::isfinite(highest)) return highest - std::abs(highest) - 1.0;
  return std::isfinite(lowest) ? lowest + std::abs(lowest) + 1.0 : 1.0;
}

/// SI.
Values usual_values(const ElementDefinition& element, double part) {
  Values values;
  for (const ParameterDefinition& parameter : element.parameters) {
    const auto literal = parameter.default_value.ast ? literal_of(*parameter.default_value.ast)
                                                     : std::optional<Literal>();
    if (literal && (literal->unit || !parameter.unit))
      values[parameter.name] = literal->value;
    else if (literal)
      values[parameter.name] = (literal->value + parameter.unit->offset) * parameter.unit->factor;
    else if (!parameter.default_value.ast)
      values[parameter.name] = allowed_value(parameter, part);
  }
  for (const ParameterDefinition& parameter : element.parameters) {
    if (values.contains(parameter.name) || !parameter.default_value.ast) continue;
    if (const auto value = evaluate(*parameter.default_value.ast, values))
      values[parameter.name] = *value;
  }
  return values;
}

/// Also true where it cannot be told.
bool holds(const ParameterDefinition& parameter, const Constraint& constraint,
           const Values& values) {
  const auto limit = constraint.expression.ast ? evaluate(*constraint.expression.ast, values)
                                               : std::optional(constraint.limit);
  const auto value = values.find(parameter.name);
  if (!limit || value == values.end()) return true;
  switch (constraint.relation) {
    case Constraint::Relation::above:
      return value->second > *limit;
    case Constraint::Relation::at_least:
      return value->second >= *limit;
    case Constraint::Relation::below:
      return value->second < *limit;
    case Constraint::Relation::at_most:
      return value->second <= *limit;
  }
  return true;
}

Values under_fault(const FaultDefinition& fault, const Values& before) {
  Values under = before;
  for (const FaultDefinition::Change& change : fault.changes) {
    if (change.of.empty()) {
      under[change.parameter] = change.value;
    } else if (const auto of = before.find(change.of); of != before.end()) {
      under[change.parameter] = change.factor * of->second;
    }
  }
  return under;
}

void check_limits(const ElementDefinition& element, const FaultDefinition& fault,
                  Diagnostics& diagnostics) {
  constexpr std::array parts{0.01, 0.5, 0.99};
  const auto breaks = [&](const ParameterDefinition& parameter, const Constraint& constraint,
                          double part) {
    const Values before = usual_values(element, part);
    return holds(parameter, constraint, before) &&
           !holds(parameter, constraint, under_fault(fault, before));
  };
  for (const ParameterDefinition& parameter : element.parameters) {
    for (const Constraint& constraint : parameter.constraints) {
      if (!std::all_of(parts.begin(), parts.end(),
                       [&](double part) { return breaks(parameter, constraint, part); }))
        continue;
      const auto change =
          std::find_if(fault.changes.begin(), fault.changes.end(),
                       [&](const auto& each) { return each.parameter == parameter.name; });
      const FaultDefinition::Change& blamed =
          change == fault.changes.end() ? fault.changes.front() : *change;
      diagnostics.error(
          "L018", blamed.where,
          "fault '" + fault.name + "' of '" + element.full_name() + "' leaves the limits of '" +
              parameter.name + "': it must be " + constraint.text,
          "give '" + blamed.parameter + "' a value within them, such as 1.001 times the limit");
    }
  }
}

}  // namespace

void check_fault_limits(const ElementDefinition& element, Diagnostics& diagnostics) {
  for (const FaultDefinition& fault : element.faults) check_limits(element, fault, diagnostics);
}

}  // namespace takt::codegen
