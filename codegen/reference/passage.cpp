#include "codegen/reference/passage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace takt::codegen {
namespace {

constexpr std::size_t most_crossings = 1000;  // at one instant
constexpr double exact = 1e-13;               // V or A: a condition as good as zero

/// Instants closer than this are one: an integrator could not step from one to the other.
double closeness(double time) {
  return std::max(1e-14, 32.0 * std::numeric_limits<double>::epsilon() * std::fabs(time));
}

}  // namespace

void Passage::take_inputs(Values& y) {
  const Values before(y);
  switching_.gates().take_inputs(now_);
  system_.solve_algebra(now_, y);
  switching_.refuse_impulses(now_, before, y);
  cross(y, {});
  fresh_ = false;
  if (events_.empty()) return;
  system_.observe(now_, y);
  conditions_ = conditions();
  cross(y, turned());
}

Values Passage::conditions() const {
  Values all = switching_.conditions();
  events_.add_conditions(all);
  return all;
}

void Passage::advance(double time, double stop, Values& y) {
  if (!switched_) {
    if (!fresh_) integrator_.restart(reached_ = now_, y), fresh_ = true;
    while (reached_ < time) reached_ = integrator_.step(integrator_.interpolates() ? stop : time);
    integrator_.at(now_ = time, y);
  }
  while (now_ < time - closeness(time)) {
    const double edge = switching_.gates().next_edge(now_, time);
    if (edge <= now_ + closeness(now_)) {
      switching_.gates().apply(std::max(edge, now_));
      cross(y, {});
    } else {
      integrate(edge < time - closeness(time) ? edge : time, y);
    }
  }
  now_ = time;
  system_.observe(time, y);
}

/// Up to `end`, or to the first mode that turns before.
void Passage::integrate(double end, Values& y) {
  if (!fresh_) integrator_.restart(now_, y), fresh_ = true;
  system_.observe(now_, y);
  last_conditions_ = conditions();
  while (now_ < end - closeness(end)) {
    const double reached = integrator_.step(end);
    look(reached, y);
    if (std::vector<std::size_t> due = turned(); !due.empty()) {
      now_ = locate(now_, reached, due, y);
      fresh_ = false;  // the integrator stands beyond
      return cross(y, due);
    }
    now_ = reached;
    events_.arm();
    last_conditions_ = conditions();
  }
  now_ = end;
}

void Passage::look(double time, Values& y) {
  integrator_.at(time, y);
  if (!switching_.has_modes() && events_.empty()) return;
  system_.observe(time, y);
  conditions_ = conditions();
}

std::vector<std::size_t> Passage::turned() const {
  std::vector<std::size_t> modes;
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    if (conditions_[k] > Switching::threshold) modes.push_back(k);
  return modes;
}

/// The instant at which the first of these modes turns; y is of that instant, and `due` what has
/// turned. Secants of the condition that is worst (Illinois), every other one a halving: just after
/// an edge conditions are not straight.
double Passage::locate(double before, double after, std::vector<std::size_t>& due, Values& y) {
  const auto worst = [&](const Values& conditions) {
    double value = -HUGE_VAL;
    for (const std::size_t mode : due) value = std::max(value, conditions[mode]);
    return value;
  };
  // One that stood at zero before, within rounding, turns back only from the threshold on.
  const double zero = worst(last_conditions_) < 0.0 ? 0.0 : Switching::threshold;
  double below = worst(last_conditions_) - zero, above = worst(conditions_) - zero, at_end = above,
         looked = after;
  for (int round = 0; at_end > exact && after - before > 0.01 * closeness(after); ++round) {
    double next = 0.5 * (before + after);
    if (const double secant = before - below * (after - before) / (above - below);
        round % 2 == 0 && before < secant && secant < after)
      next = secant;
    if (next <= before || next >= after) break;  // no number lies between them
    look(looked = next, y);
    if (const double value = worst(conditions_) - zero; value > 0.0) {
      after = next, above = at_end = value;
      below *= 0.5;
    } else {
      before = next, below = value;
      above *= 0.5;
    }
  }
  if (looked != after) look(after, y);
  const double most = worst(conditions_);  // looked at again, it may be below zero by rounding
  std::erase_if(due, [&](std::size_t mode) {
    return !(conditions_[mode] > zero) && conditions_[mode] < most;
  });
  return after;
}

void Passage::cross(Values& y, const std::vector<std::size_t>& due) {
  crossings_ = now_ - crossed_ <= closeness(now_) ? crossings_ + 1 : 0;
  if (crossings_ == most_crossings)
    throw std::runtime_error(fmt::format("the switches do not come to rest at {:.12g} s", now_));
  crossed_ = now_;
  const Values before(y);
  const std::size_t modes = switching_.conditions().size();
  std::vector<std::size_t> turning, occurring;
  for (const std::size_t one : due)
    (one < modes ? turning : occurring).push_back(one < modes ? one : one - modes);
  if (switching_.cross(now_, y, turning, sink_)) {
    switching_.refuse_impulses(now_, before, y);
    fresh_ = false;
  }
  if (occurring.empty()) return;
  system_.observe(now_, y);
  events_.occur(now_, y, std::move(occurring), sink_);
  fresh_ = false;
}

}  // namespace takt::codegen
