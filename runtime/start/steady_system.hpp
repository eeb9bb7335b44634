#pragma once
// The linear system of one step towards the steady state: (I/dt - J) move = rates, in units of the states' magnitudes;
// rows of conserved sums bring these back to their start values instead.

#include <span>
#include <variant>
#include <vector>

#include "runtime/start/dense.hpp"
#include "runtime/start/invariants.hpp"
#include "runtime/start/sparse.hpp"

namespace takt::start {

/// What the system is made of: one row and one column for each unknown state.
struct SteadyUnknowns {
  std::span<const std::size_t> index;      ///< states, ascending
  const SparseMatrix& jacobian;            ///< rates over states, per magnitude of the state
  std::vector<double> magnitude, seconds;  ///< of each unknown: its size; its time step
  std::span<const Invariant> sums;
};

class SteadySystem {
 public:
  explicit SteadySystem(const SteadyUnknowns& unknowns);
  [[nodiscard]] bool is_singular() const {
    return std::visit([](const auto& factors) { return factors.is_singular(); }, factors_);
  }
  /// Below zero: a mode grows faster than 1/dt, and the step would go against it.
  [[nodiscard]] bool is_negative() const {
    return std::visit([](const auto& factors) { return factors.is_negative(); }, factors_);
  }
  /// The move of the unknowns for these rates.
  /// @param short_of  what each sum lacks of its start value
  [[nodiscard]] std::vector<double> solve(std::vector<double> rates, std::span<const double> short_of) const;

 private:
  std::vector<double> magnitude_;
  std::vector<std::size_t> row_of_sum_;
  std::vector<double> row_;  ///< what the rows were divided by
  std::variant<Factorisation, SparseFactorisation> factors_;
};

}  // namespace takt::start
