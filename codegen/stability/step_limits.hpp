#pragma once
// Which steps of which methods a linearised subsystem can take: a method must not amplify a mode
// lambda more than the physics does, |R(h lambda)| <= max(1, |exp(h lambda)|), R its stability
// function.
//
// Growth of less than 1e-4 1/s (a factor e in three hours) is let pass: Euler's and Heun's methods
// amplify every undamped oscillation, however small the step.

#include <complex>
#include <cstdint>
#include <optional>

#include "codegen/methods/method.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {

/// R(z): what one step of the method does to x' = lambda*x, z = h*lambda.
/// @param stages  of methods that choose them
[[nodiscard]] std::complex<double> amplification(const Method* method, int stages,
                                                 std::complex<double> z);

/// Whether 1 is lost beside h*|lambda| of the fastest mode in the matrix that a linearly implicit
/// or exact method solves with or multiplies by: what is slow is then rounding.
[[nodiscard]] bool loses_slow_modes(const Method* method, const Spectrum& spectrum, double step_s);

/// @param step_s  h, s
[[nodiscard]] bool is_stable(const Method* method, int stages, const Spectrum& spectrum,
                             double step_s);

/// Steps up to this are stable, s; nullopt: any step is.
[[nodiscard]] std::optional<double> largest_stable_step(const Method* method, int stages,
                                                        const Spectrum& spectrum);

/// Steps that divide a period and are not above `most_ns`.
struct StepDivisors {
  std::int64_t period_ns, most_ns;
};

/// The largest stable one; nullopt where none of at least 1 ns is.
[[nodiscard]] std::optional<std::int64_t> largest_stable_divisor(const Method* method, int stages,
                                                                 const Spectrum& spectrum,
                                                                 const StepDivisors& steps);

[[nodiscard]] std::string three_digits(double value);

/// "-8.3e+05 1/s (time constant 1.2 us)", "-3 +- 100i 1/s (period 62.8 ms)"
[[nodiscard]] std::string eigenvalue_text(std::complex<double> value);

}  // namespace takt::codegen
