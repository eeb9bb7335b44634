#pragma once
// Text of a scenario to expressions and values, dimensions checked.

#include <string_view>

#include "runtime/scenario/expression.hpp"
#include "runtime/scenario/names.hpp"

namespace takt {

/// "electric.link.v > 0.9*v_nominal and not time < 2 s": numbers with units, variables, paths of the table, `time`;
/// + - * / ^, comparisons, and or not, abs min max sqrt if(condition, a, b).
/// @param where  of the first character
/// @throw ScenarioMistake
[[nodiscard]] Expression parse_expression(std::string_view text, const ScenarioPlace& where,
                                          const ScenarioNames& names);

/// The same, of a condition.
[[nodiscard]] Expression parse_condition(std::string_view text, const ScenarioPlace& where, const ScenarioNames& names);

/// The same, of a quantity that depends on variables alone.
[[nodiscard]] ScenarioVariable parse_constant(std::string_view text, const ScenarioPlace& where,
                                              const ScenarioNames& names);

/// The dimension's SI unit, for messages.
[[nodiscard]] std::string unit_of(const Dimension& dimension);

}  // namespace takt
