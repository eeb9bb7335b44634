#pragma once
// How large values of a unit usually are. Apart from NumericSystem, so that what writes a flattened
// plant does not link the integrators.

#include <string>

namespace takt::codegen {

/// Errors of an unknown of this unit (SI) are judged relative to its size plus this: 1e5 Pa, 300 K,
/// 1e5 J/kg, 1 W, 1 J, else 1e-3.
[[nodiscard]] double usual_size(const std::string& unit);

}  // namespace takt::codegen
