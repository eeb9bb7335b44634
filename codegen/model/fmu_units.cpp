#include "codegen/model/fmu_units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "runtime/units/kinds.hpp"

namespace takt::codegen {
namespace {

/// FMI: kg, m, s, A, K, mol, cd, rad. Takt: m, kg, s, A, K, mol, cd, and rad as 1.
Dimension dimension_of(const FmuUnit& unit) {
  constexpr std::array<std::size_t, 7> place{1, 0, 2, 3, 4, 5, 6};
  Dimension dimension;
  for (std::size_t ours = 0; ours < place.size(); ++ours)
    dimension.exponent[ours] =
        static_cast<std::int8_t>(std::clamp(unit.si[place[ours]], -100, 100));
  return dimension;
}

/// Some FMUs count turns where we count radians: a base unit of 1/60 for "rpm", of 1 for "rev/s" is
/// in Hz.
void tell_turns(FmuQuantity& quantity, const Unit& known) {
  constexpr double turn = 2.0 * std::numbers::pi, near = 1e-3;
  if (kind_of_unit(quantity.unit).sort != QuantityKind::Sort::angular) return;
  if (std::fabs(quantity.factor * turn / known.factor - 1.0) < near) quantity.unit = "Hz";
}

}  // namespace

FmuQuantity quantity_of(const FmuDescription& fmu, const FmuVariable& variable) {
  FmuQuantity quantity;
  if (variable.unit.empty()) return quantity;
  const auto known = parse_unit(variable.unit);
  const auto given = std::find_if(fmu.units.begin(), fmu.units.end(),
                                  [&](const FmuUnit& unit) { return unit.name == variable.unit; });
  if (given != fmu.units.end() && given->has_base) {
    quantity.dimension = dimension_of(*given);
    quantity.factor = given->factor;
    quantity.offset = given->offset;
    quantity.unit = known && known->dimension == *quantity.dimension
                        ? variable.unit
                        : dimension_text(*quantity.dimension);
    if (quantity.unit.empty()) quantity.unit = "1";
    if (known && known->dimension == *quantity.dimension)
      tell_turns(quantity, *known);
    else if (quantity.unit == "1/s" && given->si[7] == 1)
      quantity.unit = "rad/s";
  } else if (known) {
    quantity.dimension = known->dimension;
    quantity.factor = known->factor;
    quantity.offset = known->offset * known->factor;
    quantity.unit = variable.unit;
  } else {
    quantity.unreadable = true;
  }
  if (!variable.relative_quantity) return quantity;
  quantity.offset = 0.0;
  quantity.is_difference = quantity.dimension == parse_unit("K")->dimension;
  if (quantity.is_difference) quantity.unit = "K";
  return quantity;
}

}  // namespace takt::codegen
