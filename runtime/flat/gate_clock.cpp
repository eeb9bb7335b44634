#include "runtime/flat/gate_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/solver/first_move.hpp"

namespace takt::flat {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double looks = 1000.0;  // ahead, of gates that follow time

}  // namespace

GateClock::GateClock(const Description& plant, std::vector<double>& point)
    : plant_(plant),
      point_(point),
      state_{.legs = std::vector<takt::PwmLeg>(plant.legs.size()),
             .timed = std::vector<takt::TimedGate>(plant.timed.size()),
             .levels = std::vector<double>(plant.gates.size())} {}

double GateClock::at(double time, Value value) {
  const double now = std::exchange(point_[plant_.time], time);
  const double result = value(point_.data());
  point_[plant_.time] = now;
  return result;
}

auto GateClock::duty(std::size_t leg) {
  const Leg& its = plant_.legs[leg];
  return DutyWithTurns{[this, &its](double time) { return at(time, its.duty); },
                       [this, &its](double time, double) {
                         return its.turn_after != nullptr ? its.turn_after(point_.data(), time) : never;
                       }};
}

void GateClock::start(double time) {
  for (std::size_t k = 0; k < state_.legs.size(); ++k) {
    const Leg& leg = plant_.legs[k];
    state_.legs[k].start(time,
                         {.frequency_hz = at(time, leg.frequency_hz),
                          .phase = at(time, leg.phase),
                          .dead_time_s = at(time, leg.dead_time_s),
                          .carrier = leg.carrier,
                          .update = leg.update},
                         duty(k));
  }
  for (std::size_t k = 0; k < state_.timed.size(); ++k)
    state_.timed[k] = {.level = at(time, plant_.timed[k].level) > 0.5 ? 1.0 : 0.0};
  set_levels(time);
}

void GateClock::take_inputs(double time) {
  for (std::size_t k = 0; k < state_.legs.size(); ++k) state_.legs[k].replan(time, duty(k));
  for (std::size_t k = 0; k < state_.timed.size(); ++k)
    state_.timed[k].command(time, at(time, plant_.timed[k].level), at(time, plant_.timed[k].delay_s));
  set_levels(time);
}

void GateClock::pass(double time) {
  for (std::size_t k = 0; k < state_.legs.size(); ++k) {
    takt::PwmLeg& leg = state_.legs[k];
    for (double edge; (edge = leg.next_change(time, duty(k))) < time;) leg.apply(edge);
  }
}

void GateClock::apply(double time) {
  for (std::size_t k = 0; k < state_.legs.size(); ++k) {
    takt::PwmLeg& leg = state_.legs[k];
    while (leg.next_change(time, duty(k)) <= time) leg.apply(time);
  }
  for (takt::TimedGate& gate : state_.timed) gate.apply(time);
  set_levels(time);
}

void GateClock::set_levels(double time) {
  for (std::size_t k = 0; k < state_.legs.size(); ++k) {
    point_[plant_.legs[k].high] = state_.legs[k].high ? 1.0 : 0.0;
    point_[plant_.legs[k].low] = state_.legs[k].low ? 1.0 : 0.0;
  }
  for (std::size_t k = 0; k < state_.timed.size(); ++k) point_[plant_.timed[k].place] = state_.timed[k].level;
  for (std::size_t k = 0; k < state_.levels.size(); ++k)
    state_.levels[k] = at(time, plant_.gates[k].signal) > 0.5 ? 1.0 : 0.0;
}

/// Legs plan ahead on copies: an event before the edge may still change what they plan with.
double GateClock::next_edge(double time, double until) {
  double edge = never;
  for (std::size_t k = 0; k < state_.legs.size(); ++k) {
    takt::PwmLeg ahead = state_.legs[k];
    edge = std::min(edge, ahead.next_change(until, duty(k)));
  }
  for (const takt::TimedGate& gate : state_.timed) edge = std::min(edge, gate.at);
  const bool follows =
      std::any_of(plant_.gates.begin(), plant_.gates.end(), [](const Gate& g) { return g.follows_time; });
  if (follows) {
    const double seen = std::min({until, edge, time + looks * plant_.look_s});
    const double moves = follower_edge(time, seen);
    edge = std::min(edge, moves);
    if (edge > seen && seen < until) edge = seen;  // beyond that nobody has looked
  }
  return edge <= until ? edge : never;
}

bool GateClock::follower_moves(double time) {
  for (std::size_t k = 0; k < state_.levels.size(); ++k)
    if (plant_.gates[k].follows_time && (at(time, plant_.gates[k].signal) > 0.5) != (state_.levels[k] > 0.5))
      return true;
  return false;
}

double GateClock::follower_edge(double time, double until) {
  return first_move(time, until, plant_.look_s, [this](double at) { return follower_moves(at); });
}

}  // namespace takt::flat
