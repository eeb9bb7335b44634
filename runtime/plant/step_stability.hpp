#pragma once
// What one step of a method does to a mode.

#include <complex>

namespace takt {

/// R(z) of x' = lambda*x, z = h*lambda. @param stages  of a method that chooses them
using StabilityFunction = std::complex<double> (*)(int stages, std::complex<double> z);

struct StepStability {
  StabilityFunction amplification = nullptr;  ///< nullptr: nothing is integrated
  double (*reach)(int stages) = nullptr;      ///< |z| beyond which a mode that decays is none; nullptr: without bound
};

}  // namespace takt
