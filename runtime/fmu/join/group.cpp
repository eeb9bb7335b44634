#include "runtime/fmu/join/group.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/fmu/join/prediction.hpp"

namespace takt::fmu::join {

Group::Group(std::vector<Body*> bodies, std::vector<Constraint> constraints, const Settings& settings)
    : settings_(settings),
      coupling_(std::move(bodies), std::move(constraints), settings.numeric),
      solver_(coupling_.constraints().size()),
      ledgers_(coupling_.constraints().size()),
      x0_(coupling_.states()),
      x_(x0_),
      trial_(x0_),
      dx_(x0_),
      k_(x0_.size() * static_cast<std::size_t>(settings.method->stages)),
      l0_(ledgers_.size()),
      l_(l0_),
      s0_(l0_),
      s_(l0_),
      s_trial_(l0_),
      ks_(l0_.size() * static_cast<std::size_t>(settings.method->stages)),
      dg_(l0_),
      dl_(l0_),
      gains_(l0_),
      stored0_(l0_),
      work_(l0_.size()),
      next_(coupling_.bodies().size()),
      event_(next_.size()),
      input_(next_.size()) {
  std::size_t indicators = 0, most = 0;
  for (const Body* body : coupling_.bodies()) {
    const Sizes sizes = body->sizes();
    first_z_.push_back(indicators);
    indicators += sizes.indicators;
    most = std::max(most, sizes.states);
    if (settings_.way == Way::implicit) matrices_.emplace_back(sizes.states);
  }
  z0_.resize(indicators), z_.resize(indicators);
  if (settings_.way != Way::implicit) return;
  columns_.resize(most * most), matrix_.resize(most * most);
  residual_.resize(x0_.size()), solved_.resize(x0_.size());
  by_force_.resize(x0_.size() * l0_.size()), schur_.resize(l0_.size() * l0_.size());
}

Fault Group::settle_start(double t) {
  for (std::size_t body = 0; body < next_.size(); ++body) {
    Result result = coupling_.bodies()[body]->start(t, next_[body]);
    if (result.done() && !next_[body].terminate)
      result = coupling_.bodies()[body]->states(coupling_.part(body, std::span(x_)));
    if (!result.done()) return {Fault::What::body, body, 0.0, result};
  }
  return {};
}

Fault Group::start(double t) {
  if (const Fault fault = settle_start(t); !fault.none()) return fault;
  const Point at{t, x_, l_};
  if (const Fault fault = coupling_.look(at); !fault.none()) return fault;
  if (const Fault fault = within_limit(Fault::What::start_apart); !fault.none()) return fault;
  if (const Fault fault = coupling_.measure(at, found_); !fault.none()) return fault;
  constexpr int of_newton = 2, of_loop = 5, of_bent = 3;
  found_.iterations = settings_.iterations > 0         ? settings_.iterations
                      : settings_.way == Way::implicit ? (found_.affine ? of_newton : of_bent)
                      : settings_.way == Way::loop     ? of_loop
                      : found_.affine                  ? 1
                                                       : of_bent;
  if (const Fault fault = propose(); !fault.none()) return fault;
  // L of the start, with which a spring is preloaded.
  if (const Fault fault = reduce(at, dx_); !fault.none()) return fault;
  for (std::size_t c = 0; c < l_.size(); ++c) {
    s_[c] = settings_.way == Way::spring ? l_[c] / found_.stiffness : 0.0;
    stored0_[c] = settings_.way == Way::spring ? 0.5 * found_.stiffness * s_[c] * s_[c] : 0.0;
    ledgers_[c] = {};
  }
  std::copy(s_.begin(), s_.end(), s_trial_.begin());
  for (Work& work : work_) work = {};
  if (const Fault fault = coupling_.look(at); !fault.none()) return fault;
  accept();
  return read_indicators(z_);
}

Fault Group::propose() {
  const std::size_t n = l_.size();
  if (settings_.way == Way::spring) {
    const Spring spring = propose_spring(settings_, found_.largest);
    found_.stiffness = spring.stiffness, found_.damper = spring.damper;
    found_.largest_step = largest_stable_step(*settings_.method, spring, found_.largest);
    if (settings_.judged && settings_.step > found_.largest_step) return {Fault::What::step, 0, found_.largest_step};
  }
  if (settings_.way == Way::loop) {
    found_.gains =
        settings_.gain > 0.0 ? std::vector<double>(n, settings_.gain) : propose_gains(found_.inverse_masses, n);
    gains_ = found_.gains;
    found_.radius = loop_radius(found_.inverse_masses, found_.gains);
    if (settings_.judged && !(found_.radius < 1.0)) return {Fault::What::gain, 0, found_.radius};
  }
  return {};
}

/// What the step has come to: signals and ledgers.
void Group::accept() noexcept {
  for (std::size_t c = 0; c < l_.size(); ++c) {
    Ledger& ledger = ledgers_[c];
    ledger.through = l_[c];
    ledger.violation = coupling_.gap(c);
    ledger.power_a = l_[c] * coupling_.across_a(c), ledger.power_b = l_[c] * coupling_.across_b(c);
    ledger.given += work_[c].given, ledger.received += work_[c].received, ledger.lost += work_[c].lost;
    if (settings_.way == Way::spring) ledger.stored = 0.5 * found_.stiffness * s_[c] * s_[c] - stored0_[c];
    work_[c] = {};
  }
}

Fault Group::read_indicators(std::span<double> z) noexcept {
  for (std::size_t body = 0; body < first_z_.size(); ++body) {
    const std::size_t count = coupling_.bodies()[body]->sizes().indicators;
    if (count == 0) continue;
    const Result result = coupling_.bodies()[body]->indicators(z.subspan(first_z_[body], count));
    if (!result.done()) return {Fault::What::body, body, 0.0, result};
  }
  return {};
}

bool Group::crossed() const noexcept {
  for (std::size_t k = 0; k < z_.size(); ++k)
    if ((z0_[k] > 0.0) != (z_[k] > 0.0)) return true;
  return false;
}

double Group::next_time() const noexcept {
  double first = std::numeric_limits<double>::infinity();
  for (const EventInfo& next : next_)
    if (next.has_next_time) first = std::min(first, next.next_time);
  return first;
}

/// Bisection: the step ends where a sign has just changed.
Fault Group::locate(double t, double& h) noexcept {
  constexpr int most_trials = 60;
  const double width = std::max(1e-12 * h, 4e-16 * std::abs(t + h));
  double low = 0.0, high = h;
  bool at_high = true;
  for (int trial = 0; trial < most_trials && high - low > width; ++trial) {
    const double middle = 0.5 * (low + high);
    if (const Fault fault = step(t, middle); !fault.none()) return fault;
    if (const Fault fault = read_indicators(z_); !fault.none()) return fault;
    at_high = crossed();
    (at_high ? high : low) = middle;
  }
  h = high;
  if (at_high) return {};
  if (const Fault fault = step(t, high); !fault.none()) return fault;
  return read_indicators(z_);
}

/// Whose event it is.
void Group::mark_events(double t, bool state) noexcept {
  for (std::size_t body = 0; body < next_.size(); ++body) {
    const EventInfo& next = next_[body];
    if (next.has_next_time && next.next_time <= t) event_[body] = true, ++counts_.time_events;
    const std::size_t end = body + 1 < first_z_.size() ? first_z_[body + 1] : z_.size();
    bool changed = false;
    for (std::size_t k = first_z_[body]; k < end && state; ++k) changed = changed || (z0_[k] > 0.0) != (z_[k] > 0.0);
    if (changed) event_[body] = true, ++counts_.state_events;
  }
}

Fault Group::complete(bool& terminate) noexcept {
  for (std::size_t body = 0; body < next_.size(); ++body) {
    StepCompletion completion;
    const Result result = coupling_.bodies()[body]->complete(completion);
    if (!result.done()) return {Fault::What::body, body, 0.0, result};
    terminate = terminate || completion.terminate;
    if (completion.event) event_[body] = true, ++counts_.step_events;
  }
  return {};
}

Fault Group::serve(double t, bool& terminate) noexcept {
  bool changed = false, any = false;
  for (std::size_t body = 0; body < next_.size(); ++body) {
    if (!event_[body]) continue;
    any = true;
    Result result = coupling_.bodies()[body]->serve(t, input_[body], next_[body]);
    event_[body] = input_[body] = false;
    terminate = terminate || next_[body].terminate;
    if (result.done() && next_[body].states_changed) {
      changed = true;
      result = coupling_.bodies()[body]->states(coupling_.part(body, std::span(x_)));
    }
    if (!result.done()) return {Fault::What::body, body, 0.0, result};
  }
  if (!any || terminate) return {};
  const Point at{t, x_, l_};
  if (changed && settings_.way != Way::spring) {
    if (const Fault fault = coupling_.evaluate(at, dx_); !fault.none()) return fault;
    if (const Fault fault = coupling_.partials(at, dx_); !fault.none()) return fault;
    if (!solver_.factor(coupling_.inverse_masses())) return {Fault::What::singular};
    if (const Fault fault = coupling_.look(at); !fault.none()) return fault;
    if (const Fault fault = project(t); !fault.none()) return fault;
  }
  if (const Fault fault = coupling_.look(at); !fault.none()) return fault;
  accept();
  return read_indicators(z_);
}

Fault Group::input_event(double t, bool& terminate) noexcept {
  ++counts_.input_events;
  event_.assign(event_.size(), true), input_.assign(input_.size(), true);
  return serve(t, terminate);
}

Fault Group::advance(double t, double end, bool& terminate) noexcept {
  ++counts_.steps;
  int located = 0;
  for (int events = 0; t < end && !terminate; ++events) {
    if (events == most_events) return {Fault::What::events};
    const double next = next_time(), until = std::min(end, std::max(next, t));
    std::copy(x_.begin(), x_.end(), x0_.begin());
    std::copy(z_.begin(), z_.end(), z0_.begin());
    std::copy(l_.begin(), l_.end(), l0_.begin());
    std::copy(s_.begin(), s_.end(), s0_.begin());
    double h = until - t;
    const double whole = h;
    bool state = false;
    if (h > 0.0) {
      if (const Fault fault = step(t, h); !fault.none()) return fault;
      if (const Fault fault = read_indicators(z_); !fault.none()) return fault;
      state = crossed();
      if (state && located++ >= most_located)
        ++counts_.late_events;
      else if (state)
        if (const Fault fault = locate(t, h); !fault.none()) return fault;
    }
    t = h < whole ? t + h : until;
    accept();
    mark_events(t, state);
    if (const Fault fault = complete(terminate); !fault.none() || terminate) return fault;
    if (const Fault fault = serve(t, terminate); !fault.none()) return fault;
  }
  counts_.evaluations = coupling_.evaluations;
  return {};
}

std::vector<double> Group::kept() const {
  std::vector<double> values;
  for (const std::vector<double>* some : {&x_, &l_, &s_, &stored0_})
    values.insert(values.end(), some->begin(), some->end());
  for (Ledger ledger : ledgers_) ledger.each([&](double& value) { values.push_back(value); });
  for (const EventInfo& next : next_)
    values.push_back(next.has_next_time ? 1.0 : 0.0), values.push_back(next.next_time);
  return values;
}

Fault Group::resume(double t, std::span<const double> values) {
  std::size_t at = 0;
  for (std::vector<double>* some : {&x_, &l_, &s_, &stored0_})
    for (double& value : *some) value = values[at++];
  for (Ledger& ledger : ledgers_) ledger.each([&](double& value) { value = values[at++]; });
  for (EventInfo& next : next_) next.has_next_time = values[at++] != 0.0, next.next_time = values[at++];
  std::copy(s_.begin(), s_.end(), s_trial_.begin());
  // As the FMUs stand, with the inputs of their states; what look() places them with is of no step.
  if (const Fault fault = read_indicators(z_); !fault.none()) return fault;
  return coupling_.look({t, x_, l_});
}

}  // namespace takt::fmu::join
