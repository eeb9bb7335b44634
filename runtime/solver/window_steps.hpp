#pragma once
// The steps of one window: times from whole nanoseconds, quadratures summed so that rounding stays small.

#include <cstddef>
#include <cstdint>

#include "runtime/plant/window.hpp"
#include "runtime/solver/concepts.hpp"
#include "runtime/solver/sizes.hpp"
#include "runtime/solver/state_events.hpp"
#include "runtime/solver/time_instants.hpp"
#include "runtime/solver/travel_delay.hpp"

namespace takt {

/// Calls step(t, s_in_window, h, sum) for every micro-step; it adds its mean quadrature rates to `sum` and advances the
/// states. self.q: set to h times their sum, in blocks of 64 steps as explicit_rk.hpp does. S as there.
template <class S, class Step>
inline void run_steps(S& self, const Window& w, Step&& step) noexcept {
  constexpr std::int32_t block = 64;
  const auto nq = quadratures_of(self);
  const double h = static_cast<double>(w.step_ns) * 1e-9;
  using Real = Number<S>;
  Numbers<S::quadrature_count, Real> total(nq), sum(nq);
  for (std::size_t m = 0; m < nq; ++m) total[m] = Real{};
  detail::EventStepsOf<S> events(self);
  for (std::int32_t k = 0; k < w.steps;) {
    for (std::size_t m = 0; m < nq; ++m) sum[m] = Real{};
    for (const std::int32_t end = w.steps - k < block ? w.steps : k + block; k < end; ++k) {
      const std::int64_t passed_ns = k * w.step_ns;
      const double t = static_cast<double>(w.start_ns + passed_ns) / 1e9, offset = static_cast<double>(passed_ns) / 1e9;
      step_begins(self, w, k);
      bool whole = true;
      if constexpr (detail::HasEvents<S>) {
        const auto advance = [&](const detail::Part& part, auto& rates) noexcept {
          step(t + part.from, offset + part.from, part.length, rates);
        };
        detail::step_with_events(events, {t, offset, h}, advance, sum);
        step_ended(self, w, k);
        continue;
      }
      if constexpr (detail::CutsSteps<S>)
        whole = detail::is_whole(self, t, h);
      else if constexpr (detail::ReadsInside<S>)
        self.inside.set(t, t + h);
      if (whole) {
        step(t, offset, h, sum);
      } else if constexpr (detail::CutsSteps<S>) {
        detail::in_pieces(self, t, h, [&](double from, double length) noexcept {
          Numbers<S::quadrature_count, Real> part(nq);
          for (std::size_t m = 0; m < nq; ++m) part[m] = Real{};
          step(t + from, offset + from, length, part);
          for (std::size_t m = 0; m < nq; ++m) sum[m] += part[m] * (length / h);
        });
      }
      step_ended(self, w, k);
    }
    for (std::size_t m = 0; m < nq; ++m) total[m] += sum[m];
  }
  for (std::size_t m = 0; m < nq; ++m) self.q[m] = total[m] * h;
  if constexpr (detail::ReadsInside<S>) self.inside = {};
}

}  // namespace takt
