#include "codegen/model/values.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/expr/apply.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {

std::vector<std::string> value_candidates(const Workspace& work, const Reading& reading) {
  std::vector<std::string> names{"time"};
  for (const Scope* scope : {reading.scope, &work.scopes.front()}) {
    for (const auto& [name, slot] : scope->parameters) names.push_back(name);
  }
  constexpr std::size_t many = 5000;
  if (work.names.size() > many) return names;
  for (const auto& [path, target] : work.names) {
    names.emplace_back(path);
    if (!reading.section.empty() && path.starts_with(reading.section + "."))
      names.emplace_back(path.substr(reading.section.size() + 1));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Named> lower_expression(Workspace& work, const SourceExpression& expression,
                                      const Reading& reading) {
  if (!expression.ast) return std::nullopt;
  Resolver resolver;
  resolver.name = [&](std::string_view name) { return find_name(work, name, reading); };
  resolver.candidates = [&] { return value_candidates(work, reading); };
  Diagnostics findings;
  auto value = lower({*expression.ast, expression.where}, work.network.graph(), resolver, findings);
  work.forward(findings);
  return value;
}

std::optional<Named> lower_value(Workspace& work, const TomlValue& value, const Reading& reading) {
  Diagnostics findings;
  const SourceExpression expression = read_expression(value, findings);
  work.forward(findings);
  return lower_expression(work, expression, reading);
}

std::optional<double> parameter_value(const Workspace& work, Expr value) {
  using Value = Workspace::ParameterValue;
  const Graph& graph = work.network.graph();
  const auto of_symbol = [&](SymbolId symbol) {
    return work.parameter_of.contains(symbol)
               ? Value{work.network.parameters[work.parameter_of.at(symbol)].value}
               : Value{0.0, false};
  };
  const auto of_node = [&](const Node& node, const std::array<Value, 3>& operands) {
    if (node.op == Op::constant) return Value{node.value};
    const bool known = std::all_of(operands.begin(), operands.end(),
                                   [](const Value& operand) { return operand.known; });
    return known ? Value{apply_node(graph, node,
                                    {operands[0].value, operands[1].value, operands[2].value})}
                 : Value{0.0, false};
  };
  const Value found = work.parameter_values.by_operation(value, of_symbol, of_node);
  return found.known ? std::optional(found.value) : std::nullopt;
}

std::optional<double> structural_value(Workspace& work, Expr value, const Location& where,
                                       std::string_view what) {
  if (work.is_refused(value)) return std::nullopt;
  const auto result = parameter_value(work, value);
  if (!result || !std::isfinite(*result)) {
    work.error("M030", where,
               std::string(what) + " must be " +
                   (result ? "finite" : "constant: it cannot depend on time or signals"),
               "use numbers and parameters");
    return std::nullopt;
  }
  for (const SymbolId symbol : work.network.graph().symbols_of(value))
    work.network.parameters[work.parameter_of.at(symbol)].structural = true;
  return result;
}

/// What is usually meant where one was given and the other wanted.
static std::string way_between(const Dimension& given, const Dimension& wanted) {
  struct Way {
    std::string_view given, wanted, hint;
  };
  constexpr auto ways = std::to_array<Way>({
      {"m^3/s", "kg/s", "multiply it by a density, as in \"10 l/min*1000 kg/m^3\""},
      {"kg/s", "m^3/s", "divide it by a density, as in \"1 kg/s/(1000 kg/m^3)\""},
      {"m^3", "kg", "multiply it by a density, as in \"2 l*1000 kg/m^3\""},
      {"W", "J", "a power over a time is an energy, as in \"1 kW*1 h\""},
      {"J", "W", "an energy in a time is a power, as in \"1 kJ/1 s\""},
      {"A", "C", "a current over a time is a charge: A*h, not A"},
      {"J/K", "J/kg/K", "divide it by the mass"},
      {"J/kg/K", "J/K", "multiply it by the mass"},
      {"K/W", "W/K", "that is a resistance: the conductance is 1 over it, as in \"1/(0.5 K/W)\""},
      {"W/K", "K/W", "that is a conductance: the resistance is 1 over it, as in \"1/(2 W/K)\""},
      {"S", "Ohm", "that is a conductance: the resistance is 1 over it, as in \"1/(2 S)\""},
      {"m", "rad", "divide it by a radius"},
      {"m/s", "rad/s", "divide it by a radius"},
  });
  for (const Way& way : ways)
    if (parse_unit(way.given)->dimension == given && parse_unit(way.wanted)->dimension == wanted)
      return std::string(way.hint);
  return {};
}

bool check_dimension(Workspace& work, const Named& value, const WantedUnit& wanted,
                     const GivenValue& given) {
  const std::string expected(wanted.text);
  if (const auto conflict = wrong_kind(value.kind, kind_of_unit(expected))) {
    work.error("U007", given.where,
               std::string(given.what) + " is in " + expected + ": " + conflict->cause,
               conflict->remedy);
    return false;
  }
  if (!value.dimension || *value.dimension == wanted.unit.dimension) return true;
  if (given.literal_without_unit) {
    work.error("U005", given.where, std::string(given.what) + " needs its unit: " + expected,
               "write \"" + number_text(parameter_value(work, value.value).value_or(1.0)) + " " +
                   expected + "\", or the unit that is meant");
  } else {
    work.error("U004", given.where,
               std::string(given.what) + " is in " + expected + "; this is in " +
                   dimension_text(*value.dimension),
               way_between(*value.dimension, wanted.unit.dimension));
  }
  return false;
}

std::optional<std::int64_t> read_duration(Workspace& work, const TomlValue& value,
                                          const Reading& reading, std::string_view what) {
  std::optional<std::int64_t> duration;
  if (value.is_string()) {
    if (const auto exact = parse_duration_ns(value.text))
      duration = *exact;
    else if (parse_quantity(value.text)) {
      work.error("U003", value.where, exact.error(), "write for instance \"50 us\"");
      return std::nullopt;
    }
  }
  if (!duration) {
    const auto seconds = lower_value(work, value, reading);
    const Unit second = parse_unit("s").value_or(Unit{});
    if (!seconds ||
        !check_dimension(work, *seconds, {second, "s"}, {value.where, what, value.is_number()}))
      return std::nullopt;
    const auto number = structural_value(work, seconds->value, value.where, what);
    if (!number) return std::nullopt;
    const double nanoseconds = *number * 1e9;
    constexpr double longest = 9e18, whole = 1e-6;
    if (!(std::abs(nanoseconds) < longest) ||
        std::abs(nanoseconds - std::round(nanoseconds)) >
            whole * std::max(1.0, std::abs(nanoseconds) * 1e-9)) {
      work.error("U003", value.where, std::string(what) + " is not a whole number of nanoseconds");
      return std::nullopt;
    }
    duration = std::llround(nanoseconds);
  }
  if (*duration > 0) return duration;
  work.error("S012", value.where, std::string(what) + " must be longer than zero");
  return std::nullopt;
}

std::optional<int> read_count(Workspace& work, const TomlValue& value, const Reading& reading,
                              const Count& count) {
  const auto lowered = lower_value(work, value, reading);
  if (!lowered) return std::nullopt;
  const auto number = structural_value(work, lowered->value, value.where, count.what);
  if (!number) return std::nullopt;
  if (*number >= count.lowest && *number <= count.highest && *number == std::floor(*number))
    return static_cast<int>(*number);
  work.error("M022", value.where,
             std::string(count.what) + " is a whole number from " + std::to_string(count.lowest) +
                 " to " + std::to_string(count.highest));
  return std::nullopt;
}

}  // namespace takt::codegen
