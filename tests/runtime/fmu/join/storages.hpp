#pragma once
// Storages written out: masses, capacitors, inertias with friction. m v' = u + F(t) - d v - e v |v|.

#include <cmath>
#include <functional>
#include <vector>

#include "runtime/fmu/join/group.hpp"

namespace takt::fmu::join {

struct Storage final : Body {
  double m = 1.0, d = 0.0, e = 0.0, start_v = 0.0;
  std::function<double(double)> drive = [](double) { return 0.0; };
  std::function<double(double)> bend = [](double force) { return force; };  ///< of the through value
  bool as_momentum = false;  ///< the state is m v, so that the across value is no copy of it
  bool as_cube = false;      ///< the state is the cube root of v
  bool shows_position = false, direct = false, partial = false;
  int throughs = 1;
  double kick_at = INFINITY, kick = 0.0;  ///< a time event that changes the state

  double trip = INFINITY;  ///< a state event: from this position on nothing drives it any more
  bool tripped = false;

  double t = 0.0, u = 0.0;
  std::vector<double> x;

  explicit Storage(double mass) : m(mass) {}
  [[nodiscard]] double v(double state) const {
    return as_momentum ? state / m : as_cube ? state * state * state : state;
  }
  [[nodiscard]] double force(double speed) const {
    return bend(u) + (tripped ? 0.0 : drive(t)) - d * speed - e * speed * std::abs(speed);
  }
  [[nodiscard]] Sizes sizes() const noexcept override {
    return {2, static_cast<std::size_t>(throughs), 1, std::isfinite(trip) ? std::size_t{1} : 0};
  }
  Result indicators(std::span<double> z) noexcept override {
    z[0] = x[1] - trip;
    return {};
  }
  [[nodiscard]] bool has_partials() const noexcept override { return partial; }
  Result place(double time, std::span<const double> states, std::span<const double> through) noexcept override {
    t = time, u = 0.0;
    for (const double one : through) u += one;
    std::copy(states.begin(), states.end(), x.begin());
    return {};
  }
  [[nodiscard]] double scale() const { return as_momentum ? 1.0 : as_cube ? 1.0 / (3.0 * x[0] * x[0] * m) : 1.0 / m; }
  Result rates(std::span<double> dx) noexcept override {
    dx[0] = force(v(x[0])) * scale(), dx[1] = v(x[0]);
    return {};
  }
  Result across(std::span<double> y) noexcept override {
    y[0] = shows_position ? x[1] : v(x[0]) + (direct ? 0.1 * u : 0.0);
    return {};
  }
  Result by_through(std::size_t, std::span<double> column) noexcept override {
    column[0] = scale(), column[1] = 0.0;
    return {};
  }
  Result by_state(std::size_t state, std::span<double> column) noexcept override {
    const double of_v = as_momentum ? 1.0 / m : 1.0;
    column[0] = state == 0 ? (-d - 2.0 * e * std::abs(v(x[0]))) * scale() * of_v : 0.0,
    column[1] = state == 0 ? of_v : 0.0;
    return {};
  }
  Result across_along(std::span<const double> direction, std::span<double> dy) noexcept override {
    dy[0] = shows_position ? direction[1] : as_momentum ? direction[0] / m : direction[0];
    return {};
  }
  Result start(double, EventInfo& next) noexcept override {
    x = {as_momentum ? m * start_v : as_cube ? std::cbrt(start_v) : start_v, 0.0};
    next.has_next_time = std::isfinite(kick_at), next.next_time = kick_at;
    return {};
  }
  Result states(std::span<double> to) noexcept override {
    std::copy(x.begin(), x.end(), to.begin());
    return {};
  }
  Result serve(double, bool, EventInfo& next) noexcept override {
    tripped = tripped || x[1] >= trip;
    x[0] += kick;
    next = {.states_changed = kick != 0.0};
    return {};
  }
};

/// v' = a(t) - d v from 0 with a = A sin(w t).
inline double driven(double amplitude, double w, double d, double t) {
  return amplitude * (d * std::sin(w * t) - w * std::cos(w * t) + w * std::exp(-d * t)) / (d * d + w * w);
}

}  // namespace takt::fmu::join
