#pragma once
// Units of the variables of an FMU.

#include <optional>
#include <string>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/units.hpp"
#include "runtime/units/kinds.hpp"

namespace takt::codegen {

/// SI = factor * value + offset.
struct FmuQuantity {
  std::string unit = "any";            ///< as symbols take it; any: no dimension is checked
  std::optional<Dimension> dimension;  ///< unknown where the FMU says nothing that we can read
  double factor = 1.0, offset = 0.0;
  bool is_difference = false;  ///< of temperatures
  bool unreadable = false;     ///< a unit is named, and nobody knows what it is
  /// What its dimension does not say: turns or radians, a temperature or a difference of two.
  [[nodiscard]] QuantityKind kind() const {
    return is_difference ? temperature_kind(0.0) : kind_of_unit(unit);
  }
};

/// By the base units the FMU gives (FMI 2.0.4, 2.2.2; FMI 3.0.2, 2.4.3), else by the name of the
/// unit.
[[nodiscard]] FmuQuantity quantity_of(const FmuDescription& fmu, const FmuVariable& variable);

}  // namespace takt::codegen
