#pragma once
// Row of an explicit Runge-Kutta method, from its tableau (runtime/solver/explicit_rk.hpp).

#include "codegen/methods/method.hpp"
#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/explicit_stability.hpp"

namespace takt::codegen::methods {

/// @param row  name, words, source, call, stability_name, and where it is taken; the rest follows
/// from the tableau
template <class Tableau>
constexpr Method runge_kutta(Method row) {
  row.order = Tableau::order;
  if (row.header.empty()) row.header = "explicit_rk.hpp";
  row.demands = "takt::Stepped";
  row.in_lanes = true;
  row.stability = explicit_stability<Tableau>;
  row.evaluations = [](int) { return Tableau::stages; };
  row.cost = [](const StepSize& size, int) {
    return Tableau::stages * (size.evaluation + 2.0 * size.states);
  };
  row.run = [](TrialSystem& system, const Window& window, int) {
    takt::run<Tableau>(system, window);
  };
  return row;
}

}  // namespace takt::codegen::methods
