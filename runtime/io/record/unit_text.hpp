#pragma once
// Units as people read them.

#include <string>

namespace takt {

/// A unit with the prefix that suits the numbers shown in it: divide by `factor`.
struct ScaledUnit {
  double factor = 1.0;
  std::string text;  ///< "kPa", "N·m"; empty for numbers without unit
};

/// @param unit  as in memory tables: "V", "N*m", "degC", "1"
/// @param largest  magnitude among the numbers. Units that take no prefix (powers, kg, ratios) stay as they are.
[[nodiscard]] ScaledUnit scaled_unit(const std::string& unit, double largest);

/// "Voltage", "Temperature"; empty where the unit tells no quantity.
[[nodiscard]] std::string quantity_of(const std::string& unit);

}  // namespace takt
