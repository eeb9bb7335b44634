#pragma once
// What a call of an FMU ends with; the numbers are those of fmi2Status and fmi3Status.

namespace takt::fmu_export {

enum class Status : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4 };

/// The worse of two.
[[nodiscard]] constexpr Status worse(Status a, Status b) noexcept { return a < b ? b : a; }

}  // namespace takt::fmu_export
