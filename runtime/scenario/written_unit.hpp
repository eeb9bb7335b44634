#pragma once
// Values are told in the units in which somebody has written what they are compared with: of "speed < 1000 rpm" the
// speed in rpm, though the plant has it in rad/s.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/units/units.hpp"

namespace takt {

struct WrittenUnit {
  std::string text;
  Unit unit;
};
/// Of the numbers of an expression, and of the variables in it.
using WrittenUnits = std::vector<WrittenUnit>;

/// A value in SI as text, in a unit that was written for its dimension; else in `unit`, which has the factor 1. Values
/// without a dimension are told as they are.
[[nodiscard]] std::string told_value(double si, std::string_view unit, const WrittenUnits& written);

}  // namespace takt
