// What is found out about bodies before the first step.

#include <algorithm>
#include <cmath>

#include "runtime/fmu/join/coupling.hpp"
#include "runtime/fmu/join/dense.hpp"

namespace takt::fmu::join {

/// An across value that has the bits of one state at three places is that state.
Fault Coupling::find_copies(const Point& at) {
  add_through(at.l);
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    const Of& of = of_[body];
    std::vector<double> x(of.sizes.states), y(of.sizes.acrosses);
    std::vector<std::vector<bool>> same(of.sizes.acrosses, std::vector<bool>(of.sizes.states, true));
    for (const double moved : {0.0, 0.0123, -0.0371}) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double own = part(body, at.x)[k];
        x[k] = own + moved * (1.0 + 0.31 * static_cast<double>(k)) * std::max(1.0, std::abs(own));
      }
      Result result = bodies_[body]->place(at.t, x, std::span(u_).subspan(of.first_through, of.sizes.throughs));
      if (result.done()) result = bodies_[body]->across(y);
      if (!result.done()) return {Fault::What::body, body, 0.0, result};
      for (std::size_t k = 0; k < y.size(); ++k)
        for (std::size_t state = 0; state < x.size(); ++state) same[k][state] = same[k][state] && y[k] == x[state];
    }
    for (std::size_t k = 0; k < y.size(); ++k) {
      const auto found = std::find(same[k].begin(), same[k].end(), true);
      const bool one = found != same[k].end() && std::find(found + 1, same[k].end(), true) == same[k].end();
      copy_of_[of.first_across + k] = one ? static_cast<std::size_t>(found - same[k].begin()) : no_state;
    }
  }
  return {};
}

/// At one point: an across value moves with its through value only where there is no storage between them.
Fault Coupling::check_feedthrough(const Point& at) {
  std::vector<double> l(at.l.begin(), at.l.end());
  if (const Fault fault = look(at); !fault.none()) return fault;
  const std::vector<double> before = y_;
  for (std::size_t c = 0; c < l.size(); ++c) {
    const double kept = l[c];
    l[c] += 1.0;
    if (const Fault fault = look({at.t, at.x, l}); !fault.none()) return fault;
    l[c] = kept;
    if (y_ != before) return {Fault::What::feedthrough, c};
  }
  return look(at);
}

Fault Coupling::check_affine(const Point& at, Found& found) {
  std::vector<double> l(at.l.begin(), at.l.end()), f0(states_), f1(states_), f2(states_);
  affine_ = true;
  if (const Fault fault = evaluate(at, f0); !fault.none()) return fault;
  for (std::size_t c = 0; c < l.size(); ++c) {
    const double kept = l[c];
    l[c] = kept + 1.0;
    if (const Fault fault = evaluate({at.t, at.x, l}, f1); !fault.none()) return fault;
    l[c] = kept - 2.0;
    if (const Fault fault = evaluate({at.t, at.x, l}, f2); !fault.none()) return fault;
    l[c] = kept;
    constexpr double rounding = 1e-9;
    for (std::size_t k = 0; k < states_; ++k) {
      const double bent = 2.0 * (f1[k] - f0[k]) + (f2[k] - f0[k]),
                   size = std::abs(f1[k]) + std::abs(f2[k]) + std::abs(f0[k]);
      affine_ = affine_ && std::abs(bent) <= rounding * size;
    }
  }
  found.affine = affine_;
  return {};
}

/// 1/m of each side by itself: what a sign that is wrong makes negative, while M and the motion may look well.
/// @pre partials()
Fault Coupling::check_signs() const noexcept {
  constexpr double rounding = 1e-9;
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    for (const Terminal* end : {&constraints_[c].a, &constraints_[c].b}) {
      const double inverse = end->sign * along_[of_[end->body].first_through + end->through][end->across];
      if (inverse < -rounding * std::abs(m_[c * constraints_.size() + c]))
        return {Fault::What::turned, c, end == &constraints_[c].a ? 0.0 : 1.0};
    }
  return {};
}

Fault Coupling::measure(const Point& at, Found& found) {
  if (const Fault fault = find_copies(at); !fault.none()) return fault;
  if (const Fault fault = check_feedthrough(at); !fault.none()) return fault;
  if (const Fault fault = check_affine(at, found); !fault.none()) return fault;
  std::vector<double> dx(states_);
  if (const Fault fault = evaluate(at, dx); !fault.none()) return fault;
  if (const Fault fault = partials(at, dx); !fault.none()) return fault;
  if (const Fault fault = check_signs(); !fault.none()) return fault;
  found.inverse_masses = m_;
  found.partials = std::all_of(of_.begin(), of_.end(), [](const Of& of) { return of.partials; });
  Dense solver(constraints_.size());
  if (!solver.factor(m_)) {
    found.involved = solver.undetermined();
    return {Fault::What::singular, found.involved.empty() ? 0 : found.involved.front()};
  }
  found.largest = spectral_radius(m_, constraints_.size());
  return {};
}

}  // namespace takt::fmu::join
