#include "runtime/fmu/model_exchange.hpp"

#include <algorithm>
#include <cmath>

namespace takt::fmu {

ModelExchange::ModelExchange(Instance& instance, const Tableau& method, Inputs& inputs)
    : instance_(instance),
      method_(&method),
      inputs_(inputs),
      x0_(instance.table().states),
      x_(x0_),
      trial_(x0_),
      z0_(instance.table().indicators),
      z_(z0_),
      z_low_(z0_),
      k_(x0_.size() * most_stages),
      jacobian_(instance),
      linear_(x0_.size() > Jacobian::most_states ? 0 : x0_.size()),
      growth_(x0_.size()),
      direction_(x0_.size()) {}

/// Without states some FMUs refuse to be asked for them.
Result ModelExchange::place(double t, std::span<const double> x) noexcept {
  if (const Result time = instance_.set_time(t); !time.done()) return time;
  if (const Result inputs = inputs_.continuous(instance_, t); !inputs.done()) return inputs;
  return x.empty() ? Result{} : instance_.set_states(x);
}

Result ModelExchange::rates(double t, std::span<const double> x, std::span<double> to) noexcept {
  if (const Result placed = place(t, x); !placed.done()) return placed;
  ++counts_.evaluations;
  return instance_.get_derivatives(to);
}

Result ModelExchange::linearise() noexcept {
  const auto dx = std::span(k_).first(x_.size());
  if (x_.empty()) return {};
  if (const Result got = instance_.get_derivatives(dx); !got.done()) return got;
  return jacobian_.at(x_, dx, Jacobian::By::differences);
}

Result ModelExchange::times_jacobian(std::span<const double> vector, std::span<double> product) noexcept {
  const auto dx = std::span(k_).first(x_.size());
  if (const Result got = instance_.get_derivatives(dx); !got.done()) return got;
  return jacobian_.times(x_, dx, vector, product);
}

Result ModelExchange::integrate(double t, double h) noexcept {
  if (!x0_.empty())
    if (const Result stepped = method_->is_implicit() || is_stiff_ ? implicit_step(t, h) : explicit_step(t, h);
        !stepped.done())
      return stepped;
  if (const Result placed = place(t + h, x_); !placed.done()) return placed;
  return z_.empty() ? Result{} : instance_.get_indicators(z_);
}

/// Steps of other lengths from the same start have its Jacobian: ros2 keeps its order with any.
Result ModelExchange::implicit_step(double t, double h) noexcept {
  const Tableau& method = method_->is_implicit() ? *method_ : *stiff_method;
  const double gamma = method.gamma;
  const std::size_t states = x0_.size();
  const auto k1 = std::span(k_).first(states), k2 = std::span(k_).subspan(states, states);
  if (const Result found = rates(t + gamma * h, x0_, k1); !found.done()) return found;
  if (!is_linearised_)
    if (const Result found = jacobian_.at(x0_, k1, Jacobian::By::directional_derivatives); !found.done()) return found;
  is_linearised_ = true;
  if (!linear_.factor(jacobian_.entries(), gamma * h))
    return {Status::refused, "step",
            "I - h*J is singular: the FMU's Jacobian is not finite, or another step is needed"};
  linear_.solve(k1);
  if (method.order == 1) {
    for (std::size_t m = 0; m < states; ++m) x_[m] = x0_[m] + h * k1[m];
    return {};
  }
  for (std::size_t m = 0; m < states; ++m) trial_[m] = x0_[m] + h * k1[m];
  if (const Result found = rates(t + (1.0 - gamma) * h, trial_, k2); !found.done()) return found;
  for (std::size_t m = 0; m < states; ++m) k2[m] -= 2.0 * k1[m];
  linear_.solve(k2);
  for (std::size_t m = 0; m < states; ++m) x_[m] = x0_[m] + h * (1.5 * k1[m] + 0.5 * k2[m]);
  return {};
}

Result ModelExchange::explicit_step(double t, double h) noexcept {
  const std::size_t states = x0_.size();
  const auto stages = static_cast<std::size_t>(method_->stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    std::copy(x0_.begin(), x0_.end(), trial_.begin());
    for (std::size_t before = 0; before < stage; ++before) {
      const double factor = h * method_->a[stage * stages + before];
      if (factor == 0.0) continue;
      for (std::size_t m = 0; m < states; ++m) trial_[m] += factor * k_[before * states + m];
    }
    const Result found = rates(t + method_->c[stage] * h, trial_, std::span(k_).subspan(stage * states, states));
    if (!found.done()) return found;
    if (stage != 2 || method_->c[1] != method_->c[2]) continue;
    if (const Result looked = look_for_stiffness(t, h, is_stiff_); !looked.done()) return looked;
    if (!is_stiff_) continue;
    if (chooses_) return ++counts_.stiff_steps, implicit_step(t, h);
    return {Status::refused, "step",
            "the method is not stable with this step: take a shorter one, or method auto or ros2"};
  }
  const double scale = h / method_->divisor;
  for (std::size_t m = 0; m < states; ++m) {
    double sum = method_->weight[0] * k_[m];
    for (std::size_t stage = 1; stage < stages; ++stage) sum += method_->weight[stage] * k_[stage * states + m];
    x_[m] = x0_[m] + scale * sum;
  }
  return {};
}

Result ModelExchange::look_for_stiffness(double t, double h, bool& is_stiff) noexcept {
  constexpr double reach = 2.8, noise = 1e-10, small = 1e-7;  // of rk4 on both axes; parts of the states
  constexpr int products = 8, counted = 4;                    // the first ones turn into the fastest direction
  const std::size_t n = x0_.size();
  const double *f1 = &k_[0], *f2 = f1 + n, *f3 = f2 + n, *nominal = jacobian_.nominals().data();
  const auto square = [&](auto&& value) {
    double sum = 0.0;
    for (std::size_t m = 0; m < n; ++m) sum += value(m) / nominal[m] * (value(m) / nominal[m]);
    return sum;
  };
  const auto apart = [&](std::size_t m) { return 0.5 * h * (f2[m] - f1[m]); };  // x3 - x2
  const double size = static_cast<double>(n) + square([&](std::size_t m) { return x0_[m]; }), length = square(apart);
  is_stiff = false;
  if (!(length > noise * noise * size)) return {};
  if (!(h * h * square([&](std::size_t m) { return f3[m] - f2[m]; }) > reach * reach * length)) return {};
  double grown = 0.0;
  const auto moved = std::span(k_).subspan(3 * n, n);
  for (std::size_t m = 0; m < n; ++m) direction_[m] = apart(m);
  for (int product = 0; product < products; ++product) {
    const double before = square([&](std::size_t m) { return direction_[m]; });
    const double part = small * std::sqrt(size / before);
    for (std::size_t m = 0; m < n; ++m) trial_[m] = x0_[m] + part * direction_[m];
    if (const Result found = rates(t, trial_, moved); !found.done()) return found;
    for (std::size_t m = 0; m < n; ++m) direction_[m] = (moved[m] - f1[m]) / part;
    const double after = square([&](std::size_t m) { return direction_[m]; });
    if (!(after > 0.0) || !std::isfinite(after)) return {};
    if (product >= products - counted) grown += 0.5 * std::log(after / before);
  }
  const double rate = std::exp(grown / counted);
  is_stiff = h * rate > reach;
  if (is_stiff && !chooses_) unstable_rate_ = rate;
  return {};
}

/// One step with more events than are located may be; one after the other, they have no end.
Result ModelExchange::count_dense(std::uint64_t late_before) noexcept {
  dense_steps_ = counts_.late_events > late_before ? dense_steps_ + 1 : 0;
  if (dense_steps_ < most_dense) return {};
  return {Status::refused, "step",
          "state events come without end: more than 16 in each of the last 100 steps "
          "(chattering); a shorter step tells them apart"};
}

bool ModelExchange::crossed(std::span<const double> z) const noexcept {
  for (std::size_t k = 0; k < z.size(); ++k)
    if ((z0_[k] > 0.0) != (z[k] > 0.0)) return true;
  return false;
}

/// Where the first of the indicators that have changed would be zero on a straight line, within the bracket.
double ModelExchange::guess(double low, double high) const noexcept {
  double first = high;
  for (std::size_t k = 0; k < z_.size(); ++k) {
    if ((z0_[k] > 0.0) == (z_[k] > 0.0)) continue;
    const double root = low + (high - low) * (z_low_[k] / (z_low_[k] - z_[k]));
    if (root > low && root < first) first = root;
  }
  const double edge = 1e-3 * (high - low);  // beyond the root on purpose: both ends must move
  return std::clamp(first + edge, low + edge, high - edge);
}

Result ModelExchange::locate(double t, double& h) noexcept {
  constexpr int most_trials = 60;
  const double width = std::max(1e-12 * h, 4e-16 * std::abs(t + h));
  double low = 0.0, high = h;
  std::copy(z0_.begin(), z0_.end(), z_low_.begin());
  bool at_high = true;
  for (int trial = 0; trial < most_trials && high - low > width; ++trial) {
    const double middle = at_high && trial % 2 == 0 ? guess(low, high) : low + 0.5 * (high - low);
    if (const Result tried = integrate(t, middle); !tried.done()) return tried;
    at_high = crossed(z_);
    if (at_high)
      high = middle;
    else
      low = middle, std::copy(z_.begin(), z_.end(), z_low_.begin());
  }
  h = high;
  return at_high ? Result{} : integrate(t, high);
}

Result ModelExchange::serve(double t, const Event& event, bool& terminate) noexcept {
  counts_.time_events += event.time, counts_.state_events += event.state;
  counts_.step_events += event.step, counts_.input_events += event.input;
  if (watch_ != nullptr)
    if (const Result seen = watch_->before(instance_, t); !seen.done()) return seen;
  if (const Result entered = instance_.enter_event_mode(); !entered.done()) return entered;
  if (event.input)
    if (const Result inputs = inputs_.all(instance_, t); !inputs.done()) return inputs;
  if (const Result settled = instance_.settle(next_); !settled.done()) return settled;
  terminate = next_.terminate;
  if (terminate) return {};
  if (next_.states_changed && !x_.empty())
    if (const Result states = instance_.get_states(x_); !states.done()) return states;
  if (const Result left = instance_.leave_event_mode(); !left.done()) return left;
  if (!z_.empty())
    if (const Result indicators = instance_.get_indicators(z_); !indicators.done()) return indicators;
  return watch_ == nullptr ? Result{} : watch_->after(instance_, t);
}

Advanced ModelExchange::start(double t) noexcept {
  if (const Result settled = instance_.settle(next_); !settled.done()) return {settled, t};
  if (next_.terminate) return {{}, t, true};
  if (const Result left = instance_.leave_event_mode(); !left.done()) return {left, t};
  return resume(t, next_);
}

Advanced ModelExchange::resume(double t, const EventInfo& next) noexcept {
  next_ = next;
  if (!x_.empty()) {
    if (const Result states = instance_.get_states(x_); !states.done()) return {states, t};
    if (const Result nominals = jacobian_.start(); !nominals.done()) return {nominals, t};
    growth_.begin(x_, jacobian_.nominals());
  }
  if (z_.empty()) return {{}, t};
  return {instance_.get_indicators(z_), t};
}

Advanced ModelExchange::input_event(double t) noexcept {
  bool terminate = false;
  const Result result = serve(t, {.input = true}, terminate);
  return {result, t, terminate};
}

Advanced ModelExchange::advance(double t, double end) noexcept {
  ++counts_.steps;
  const std::uint64_t late_before = counts_.late_events;
  int located = 0;
  for (int events = 0; t < end; ++events) {
    if (events == most_events) return {{Status::refused, "step", "more than 1000 events in one step"}, t};
    Event event;
    event.time = next_.has_next_time && next_.next_time <= end;
    const double whole = event.time ? std::max(next_.next_time, t) - t : end - t;
    std::copy(x_.begin(), x_.end(), x0_.begin());
    std::copy(z_.begin(), z_.end(), z0_.begin());
    is_linearised_ = is_stiff_ = false;
    double h = whole;
    if (h > 0.0) {
      if (const Result stepped = integrate(t, h); !stepped.done()) return {stepped, t};
      event.state = crossed(z_);
      if (event.state && located == most_located) ++counts_.late_events;
      if (event.state && located < most_located) {
        ++located;
        if (const Result found = locate(t, h); !found.done()) return {found, t};
      }
      event.time = event.time && h == whole;
    }
    t = h < whole ? t + h : event.time ? std::max(next_.next_time, t) : end;
    StepCompletion completion;
    if (!instance_.table().can.completed_step_not_needed)
      if (const Result completed = instance_.completed_step(completion); !completed.done()) return {completed, t};
    if (completion.terminate) return {{}, t, true};
    event.step = completion.event;
    bool terminate = false;
    if (event.any())
      if (const Result served = serve(t, event, terminate); !served.done()) return {served, t};
    if (terminate) return {{}, t, true};
  }
  if (growth_.beyond(x_) != Growth::none)
    return {{Status::refused, "step",
             "a state has grown beyond 1e30 of its nominal value: the method is not stable with this step, or the "
             "model has no solution"},
            end};
  return {count_dense(late_before), end};
}

}  // namespace takt::fmu
