// One step of each way.

#include <algorithm>
#include <cmath>

#include "runtime/fmu/join/group.hpp"

namespace takt::fmu::join {

Fault Group::step(double t, double h) noexcept {
  std::copy(l0_.begin(), l0_.end(), l_.begin());
  std::copy(s0_.begin(), s0_.end(), s_.begin());
  for (Work& work : work_) work = {};
  if (const Fault fault = settings_.way == Way::implicit ? implicit_step(t, h) : explicit_step(t, h); !fault.none())
    return fault;
  return finish(t + h);
}

void Group::keep_stage(std::size_t stage, double weight) noexcept {
  const std::size_t n = work_.size();
  for (std::size_t c = 0; c < n; ++c) {
    const double gap = coupling_.gap(c);
    work_[c].given += weight * l_[c] * coupling_.across_a(c);
    work_[c].received += weight * l_[c] * coupling_.across_b(c);
    if (settings_.way != Way::spring) continue;
    work_[c].lost += weight * found_.damper * gap * gap;
    ks_[stage * n + c] = gap;
  }
}

Fault Group::explicit_step(double t, double h) noexcept {
  const Tableau& method = *settings_.method;
  const std::size_t states = x0_.size(), n = l_.size(), stages = static_cast<std::size_t>(method.stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    std::copy(x0_.begin(), x0_.end(), trial_.begin());
    std::copy(s0_.begin(), s0_.end(), s_trial_.begin());
    for (std::size_t before = 0; before < stage; ++before) {
      const double factor = h * method.a[stage * stages + before];
      if (factor == 0.0) continue;
      for (std::size_t m = 0; m < states; ++m) trial_[m] += factor * k_[before * states + m];
      for (std::size_t c = 0; c < n; ++c) s_trial_[c] += factor * ks_[before * n + c];
    }
    const Point at{t + method.c[stage] * h, trial_, l_};
    if (const Fault fault = force(at, std::span(k_).subspan(stage * states, states)); !fault.none()) return fault;
    keep_stage(stage, h * method.weight[stage] / method.divisor);
  }
  const double scale = h / method.divisor;
  const auto sum = [&](const std::vector<double>& k, std::size_t width, std::size_t m) {
    double total = method.weight[0] * k[m];
    for (std::size_t stage = 1; stage < stages; ++stage) total += method.weight[stage] * k[stage * width + m];
    return scale * total;
  };
  for (std::size_t m = 0; m < states; ++m) x_[m] = x0_[m] + sum(k_, states, m);
  for (std::size_t c = 0; c < n; ++c) s_[c] = s0_[c] + (settings_.way == Way::spring ? sum(ks_, n, c) : 0.0);
  std::copy(s_.begin(), s_.end(), s_trial_.begin());
  return {};
}

Fault Group::force(const Point& at, std::span<double> dx) noexcept {
  switch (settings_.way) {
    case Way::spring:
      return spring(at, dx);
    case Way::loop:
      return loop(at, dx);
    case Way::index:
    case Way::implicit:
      break;
  }
  return reduce(at, dx);
}

Fault Group::spring(const Point& at, std::span<double> dx) noexcept {
  if (const Fault fault = coupling_.look(at); !fault.none()) return fault;
  for (std::size_t c = 0; c < l_.size(); ++c) l_[c] = found_.stiffness * s_trial_[c] + found_.damper * coupling_.gap(c);
  return coupling_.evaluate(at, dx);
}

/// g'(L) = 0: L += M^-1 g'. What the last change of L does to f is added, exact where f is affine in L.
Fault Group::reduce(const Point& at, std::span<double> dx) noexcept {
  for (int round = 0; round < found_.iterations; ++round) {
    if (const Fault fault = coupling_.evaluate(at, dx); !fault.none()) return fault;
    if (const Fault fault = coupling_.gap_along(at, dx, dg_); !fault.none()) return fault;
    if (const Fault fault = coupling_.partials(at, dx); !fault.none()) return fault;
    if (!solver_.factor(coupling_.inverse_masses())) return {Fault::What::singular};
    solver_.solve(dg_, dl_);
    for (std::size_t c = 0; c < l_.size(); ++c) l_[c] += dl_[c];
  }
  coupling_.push(dl_, dx);
  return {};
}

Fault Group::loop(const Point& at, std::span<double> dx) noexcept {
  for (int round = 0; round < found_.iterations; ++round) {
    if (const Fault fault = coupling_.evaluate(at, dx); !fault.none()) return fault;
    if (const Fault fault = coupling_.gap_along(at, dx, dg_); !fault.none()) return fault;
    for (std::size_t c = 0; c < l_.size(); ++c) l_[c] += gains_[c] * dg_[c];
  }
  return coupling_.evaluate(at, dx);
}

Fault Group::within_limit(Fault::What what) noexcept {
  for (std::size_t c = 0; c < l_.size(); ++c) {
    const double gap = std::abs(coupling_.gap(c));
    constexpr double part = 0.01;
    const double limit = settings_.limit > 0.0
                             ? settings_.limit
                             : part * std::max({1.0, std::abs(coupling_.across_a(c)), std::abs(coupling_.across_b(c))});
    if (!(gap <= limit)) return {what, c, gap};
  }
  return {};
}

/// The force at the end, and what is left of the constraint.
Fault Group::finish(double t) noexcept {
  const Point at{t, x_, l_};
  if (settings_.way != Way::implicit)
    if (const Fault fault = force(at, dx_); !fault.none()) return fault;
  if (const Fault fault = settings_.way == Way::implicit ? coupling_.look(at) : check_end(at); !fault.none())
    return fault;
  for (std::size_t c = 0; c < l_.size(); ++c)
    ledgers_[c].drift = std::max(ledgers_[c].drift, std::abs(coupling_.gap(c)));
  if (const Fault fault = within_limit(Fault::What::apart); !fault.none()) return fault;
  return settings_.way == Way::index ? project(t) : Fault{};
}

/// With index: g' at the L that was found, by f itself and not by its partials.
Fault Group::check_end(const Point& at) noexcept {
  if (settings_.way != Way::index) return coupling_.look(at);
  if (const Fault fault = coupling_.evaluate(at, dx_); !fault.none()) return fault;
  if (const Fault fault = coupling_.gap_along(at, dx_, dg_); !fault.none()) return fault;
  const std::size_t n = l_.size();
  for (std::size_t c = 0; c < n; ++c) {
    double size = std::abs(coupling_.slope_a(c)) + std::abs(coupling_.slope_b(c));
    for (std::size_t k = 0; k < n; ++k) size += std::abs(coupling_.inverse_masses()[c * n + k] * l_[k]);
    constexpr double solved = 1e-6;
    if (!(std::abs(dg_[c]) <= solved * size)) return {Fault::What::unsolved, c, dg_[c]};
  }
  return coupling_.look(at);
}

/// An impulse p with M p = g. @pre partials() at about this place, factored
Fault Group::project(double t) noexcept {
  const std::size_t n = l_.size();
  for (std::size_t c = 0; c < n; ++c) dg_[c] = coupling_.gap(c);
  if (std::all_of(dg_.begin(), dg_.end(), [](double gap) { return gap == 0.0; })) return {};
  solver_.solve(dg_, dl_);
  const auto add_half = [&] {
    for (std::size_t c = 0; c < n; ++c) {
      work_[c].given += 0.5 * dl_[c] * coupling_.across_a(c);
      work_[c].received += 0.5 * dl_[c] * coupling_.across_b(c);
    }
  };
  add_half();
  coupling_.push(dl_, x_);
  if (const Fault fault = coupling_.look({t, x_, l_}); !fault.none()) return fault;
  add_half();
  return {};
}

// Implicit Euler: F = x - x0 - h f(t + h, x, L) = 0, g(x) = 0. With A = 1 - h df/dx by body:
//   dx = A^-1 (h B dL - F),  S dL = g - dg/dx A^-1 F,  S = -dg/dx h A^-1 B.
// The matrices are those of the first iterate.
Fault Group::implicit_step(double t, double h) noexcept {
  std::copy(x0_.begin(), x0_.end(), x_.begin());
  const Point at{t + h, x_, l_};
  if (const Fault fault = coupling_.evaluate(at, dx_); !fault.none()) return fault;
  residuals(h);
  if (const Fault fault = newton_parts(at, h); !fault.none()) return fault;
  for (int round = 0; round < found_.iterations; ++round) {
    if (round > 0)
      if (const Fault fault = coupling_.evaluate(at, dx_); !fault.none()) return fault;
    residuals(h);
    if (const Fault fault = newton_update(at); !fault.none()) return fault;
  }
  if (const Fault fault = coupling_.evaluate(at, dx_); !fault.none()) return fault;
  if (const Fault fault = check_newton(h); !fault.none()) return fault;
  keep_stage(0, h);
  return {};
}

void Group::residuals(double h) noexcept {
  for (std::size_t k = 0; k < x_.size(); ++k) residual_[k] = x_[k] - x0_[k] - h * dx_[k];
}

/// A of each body factored, h A^-1 B of each constraint, S factored.
Fault Group::newton_parts(const Point& at, double h) noexcept {
  const std::size_t states = x_.size(), n = l_.size();
  if (const Fault fault = coupling_.partials(at, dx_); !fault.none()) return fault;
  for (std::size_t body = 0; body < matrices_.size(); ++body) {
    const std::size_t size = coupling_.part(body, at.x).size();
    if (const Fault fault = coupling_.state_partials(body, at, dx_, columns_); !fault.none()) return fault;
    for (std::size_t row = 0; row < size; ++row)  // column by column -> row by row
      for (std::size_t column = 0; column < size; ++column)
        matrix_[row * size + column] = (row == column ? 1.0 : 0.0) - h * columns_[column * size + row];
    if (size > 0 && !matrices_[body].factor(std::span(matrix_).first(size * size)))
      return {Fault::What::unsolved, 0, 0.0};
  }
  for (std::size_t c = 0; c < n; ++c) {
    const std::span<double> column = std::span(by_force_).subspan(c * states, states);
    std::fill(dl_.begin(), dl_.end(), 0.0), std::fill(trial_.begin(), trial_.end(), 0.0);
    dl_[c] = h;
    coupling_.push(dl_, trial_);
    for (std::size_t body = 0; body < matrices_.size(); ++body)
      matrices_[body].solve(coupling_.part(body, std::span<const double>(trial_)), coupling_.part(body, column));
    if (const Fault fault = coupling_.gap_along(at, column, dg_); !fault.none()) return fault;
    for (std::size_t row = 0; row < n; ++row) schur_[row * n + c] = -dg_[row];
  }
  return solver_.factor(schur_) ? Fault{} : Fault{Fault::What::singular};
}

Fault Group::newton_update(const Point& at) noexcept {
  const std::size_t states = x_.size(), n = l_.size();
  for (std::size_t body = 0; body < matrices_.size(); ++body)
    matrices_[body].solve(coupling_.part(body, std::span<const double>(residual_)),
                          coupling_.part(body, std::span<double>(solved_)));
  if (const Fault fault = coupling_.gap_along(at, solved_, dg_); !fault.none()) return fault;
  for (std::size_t c = 0; c < n; ++c) dg_[c] = coupling_.gap(c) - dg_[c];
  solver_.solve(dg_, dl_);
  for (std::size_t k = 0; k < states; ++k) {
    x_[k] -= solved_[k];
    for (std::size_t c = 0; c < n; ++c) x_[k] += by_force_[c * states + k] * dl_[c];
  }
  for (std::size_t c = 0; c < n; ++c) l_[c] += dl_[c];
  return {};
}

/// What Newton has left, beside what the step has moved.
Fault Group::check_newton(double h) noexcept {
  residuals(h);
  for (std::size_t k = 0; k < x_.size(); ++k) {
    constexpr double solved = 1e-6;
    const double size = std::abs(x_[k]) + std::abs(x0_[k]) + std::abs(h * dx_[k]);
    if (!(std::abs(residual_[k]) <= solved * std::max(size, 1e-6))) return {Fault::What::unsolved, 0, residual_[k]};
  }
  return {};
}

}  // namespace takt::fmu::join
