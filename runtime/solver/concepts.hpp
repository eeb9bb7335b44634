#pragma once
// What a subsystem must provide to the step that computes its windows. Asserted in each emitted file, so that a part
// that is missing is named by the compiler in one line.

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "runtime/solver/sizes.hpp"

namespace takt {

/// x' = f(t, x), q' = g(t, x): runtime/solver/explicit_rk.hpp, rkc.hpp.
template <class S>
concept Stepped = requires(S& s, double t, const Number<S>* x, Number<S>* dx, Number<S>* dq) {
  { S::state_count } -> std::convertible_to<std::size_t>;
  { S::quadrature_count } -> std::convertible_to<std::size_t>;
  { s.x[0] } -> std::convertible_to<Number<S>>;
  { s.q[0] } -> std::convertible_to<Number<S>>;
  { s.evaluate(t, t, x, dx, dq) }
  noexcept;
};

/// ... with Jacobians: runtime/solver/rosenbrock.hpp.
template <class S>
concept LinearlyImplicit = Stepped<S> &&
    requires(S& s, const S& fixed, double t, const double* x, double* dx, double* dq) {
  { s.linearise(t, t, x, dx, dq) }
  noexcept;
  { s.factor(t) }
  noexcept;
  { fixed.solve(dx) }
  noexcept;
  { fixed.quadrature_slopes(x, dq) }
  noexcept;
};

/// ... as z' = A z + b(t): runtime/solver/exact.hpp.
template <class S>
concept ExactlySolved = Stepped<S> && requires(S& s, const S& fixed, double t, const double* x, double* move) {
  { S::points } -> std::convertible_to<int>;
  { S::middle } -> std::convertible_to<bool>;
  { S::follows_inputs } -> std::convertible_to<bool>;
  { S::driven_count } -> std::convertible_to<std::size_t>;
  { s.driven_integrals.size() } -> std::convertible_to<std::size_t>;
  { s.state_integrals.size() } -> std::convertible_to<std::size_t>;
  { s.powers.size() } -> std::convertible_to<std::size_t>;
  { fixed.increments(x, move) }
  noexcept;
} &&(S::driven_count == 0 ||
     requires(S & s, double t, double* b) {
       { s.driving(t, t, b) }
       noexcept;
     }) &&
    (!S::middle ||
     requires(S & s, double t, const double* x, double* dq) {
       { s.loss(t, t, x, dq) }
       noexcept;
     }) &&
    (!S::follows_inputs || requires(S & s, double t, double* entries) {
      { S::entry_count } -> std::convertible_to<std::size_t>;
      { s.hold(t) }
      noexcept->std::convertible_to<bool>;
      { s.refresh(entries) }
      noexcept;
    });

/// A circuit whose gates and modes change inside a step: runtime/solver/switched.hpp.
template <class S>
concept SwitchedCircuit = requires(S& s, double t, const double* w, double* to) {
  typename S::Point;
  { S::storage_count } -> std::convertible_to<std::size_t>;
  { S::gate_count } -> std::convertible_to<std::size_t>;
  { S::mode_count } -> std::convertible_to<std::size_t>;
  { S::latched_count } -> std::convertible_to<std::size_t>;
  { S::fired_count } -> std::convertible_to<std::size_t>;
  { S::point_count } -> std::convertible_to<std::size_t>;
  { S::edge_count } -> std::convertible_to<std::size_t>;
  { S::quadrature_count } -> std::convertible_to<std::size_t>;
  { S::sampled_edges } -> std::convertible_to<bool>;
  { S::gates_follow_time } -> std::convertible_to<bool>;
  { S::cache_size } -> std::convertible_to<std::size_t>;
  s.point[0];
  { s.now } -> std::convertible_to<std::size_t>;
  { s.hold_inputs(t, t) }
  noexcept->std::convertible_to<bool>;
  { s.factor() }
  noexcept;
  { s.solve(t, t, w, to, to, to, to) }
  noexcept;
}
&&(S::gate_count == 0 ||
   requires(S & s) {
     { s.gates[0] } -> std::convertible_to<double>;
   }) &&
    (S::mode_count == 0 || requires(S & s) {
      { s.modes[0] } -> std::convertible_to<double>;
    });

}  // namespace takt
