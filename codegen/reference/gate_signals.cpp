#include "codegen/reference/gate_signals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solver/first_move.hpp"

namespace takt::codegen {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::vector<Expr> signals_of(const Network& network) {
  std::vector<Expr> signals;
  for (const Gate& gate : network.gates) signals.push_back(gate.signal);
  return signals;
}

}  // namespace

GateSignals::GateSignals(const Network& network, ValueOf value_of, double look_s)
    : network_(network),
      value_of_(std::move(value_of)),
      look_s_(look_s),
      legs_(network.legs.size()),
      timed_(network.timed_gates.size()),
      turns_(network, signals_of(network), [this](SymbolId symbol) -> std::optional<double> {
        const auto level = levels_.find(symbol);
        return level != levels_.end() ? level->second : value_of_(symbol);
      }) {
  for (const PwmLeg& leg : network.legs)
    bends_.emplace_back(
        network, std::vector{leg.duty},
        [this](SymbolId symbol) -> std::optional<double> { return value_of_(symbol); });
  for (std::size_t k = 0; k < network.gates.size(); ++k)
    if (network.graph().depends_on(network.gates[k].signal, network.time)) followers_.push_back(k);
}

double GateSignals::evaluate(Expr expression, double time) const {
  return network_.graph().evaluate(expression, [&](SymbolId symbol) {
    if (symbol == network_.time) return time;
    const auto level = levels_.find(symbol);
    return level != levels_.end() ? level->second : value_of_(symbol);
  });
}

auto GateSignals::duty(std::size_t leg) const {
  return DutyWithTurns{
      [this, leg](double time) { return evaluate(network_.legs[leg].duty, time); },
      [this, leg](double time, double until) { return bends_[leg].first(time, until); }};
}

void GateSignals::start(double time) {
  for (std::size_t k = 0; k < legs_.size(); ++k) {
    const PwmLeg& leg = network_.legs[k];
    legs_[k].start(time,
                   {.frequency_hz = evaluate(leg.frequency, time),
                    .phase = evaluate(leg.phase, time),
                    .dead_time_s = evaluate(leg.dead_time, time),
                    .carrier = leg.carrier,
                    .update = leg.update},
                   duty(k));
  }
  for (std::size_t k = 0; k < timed_.size(); ++k)
    timed_[k] = {.level = evaluate(network_.timed_gates[k].level, time) > 0.5 ? 1.0 : 0.0};
  set_levels(time);
}

void GateSignals::take_inputs(double time) {
  for (std::size_t k = 0; k < legs_.size(); ++k) legs_[k].replan(time, duty(k));
  for (std::size_t k = 0; k < timed_.size(); ++k)
    timed_[k].command(time, evaluate(network_.timed_gates[k].level, time),
                      evaluate(network_.timed_gates[k].delay, time));
  set_levels(time);
}

void GateSignals::apply(double time) {
  for (takt::PwmLeg& leg : legs_) leg.apply(time);
  for (takt::TimedGate& gate : timed_) gate.apply(time);
  set_levels(time);
}

void GateSignals::set_levels(double time) {
  for (std::size_t k = 0; k < legs_.size(); ++k) {
    levels_[network_.legs[k].high] = legs_[k].high ? 1.0 : 0.0;
    levels_[network_.legs[k].low] = legs_[k].low ? 1.0 : 0.0;
  }
  for (std::size_t k = 0; k < timed_.size(); ++k)
    levels_[network_.timed_gates[k].symbol] = timed_[k].level;
  for (const Gate& gate : network_.gates)
    levels_[gate.symbol] = evaluate(gate.signal, time) > 0.5 ? 1.0 : 0.0;
  quiet_until_ = time;
}

double GateSignals::next_edge(double time, double until) {
  double edge = never;
  for (std::size_t k = 0; k < legs_.size(); ++k)
    edge = std::min(edge, legs_[k].next_change(until, duty(k)));
  for (const takt::TimedGate& gate : timed_) edge = std::min(edge, gate.at);
  if (!followers_.empty() && quiet_until_ < until) {
    const double moves = follower_edge(std::max(time, quiet_until_), std::min(until, edge));
    if (moves < edge)
      edge = moves;
    else
      quiet_until_ = std::min(until, edge);
  }
  return edge <= until ? edge : never;
}

bool GateSignals::follower_moves(double time) const {
  return std::any_of(followers_.begin(), followers_.end(), [&](std::size_t k) {
    const Gate& gate = network_.gates[k];
    return (evaluate(gate.signal, time) > 0.5) != (levels_.at(gate.symbol) > 0.5);
  });
}

double GateSignals::follower_edge(double time, double until) const {
  if (follower_moves(time)) return time;  // whoever came here stopped a little behind the edge
  double edge = never;
  const auto behind = [](double at) {
    return at + 1e-14 * std::fabs(at) + 1e-20;
  };  // beyond rounding
  for (double turn = time; turn < until && edge == never;) {
    turn = turns_.first(behind(turn), until);
    for (const double at : {turn, behind(turn)})
      if (at <= until && edge == never && follower_moves(at)) edge = at;
  }
  const double seen = first_move(time, std::min(until, edge), look_s_,
                                 [this](double at) { return follower_moves(at); });
  return std::min(edge, seen);
}

}  // namespace takt::codegen
