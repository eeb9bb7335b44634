#pragma once
// Interprets a surrogate without emitting code: values of every variable from states and time, and RK4 steps. For
// tests.

#include <unordered_map>
#include <vector>

#include "codegen/dae/dae.hpp"
#include "runtime/solver/newton.hpp"

namespace takt::codegen::testing {

class Interpreter {
 public:
  using Values = std::unordered_map<SymbolId, double>;

  /// @param constants  values of parameters and inputs
  Interpreter(const Network& network, const Surrogate& surrogate, Values constants = {});

  [[nodiscard]] std::vector<double> start();
  /// Every symbol of the subsystem at this time and state.
  [[nodiscard]] Values all(double time, const std::vector<double>& states);
  [[nodiscard]] std::vector<double> derivatives(double time, const std::vector<double>& states);
  void step_rk4(double& time, std::vector<double>& states, double step);

 private:
  [[nodiscard]] double value(Expr expression, const Values& values) const;
  void iterate(const NewtonBlock& block, Values& values) const;
  void lower_arguments(const NewtonBlock& block, const Values& values, NewtonDamping& damping,
                       std::vector<NewtonUnknown>& tried) const;
  void solve(const NewtonBlock& block, Values& values);
  void solve_linear(const NewtonBlock& block, Values& values) const;

  const Network& network_;
  const Surrogate& surrogate_;
  Values constants_;
  Values warm_;
};

}  // namespace takt::codegen::testing
