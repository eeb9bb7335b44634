#pragma once
// A flattened plant as z' = f(t, z): what is not integrated is solved for in every evaluation.

#include "codegen/reference/numeric_system.hpp"

namespace takt::codegen {

class StateRates {
 public:
  explicit StateRates(NumericSystem& system);

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] double nominal(std::size_t state) const {
    return system_.nominal()[states_[state]];
  }
  [[nodiscard]] long evaluations() const { return evaluations_; }

  /// States out of all values, which become the first guess of the algebra.
  void take(const Values& y, double* states);
  /// All values at these states.  @throw std::runtime_error
  void give(double time, const double* states, Values& y);
  /// @throw std::runtime_error  where the algebra has no solution
  void evaluate(double time, const double* states, double* rates);

 private:
  NumericSystem& system_;
  std::vector<std::size_t> states_;  // unknowns
  Values y_, all_rates_;
  long evaluations_ = 0;
};

}  // namespace takt::codegen
