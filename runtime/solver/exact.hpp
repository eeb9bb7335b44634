#pragma once
// Linear subsystems z' = A z + b(t), A constant: the exact solution for the parabola b0 + b1 s/h + b2 (s/h)^2/2 that b
// takes at the ends and the middle of a step, one linear map of what drives it (runtime/math/phi_functions.hpp):
//
//   z <- z + h [phi_1(hA) f + phi_2(hA) b1 + phi_3(hA) b2],   f = A z + b0 at the start of the step
//
// so a steady state stays one, to the last bit. Where b moves linearly two points give it, where it is held it needs
// none. A-stable with any step; exact for inputs that are such polynomials, of order 4 for others. Quadratures that are
// linear in z are exact with it: integral of C z + d over a step = h [g + h C (phi_2 f + phi_3 b1 + phi_4 b2) + d1/2 +
// d2/6], g at the start. Others, powers mostly, by Simpson's rule with the exact z at the middle: of order 4 where the
// step resolves how z moves, else wrong.
//
// Sources: C. Moler, C. Van Loan, SIAM Review 45 (2003), 3-49; M. Hochbruck, A. Ostermann, Acta Numerica 19 (2010),
// sec. 2.2 (exponential quadrature).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/math/affine_map.hpp"
#include "runtime/math/phi_functions.hpp"
#include "runtime/solver/window_steps.hpp"

namespace takt {

struct MatrixPlace {
  std::uint16_t row, column;
};

/// States that hang together, and what the step needs of them.
struct ExactBlock {
  std::size_t states = 0, integrals = 0;
  std::span<const std::uint16_t> driven = {};  ///< states whose b moves within a window
  std::span<const MatrixPlace> rates = {}, integrands = {};
  std::span<const double> entries = {};  ///< of A, then of C, at these places
  int points = 1;                        ///< of b in a step, 1 to 3
  bool middle = false;
  double step_s = 0.0;
};

/// Columns: f; b1, then b2 of the driven states. Rows: increments till the middle, if wanted, and till the end; means
/// of C (z - z at the start).
/// @param map  takes set(row, column, value)
/// @param work  [PhiFunctions::work_size(states)]   Real-time: as PhiFunctions.
void set_exact(auto& map, const ExactBlock& block, std::span<double> work) noexcept {
  const std::size_t n = block.states;
  const double h = block.step_s;
  for (double& entry : work) entry = 0.0;
  for (std::size_t k = 0; k < block.rates.size(); ++k)
    work[block.rates[k].row * n + block.rates[k].column] += 0.5 * h * block.entries[k];
  const auto each_column = [&](auto&& set_column) {
    for (std::size_t state = 0; state < n; ++state) set_column(state, 1, state);
    for (int k = 2; k <= block.points; ++k)
      for (std::size_t j = 0; j < block.driven.size(); ++j)
        set_column(n + static_cast<std::size_t>(k - 2) * block.driven.size() + j, k, block.driven[j]);
  };
  math::PhiFunctions phi(n, work, block.points + (block.integrals > 0 ? 1 : 0));
  if (block.middle) {
    each_column([&](std::size_t column, int k, std::size_t state) {
      const double half = k == 1 ? 0.5 * h : k == 2 ? 0.25 * h : 0.125 * h;
      for (std::size_t row = 0; row < n; ++row) map.set(row, column, half * phi.entry(k, row, state));
    });
  }
  phi.twice();
  const std::size_t first_end = block.middle ? n : 0, first_mean = first_end + n;
  each_column([&](std::size_t column, int k, std::size_t state) {
    for (std::size_t row = 0; row < n; ++row) map.set(first_end + row, column, h * phi.entry(k, row, state));
    for (std::size_t row = 0; row < block.integrals; ++row) {
      double mean = 0.0;
      for (std::size_t j = 0; j < block.integrands.size(); ++j)
        if (block.integrands[j].row == row)
          mean += block.entries[block.rates.size() + j] * (h * phi.entry(k + 1, block.integrands[j].column, state));
      map.set(first_mean + row, column, mean);
    }
  });
}

/// Lengths of the arrays below; at_run_time every state is driven.
template <class S>
struct ExactSizes {
  static constexpr std::size_t driven = S::driven_count + S::driven_integrals.size(),
                               drive = S::state_count + (S::points - 1) * S::driven_count,
                               move = (S::middle ? 2 : 1) * S::state_count + S::state_integrals.size() + 1;
  [[nodiscard]] static constexpr std::size_t driven_states(const S&) noexcept { return S::driven_count; }
};

template <class S>
requires(S::state_count == at_run_time) struct ExactSizes<S> {
  static constexpr std::size_t driven = at_run_time, drive = at_run_time, move = at_run_time;
  [[nodiscard]] static std::size_t driven_states(const S& s) noexcept { return s.states(); }
};

/// Computes one window. S as in explicit_rk.hpp, and
///   static constexpr int points;  static constexpr bool middle;
///   static constexpr std::size_t driven_count;                        states whose b moves within a window
///   static constexpr std::array<..> driven_integrals, state_integrals, powers;   quadratures: whose d moves, that are
///   linear in states, that are not linear void driving(double t, double s, double* b) noexcept;             b, then d,
///   of these void increments(const double* drive, double* move) const noexcept;  all maps of set_exact(), middle, end,
///   means one after the other static constexpr bool follows_inputs;                             A follows inputs: then
///   bool hold(double s) noexcept;                                     those inputs as they are s seconds into the
///   window; whether one has moved void refresh(double* entries) noexcept;                           the maps, with
///   room for the entries of A and C void loss(double t, double s, const double* x, double* dq) noexcept;  integrands
///   `powers`, in place
/// Where A follows inputs it is that of the middle of the window: order 2 in their changes.
/// Real-time: a multiplication, and evaluate() once a step, twice where there are powers; a refresh as set_exact() a
/// window; no heap, no system call.
template <ExactlySolved S>
inline void run_exact(S& self, const Window& w) noexcept {
  using Sizes = ExactSizes<S>;
  const auto n = states_of(self);
  const auto nq = quadratures_of(self);
  const std::size_t m = Sizes::driven_states(self), md = m + self.driven_integrals.size();
  const std::size_t first_end = S::middle ? std::size_t{n} : 0, first_mean = first_end + n;
  using States = Numbers<S::state_count>;
  using Quadratures = Numbers<S::quadrature_count>;
  using Driven = Numbers<Sizes::driven>;
  Numbers<Sizes::drive> drive(n + (S::points - 1) * m);
  Numbers<Sizes::move> move(first_mean + self.state_integrals.size() + 1);
  Quadratures dq(nq), last_dq(nq);
  Driven b(md), last_b(md);
  if constexpr (S::follows_inputs) {
    if (self.hold(0.5e-9 * static_cast<double>(w.steps * w.step_ns))) {
      double entries[S::entry_count];
      self.refresh(entries);
    }
  }
  bool begun = false;
  run_steps(self, w, [&](double t, double offset, double h, auto& sum) noexcept {
    if (!begun || !S::middle || detail::ReadsInside<S>) self.evaluate(t, offset, &self.x[0], drive.data(), dq.data());
    if constexpr (Sizes::driven > 0) {
      // What jumps at the begin of a step has another value at the end of the one before.
      if (!begun || detail::ReadsInside<S>) self.driving(t, offset, b.data());
      self.driving(t + h, offset + h, last_b.data());
      Driven b1(md), b2(md);
      for (std::size_t k = 0; k < md; ++k) b1[k] = last_b[k] - b[k], b2[k] = 0.0;
      if constexpr (S::points == 3) {
        Driven middle(md);
        self.driving(t + 0.5 * h, offset + 0.5 * h, middle.data());
        for (std::size_t k = 0; k < md; ++k) b2[k] = 4.0 * (b[k] - 2.0 * middle[k] + last_b[k]);
        for (std::size_t k = 0; k < md; ++k) b1[k] -= 0.5 * b2[k];
        for (std::size_t k = 0; k < m; ++k) drive[n + m + k] = b2[k];
      }
      for (std::size_t k = 0; k < m; ++k) drive[n + k] = b1[k];
      for (std::size_t k = m; k < md; ++k) sum[self.driven_integrals[k - m]] += 0.5 * b1[k] + b2[k] / 6.0;
      for (std::size_t k = 0; k < md; ++k) b[k] = last_b[k];
    }
    begun = true;
    self.increments(drive.data(), move.data());
    for (std::size_t k = 0; k < self.state_integrals.size(); ++k) sum[self.state_integrals[k]] += move[first_mean + k];
    if constexpr (S::middle) {
      States x(n);
      Quadratures middle_dq(nq);
      for (std::size_t k = 0; k < n; ++k) x[k] = self.x[k] + move[k];
      self.loss(t + 0.5 * h, offset + 0.5 * h, x.data(), middle_dq.data());
      for (std::size_t k = 0; k < n; ++k) self.x[k] += move[first_end + k];
      for (std::size_t k = 0; k < nq; ++k) last_dq[k] = dq[k];
      self.evaluate(t + h, offset + h, &self.x[0], drive.data(), dq.data());
      for (const std::size_t k : self.powers) last_dq[k] = (last_dq[k] + 4.0 * middle_dq[k] + dq[k]) / 6.0;
      for (std::size_t k = 0; k < nq; ++k) sum[k] += last_dq[k];
    } else {
      for (std::size_t k = 0; k < n; ++k) self.x[k] += move[k];
      for (std::size_t k = 0; k < nq; ++k) sum[k] += dq[k];
    }
  });
}

}  // namespace takt
