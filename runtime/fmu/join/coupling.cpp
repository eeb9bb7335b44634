#include "runtime/fmu/join/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace takt::fmu::join {
namespace {

Fault of_body(std::size_t body, const Result& result) noexcept { return {Fault::What::body, body, 0.0, result}; }

/// For differences in L: f is affine in it as a rule, then any change serves, and a large one rounds least.
double change_of(double l, bool affine) noexcept { return (affine ? 1.0 : 1e-6) * std::max(1.0, std::abs(l)); }

bool finite(std::span<const double> values) noexcept {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

Coupling::Coupling(std::vector<Body*> bodies, std::vector<Constraint> constraints, bool numeric)
    : bodies_(std::move(bodies)), constraints_(std::move(constraints)) {
  std::size_t throughs = 0, acrosses = 0;
  for (const Body* body : bodies_) {
    const Sizes sizes = body->sizes();
    of_.push_back({sizes, states_, throughs, acrosses, body->has_partials() && !numeric});
    states_ += sizes.states, throughs += sizes.throughs, acrosses += sizes.acrosses;
    most_states_ = std::max(most_states_, sizes.states);
    for (std::size_t k = 0; k < sizes.throughs; ++k) {
      b_.emplace_back(sizes.states);
      along_.emplace_back(sizes.acrosses);
    }
  }
  for (const Constraint& one : constraints_)
    for (const Terminal& end : {one.a, one.b})
      if (end.body >= bodies_.size() || end.across >= of_[end.body].sizes.acrosses ||
          end.through >= of_[end.body].sizes.throughs)
        throw std::invalid_argument("join." + one.name + " names what its body has not");
  u_.resize(throughs), y_.resize(acrosses), dy_.resize(acrosses), y_low_.resize(acrosses);
  copy_of_.assign(acrosses, no_state);
  trial_.resize(most_states_), rates_.resize(most_states_);
  m_.resize(constraints_.size() * constraints_.size());
}

std::span<double> Coupling::part(std::size_t body, std::span<double> x) const noexcept {
  return x.subspan(of_[body].first_state, of_[body].sizes.states);
}
std::span<const double> Coupling::part(std::size_t body, std::span<const double> x) const noexcept {
  return x.subspan(of_[body].first_state, of_[body].sizes.states);
}

void Coupling::add_through(std::span<const double> l) noexcept {
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    const auto& [name, a, b] = constraints_[c];
    u_[of_[a.body].first_through + a.through] -= a.sign * l[c];
    u_[of_[b.body].first_through + b.through] += b.sign * l[c];
  }
}

Fault Coupling::place(std::size_t body, const Point& at) noexcept {
  const Of& of = of_[body];
  const Result placed =
      bodies_[body]->place(at.t, part(body, at.x), std::span(u_).subspan(of.first_through, of.sizes.throughs));
  if (!placed.done()) return of_body(body, placed);
  const Result read = bodies_[body]->across(std::span(y_).subspan(of.first_across, of.sizes.acrosses));
  return read.done() ? Fault{} : of_body(body, read);
}

Fault Coupling::look(const Point& at) noexcept {
  add_through(at.l);
  for (std::size_t body = 0; body < bodies_.size(); ++body)
    if (const Fault fault = place(body, at); !fault.none()) return fault;
  return finite(y_) ? Fault{} : Fault{Fault::What::not_finite};
}

Fault Coupling::evaluate(const Point& at, std::span<double> dx) noexcept {
  add_through(at.l);
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    if (const Fault fault = place(body, at); !fault.none()) return fault;
    ++evaluations;
    if (const Result rates = bodies_[body]->rates(part(body, dx)); !rates.done()) return of_body(body, rates);
    if (!finite(part(body, dx))) return {Fault::What::not_finite, body};
  }
  return finite(y_) ? Fault{} : Fault{Fault::What::not_finite};
}

bool Coupling::needs_along(std::size_t body) const noexcept {
  const Of& of = of_[body];
  for (std::size_t k = 0; k < of.sizes.acrosses; ++k)
    if (copy_of_[of.first_across + k] == no_state) return true;
  return false;
}

/// Into dy_ of the body. @pre u_ belongs to `at`
Fault Coupling::across_along(std::size_t body, const Point& at, std::span<const double> direction) noexcept {
  const Of& of = of_[body];
  const std::span<double> dy = std::span(dy_).subspan(of.first_across, of.sizes.acrosses);
  if (needs_along(body)) {
    if (of.partials) {
      ++derivatives;
      if (const Result result = bodies_[body]->across_along(direction, dy); !result.done())
        return of_body(body, result);
    } else {
      double size = 0.0, length = 0.0;
      const std::span<const double> x = part(body, at.x);
      for (std::size_t k = 0; k < x.size(); ++k)
        size = std::max(size, std::abs(x[k])), length = std::max(length, std::abs(direction[k]));
      constexpr double part_of_size = 1e-3;
      const double step = length > 0.0 ? part_of_size * std::max(size, 1.0) / length : 0.0;
      std::fill(dy.begin(), dy.end(), 0.0);
      // y' = (8 (y(1) - y(-1)) - (y(2) - y(-2))) / 12 along the direction.
      constexpr double places[] = {-2.0, -1.0, 1.0, 2.0}, weights[] = {1.0, -8.0, 8.0, -1.0};
      for (std::size_t p = 0; p < 4 && step > 0.0; ++p) {
        for (std::size_t k = 0; k < x.size(); ++k) trial_[k] = x[k] + places[p] * step * direction[k];
        const Result placed = bodies_[body]->place(at.t, std::span(trial_).first(x.size()),
                                                   std::span(u_).subspan(of.first_through, of.sizes.throughs));
        if (!placed.done()) return of_body(body, placed);
        const std::span<double> y = std::span(y_low_).subspan(of.first_across, of.sizes.acrosses);
        if (const Result read = bodies_[body]->across(y); !read.done()) return of_body(body, read);
        for (std::size_t k = 0; k < dy.size(); ++k) dy[k] += weights[p] * y[k] / (12.0 * step);
      }
    }
  }
  for (std::size_t k = 0; k < dy.size(); ++k)
    if (const std::size_t state = copy_of_[of.first_across + k]; state != no_state) dy[k] = direction[state];
  return {};
}

Fault Coupling::gap_along(const Point& at, std::span<const double> direction, std::span<double> dg) noexcept {
  for (std::size_t body = 0; body < bodies_.size(); ++body)
    if (const Fault fault = across_along(body, at, part(body, direction)); !fault.none()) return fault;
  for (std::size_t c = 0; c < constraints_.size(); ++c) dg[c] = slope_a(c) - slope_b(c);
  return {};
}

Fault Coupling::column(std::size_t body, std::size_t through, const Point& at, std::span<const double> dx) noexcept {
  const Of& of = of_[body];
  std::vector<double>& b = b_[of.first_through + through];
  if (of.partials) {
    ++derivatives;
    const Result result = bodies_[body]->by_through(through, b);
    return result.done() ? Fault{} : of_body(body, result);
  }
  const std::span<double> u = std::span(u_).subspan(of.first_through, of.sizes.throughs);
  const double kept = u[through], changed = kept + change_of(kept, affine_);
  u[through] = changed;
  Result result = bodies_[body]->place(at.t, part(body, at.x), u);
  ++evaluations;
  if (result.done()) result = bodies_[body]->rates(b);
  u[through] = kept;
  if (!result.done()) return of_body(body, result);
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = (b[k] - dx[k]) / (changed - kept);
  return {};
}

Fault Coupling::partials(const Point& at, std::span<const double> dx) noexcept {
  add_through(at.l);
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    const Of& of = of_[body];
    for (std::size_t through = 0; through < of.sizes.throughs; ++through) {
      if (const Fault fault = column(body, through, at, part(body, dx)); !fault.none()) return fault;
      if (const Fault fault = across_along(body, at, b_[of.first_through + through]); !fault.none()) return fault;
      for (std::size_t k = 0; k < of.sizes.acrosses; ++k)
        along_[of.first_through + through][k] = dy_[of.first_across + k];
    }
  }
  fill_matrix();
  return finite(m_) ? Fault{} : Fault{Fault::What::not_finite};
}

/// M = -dg'/dL: of constraint r by the force of c, at each pair of ends at the same body.
void Coupling::fill_matrix() noexcept {
  const std::size_t n = constraints_.size();
  const auto meets = [&](const Terminal& seen, const Terminal& pushed) {
    return seen.body != pushed.body
               ? 0.0
               : pushed.sign * along_[of_[pushed.body].first_through + pushed.through][seen.across];
  };
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      const Constraint &row = constraints_[r], &force = constraints_[c];
      m_[r * n + c] = (meets(row.a, force.a) - meets(row.a, force.b)) - (meets(row.b, force.a) - meets(row.b, force.b));
    }
}

void Coupling::push(std::span<const double> p, std::span<double> x) const noexcept {
  const auto add = [&](const Terminal& end, double amount) {
    const std::vector<double>& b = b_[of_[end.body].first_through + end.through];
    for (std::size_t k = 0; k < b.size(); ++k) x[of_[end.body].first_state + k] += amount * b[k];
  };
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    add(constraints_[c].a, -constraints_[c].a.sign * p[c]);
    add(constraints_[c].b, constraints_[c].b.sign * p[c]);
  }
}

Fault Coupling::state_partials(std::size_t body, const Point& at, std::span<const double> dx,
                               std::span<double> columns) noexcept {
  const Of& of = of_[body];
  const std::span<const double> x = part(body, at.x), own = part(body, dx);
  const std::size_t n = x.size();
  for (std::size_t state = 0; state < n; ++state) {
    const std::span<double> to = columns.subspan(state * n, n);
    if (of.partials) {
      ++derivatives;
      if (const Result result = bodies_[body]->by_state(state, to); !result.done()) return of_body(body, result);
      continue;
    }
    std::copy(x.begin(), x.end(), trial_.begin());
    trial_[state] += 1e-6 * std::max(1.0, std::abs(x[state]));
    const double change = trial_[state] - x[state];
    Result result = bodies_[body]->place(at.t, std::span(trial_).first(n),
                                         std::span(u_).subspan(of.first_through, of.sizes.throughs));
    ++evaluations;
    if (result.done()) result = bodies_[body]->rates(to);
    if (!result.done()) return of_body(body, result);
    for (std::size_t k = 0; k < n; ++k) to[k] = (to[k] - own[k]) / change;
  }
  return {};
}

}  // namespace takt::fmu::join
