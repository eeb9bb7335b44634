#pragma once
// Elementary functions with the same bits on x86-64 and aarch64, at every -march: plain IEEE double arithmetic in
// a fixed order, no libm, no fused multiply-add. The default rounding (to nearest) is assumed.
// Errors in units in the last place (ulp) are measured against long double in tests/runtime/math.
// A NaN result is a NaN on every machine; its sign and payload are not fixed.
//
// Real-time: all functions are wait-free, bounded, and never throw or set errno.

#include <limits>

namespace takt::math {

// --- exactly or correctly rounded, inline
[[nodiscard]] inline double sqrt(double x) noexcept { return __builtin_sqrt(x); }
[[nodiscard]] inline double abs(double x) noexcept { return __builtin_fabs(x); }
[[nodiscard]] inline double floor(double x) noexcept { return __builtin_floor(x); }
/// -1, 0 or 1; 0 for NaN.
[[nodiscard]] inline double sign(double x) noexcept { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
/// The first of equals; the first where either is NaN.
[[nodiscard]] inline double min(double a, double b) noexcept { return b < a ? b : a; }
[[nodiscard]] inline double max(double a, double b) noexcept { return a < b ? b : a; }
/// a - b*floor(a/b), in [0, b) for positive b up to rounding.
[[nodiscard]] inline double mod(double a, double b) noexcept { return a - b * floor(a / b); }

// --- below 1 ulp
[[nodiscard]] double exp(double x) noexcept;
/// NaN for x < 0, -inf for 0.
[[nodiscard]] double log(double x) noexcept;
/// Special values as in C99 annex F.
[[nodiscard]] double pow(double x, double y) noexcept;
/// Any finite argument, reduced exactly (Payne and Hanek beyond 1e6, bounded).
[[nodiscard]] double sin(double x) noexcept;
[[nodiscard]] double cos(double x) noexcept;
[[nodiscard]] double asin(double x) noexcept;
[[nodiscard]] double acos(double x) noexcept;

// --- below 2 ulp
[[nodiscard]] double tan(double x) noexcept;
[[nodiscard]] double atan(double x) noexcept;
/// Angle of the point (x, y), in [-pi, pi]; special values as in C99 annex F.
[[nodiscard]] double atan2(double y, double x) noexcept;
[[nodiscard]] double tanh(double x) noexcept;

}  // namespace takt::math
