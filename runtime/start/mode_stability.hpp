#pragma once
// What steps of a method do to the modes of a linearised subsystem: a method must not amplify a mode lambda more than
// the physics does, |R(h lambda)| <= max(1, |exp(h lambda)|), R its stability function.
//
// Growth of less than 1e-4 1/s (a factor e in three hours) is let pass: Euler's and Heun's methods amplify every
// undamped oscillation, however small the step.

#include <complex>
#include <optional>
#include <span>

#include "runtime/plant/step_stability.hpp"

namespace takt::start {

struct StepMethod {
  StepStability stability;
  int stages = 0;  ///< of one that chooses them
};

/// R(z) of x' = lambda*x, z = h*lambda. 1 for what is not integrated.
[[nodiscard]] std::complex<double> amplification(const StepMethod& method, std::complex<double> z);

/// @param modes  1/s, largest modulus first
/// @param eigenvalue_error  of them, part of the largest
[[nodiscard]] bool is_stable(const StepMethod& method, std::span<const std::complex<double>> modes, double step_s,
                             double eigenvalue_error = 1e-13);

/// Steps up to this are stable, s; nullopt: any step is.
[[nodiscard]] std::optional<double> largest_stable_step(const StepMethod& method,
                                                        std::span<const std::complex<double>> modes,
                                                        double eigenvalue_error = 1e-13);

}  // namespace takt::start
