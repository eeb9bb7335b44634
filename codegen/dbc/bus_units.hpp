#pragma once
// Units of CAN databases, which are written by hand ("Nm", "kph", "°C", "C", "%"), against SI units
// of the plant.

#include <optional>
#include <string>
#include <string_view>

#include "codegen/text/units.hpp"
#include "runtime/units/kinds.hpp"

namespace takt::codegen {

/// Unit of a DBC signal; nullopt where it is empty or not understood.
/// @param temperature  the other side is a temperature: "C" means degrees Celsius, not coulomb
[[nodiscard]] std::optional<Unit> bus_unit(std::string_view text, bool temperature);

/// Whether it is a frequency ("Hz") or an angular velocity ("rpm", "1/min").
[[nodiscard]] QuantityKind bus_unit_kind(std::string_view text);

}  // namespace takt::codegen
