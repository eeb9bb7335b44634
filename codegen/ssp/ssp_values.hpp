#pragma once
// Values of SSP in the words of plant files.

#include <optional>
#include <string>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/ssp/ssp_structure.hpp"

namespace takt::codegen {

/// target = factor * source + offset, both in SI.
struct SspMap {
  double factor = 1.0, offset = 0.0;
  [[nodiscard]] bool is_identity() const { return factor == 1.0 && offset == 0.0; }
};

/// second after first
[[nodiscard]] SspMap after(const SspMap& second, const SspMap& first);

/// A transformation on values in a unit, as one on values in SI.
[[nodiscard]] SspMap in_si(const SspTransformation& transformation, const SspUnit& unit);
/// The same where units are not converted: numbers of `from` become numbers of `to`.
[[nodiscard]] SspMap in_si_unconverted(const SspTransformation& transformation, const SspUnit& from,
                                       const SspUnit& to);

/// Unit of a variable; nothing where it is unknown: no dimension is checked.
[[nodiscard]] std::optional<SspUnit> unit_of(const FmuQuantity& quantity);

/// A number in SI as a plant file has it: "2", "293.15 K".
[[nodiscard]] std::string si_text(double si, const std::optional<Dimension>& dimension);
/// A number in the unit of a variable: "5 mm" where plants know the unit, else in SI.
[[nodiscard]] std::string value_text(double value, const FmuQuantity& quantity);

/// "2*fmu.a.y + 3 V"
[[nodiscard]] std::string fed_text(const std::string& signal, const SspMap& map,
                                   const std::optional<Dimension>& dimension);

}  // namespace takt::codegen
