#pragma once
// What expressions of a scenario may name: its variables, and the table of plant memory.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/mistake.hpp"
#include "runtime/scenario/written_unit.hpp"
#include "runtime/units/kinds.hpp"
#include "runtime/units/units.hpp"

namespace takt {

struct ScenarioVariable {
  double value = 0.0;  ///< SI
  Dimension dimension;
  QuantityKind kind{};
  WrittenUnits written = {};
};

class ScenarioNames {
 public:
  explicit ScenarioNames(const PlantDescription& plant);

  std::map<std::string, ScenarioVariable, std::less<>> variables;

  [[nodiscard]] const PlantDescription& plant() const { return plant_; }
  /// Row of the table, also by the short form of an output ("control.regulator" is "control.regulator.out").
  [[nodiscard]] std::optional<std::uint32_t> row(std::string_view path) const;
  [[nodiscard]] const MemoryEntry& entry(std::uint32_t row) const { return plant_.table[row]; }
  /// `did you mean "x"?`, else what would help.
  [[nodiscard]] std::string hint(std::string_view name) const;

 private:
  PlantDescription plant_;
  std::unordered_map<std::string_view, std::uint32_t> rows_;
};

/// Of the unit's text in the table; none for counts and what has no unit.
[[nodiscard]] Dimension dimension_of(const MemoryEntry& entry);

}  // namespace takt
