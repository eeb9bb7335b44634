#pragma once
// Whether the library has been compiled so that it can have the bits of a run.

namespace takt::fmu_export {

/// Products are rounded before they are added to: no fused operation, no excess precision. False where somebody has
/// compiled the sources without -ffp-contract=off for a processor that fuses.
[[nodiscard]] bool rounds_every_operation() noexcept;

inline constexpr const char* rounds_too_little =
    "this library was compiled with fused or extended arithmetic, so it would not compute what the plant computes; "
    "compile its sources with -ffp-contract=off (and on 32-bit machines without x87)";

}  // namespace takt::fmu_export
