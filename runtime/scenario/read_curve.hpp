#pragma once
// Points over time: of a table that an input follows, of the reference of a band.

#include "runtime/scenario/program.hpp"
#include "runtime/scenario/read_values.hpp"

namespace takt {

/// { points = [[t, v], ...], x_unit, y_unit } (units of plain numbers) or { csv = "file.csv", x = "time [s]", y =
/// "torque [N*m]" }; values of this dimension. Columns are in the unit of their head.
/// @throw ScenarioMistake
[[nodiscard]] TimeCurve read_curve(const TomlNode& table, const WantedUnit& wanted, const ScenarioSource& source);

}  // namespace takt
