#pragma once
// Every continuous subsystem linearised where the plant starts, and wherever else it is known to
// work: d(z')/dz with its inputs held, and the eigenvalues.
//
// Switched circuits are not linearised; what they give to others is as the operating range says,
// else zero, their storages as they start.

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/stability/operating_range.hpp"
#include "codegen/stability/program.hpp"
#include "runtime/start/eigenvalues.hpp"

namespace takt::codegen {

using start::Eigenpairs, start::eigenvalues, start::largest_eigenvalues, start::Matrix;

/// Modes of one subsystem, about one point or all points together: a step is stable where it is for
/// each of them.
struct Spectrum {
  std::vector<std::complex<double>>
      values;               ///< 1/s, largest modulus first; of large subsystems the largest only
  bool complete = true;     ///< all of them
  std::size_t leading = 0;  ///< the state most involved in values[0]
  std::optional<double> time_s;  ///< of the point of values[0]; nullopt: the start
  bool foreseen =
      false;  ///< that point is one where the plant is seen to go, not of the operating range
  std::size_t operations = 0;  ///< of one evaluation of the rates
  std::size_t implicit_operations =
      0;  ///< of a Jacobian, its factorisation and two solutions, about; 0: not counted
  std::string problem;  ///< why there are none
};

/// Hands on every derivative of the results (rows) by the `columns` directions of `along`, zeros
/// included.
void each_derivative(
    Slopes& slopes, std::size_t columns, std::size_t rows,
    const std::function<void(std::size_t row, std::size_t column, double value)>& take);

/// Row k: derivatives of the k-th rate by all states.
[[nodiscard]] Matrix jacobian(Slopes& slopes, std::size_t states);

/// Parallel to DaeResult::subsystems; empty for control and switched circuits.
[[nodiscard]] std::vector<Spectrum> linearise(const Network& network, const DaeResult& dae,
                                              const OperatingRange& range = {});

/// Modes about these rows as well, which are of where the plant is seen to go.
void linearise_ahead(std::vector<Spectrum>& spectra, const PlantEquations& plant,
                     const OperatingRange& path, const std::vector<std::size_t>& rows);

/// Values of all symbols at the start, couplings consistent as far as they can be found.
[[nodiscard]] SymbolValues start_point(const Network& network, const DaeResult& dae,
                                       std::vector<Program>& programs);
/// The same at a point of the operating range.
[[nodiscard]] SymbolValues operating_point(const PlantEquations& plant,
                                           std::vector<Program>& programs,
                                           const OperatingRange& range, std::size_t row);

}  // namespace takt::codegen
