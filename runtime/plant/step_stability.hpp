#pragma once
// What one step of a method does to a mode. Every emitted plant compiles this: <complex> alone takes as long as a small
// plant.

namespace takt {

struct ComplexValue {
  double re = 0.0, im = 0.0;

  friend constexpr ComplexValue operator+(ComplexValue a, ComplexValue b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr ComplexValue operator-(ComplexValue a, ComplexValue b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr ComplexValue operator*(ComplexValue a, ComplexValue b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend constexpr ComplexValue operator*(double a, ComplexValue b) { return {a * b.re, a * b.im}; }
  friend constexpr ComplexValue operator+(double a, ComplexValue b) { return {a + b.re, b.im}; }
};

/// R(z) of x' = lambda*x, z = h*lambda. @param stages  of a method that chooses them
using StabilityFunction = ComplexValue (*)(int stages, ComplexValue z);

struct StepStability {
  StabilityFunction amplification = nullptr;  ///< nullptr: nothing is integrated
  double (*reach)(int stages) = nullptr;      ///< |z| beyond which a mode that decays is none; nullptr: without bound
};

}  // namespace takt
