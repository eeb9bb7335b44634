#pragma once
// Names of units and prefixes; what parse_unit knows. Beside parse_unit, for hints.

#include <span>
#include <string_view>

#include "runtime/units/units.hpp"

namespace takt {

/// One named unit: SI = (value + offset) * numerator / denominator.
/// Two numbers instead of one factor, so that decimal factors come out correctly rounded.
struct NamedUnit {
  std::string_view name;
  Dimension dimension;
  double numerator = 1.0;
  double denominator = 1.0;
  double offset = 0.0;
  bool takes_prefix = false;
};

struct Prefix {
  std::string_view name;
  double numerator = 1.0;
  double denominator = 1.0;
};

/// Words people write for a unit, for hints only.
struct UnitSynonym {
  std::string_view word;
  std::string_view unit;
};

[[nodiscard]] std::span<const NamedUnit> named_units();
[[nodiscard]] std::span<const Prefix> prefixes();
[[nodiscard]] std::span<const UnitSynonym> unit_synonyms();
/// Units that messages use for a dimension, in order of preference.
[[nodiscard]] std::span<const std::string_view> display_units();

}  // namespace takt
