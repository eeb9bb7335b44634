// Events of a flat plant: control blocks at their instants, gates at their edges, modes where their conditions turn.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/flat/flat_plant.hpp"

namespace takt::flat {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::int64_t no_sample = std::numeric_limits<std::int64_t>::max();
constexpr int most_crossings = 1000;  // at one instant

/// Instants closer than this are one: a time is a sum of many steps in the caller.
double closeness(double time) { return 1e-15 + 4e-12 * std::fabs(time); }

double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace

/// @param within  changes of this part of a value are rounding  @return whether one has changed
bool FlatPlant::take_outputs(std::int64_t time_ns, double within) {
  bool changed = false;
  for (const BlockOutput& output : plant_.outputs) {
    if (time_ns % output.period_ns != 0) continue;
    const double next = output.value(point_.data());
    const double held = std::exchange(point_[output.place], next);
    changed = changed || !(std::fabs(next - held) <= within * std::max(std::fabs(next), std::fabs(held)));
  }
  return changed;
}

/// All states move at once: their next values are of this instant.
void FlatPlant::update_block_states(std::int64_t time_ns) {
  std::vector<double> next;
  for (const BlockState& state : plant_.block_states)
    next.push_back(time_ns % state.period_ns == 0 ? state.next(point_.data()) : point_[state.place]);
  for (std::size_t k = 0; k < next.size(); ++k) point_[plant_.block_states[k].place] = next[k];
}

/// Blocks whose instant has come.  @return whether an output has changed
bool FlatPlant::take_samples() {
  bool changed = false;
  if (sample_ns_ == no_sample || time() < seconds(sample_ns_) - closeness(time())) return false;
  const std::int64_t now = sample_ns_;
  if (now > 0) {  // the start has been there
    changed = take_outputs(now, 0.0);
    update_block_states(now);
  }
  sample_ns_ = no_sample;
  const auto look = [&](std::int64_t period_ns) {
    sample_ns_ = std::min(sample_ns_, (now / period_ns + 1) * period_ns);
  };
  for (const BlockOutput& output : plant_.outputs) look(output.period_ns);
  for (const BlockState& state : plant_.block_states) look(state.period_ns);
  return changed;
}

void FlatPlant::remember() noexcept {
  for (const Before& before : plant_.befores) point_[before.place] = point_[before.of];
}

FlatPlant::Event FlatPlant::event() {
  solve();
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < plant_.modes.size(); ++k)
    if (indicator(k) > -0.5 * threshold) due.push_back(k);
  std::vector<double> before(point_.begin(), point_.begin() + plant_.time);
  const auto states = [&] {
    std::vector<double> values;
    for (const Place state : plant_.states) values.push_back(point_[state]);
    return values;
  };
  const std::vector<double> states_before = states();
  const double until = time() + closeness(time());
  remember();
  gates_.pass(time());
  if (inputs_moved_) check_limits();
  bool moved = std::exchange(inputs_moved_, false);
  while (sample_ns_ != no_sample && seconds(sample_ns_) <= until) moved = take_samples() || moved;
  if (moved) {
    gates_.take_inputs(time());
    solve_for(false);
    refuse_impulses(before);
  }
  for (int crossing = 0;; ++crossing) {
    if (crossing == most_crossings) throw std::runtime_error("the switches do not come to rest");
    gates_.apply(until);
    before.assign(point_.begin(), point_.begin() + plant_.time);
    cross(due);
    refuse_impulses(before);
    due.clear();
    if (!(gates_.next_edge(time(), until) <= until)) break;
    remember();
  }
  solved_ = false;
  algebra_.forget();
  solve();
  return {states() != states_before, next_event()};
}

/// An instant at which gates or these modes move.
void FlatPlant::cross(std::span<const std::size_t> due) {
  std::vector<double> held_before;
  for (const Edge& edge : plant_.edges) held_before.push_back(point_[edge.of]);
  bool moves = !due.empty();
  for (std::size_t k = 0; k < plant_.gates.size(); ++k) {
    double& gate = point_[plant_.gates[k].place];
    moves = moves || gate != gates_.levels()[k];
    gate = gates_.levels()[k];
  }
  for (const std::size_t k : due) point_[plant_.modes[k].place] = 1.0 - point_[plant_.modes[k].place];
  if (!moves && plant_.modes.empty()) return;
  algebra_.forget();
  settle(false);
  lose_energy(held_before);
}

void FlatPlant::lose_energy(std::span<const double> held_before) {
  bool any = false;
  for (std::size_t k = 0; k < plant_.edges.size(); ++k) {
    const Edge& edge = plant_.edges[k];
    if (point_[edge.of] == held_before[k]) continue;
    const double lost = (point_[edge.of] > held_before[k] ? edge.rise : edge.fall)(point_.data());
    point_[edge.total] += lost;
    if (edge.pulse == no_place) continue;
    point_[edge.pulse] += lost;
    any = true;
  }
  if (any) heat();
}

/// A pulse of power moves what is integrated by its energy times the share of power that arrives there: the rates with
/// the energies as powers, less those without.
void FlatPlant::heat() {
  std::vector<double> energy;
  for (const Edge& edge : plant_.edges)
    if (edge.pulse != no_place) energy.push_back(std::exchange(point_[edge.pulse], 0.0));
  const auto rates = [&] {
    solve_for(false);
    return std::vector<double>(point_.begin() + plant_.rates.first,
                               point_.begin() + plant_.rates.first + plant_.rates.count);
  };
  const std::vector<double> without = rates();
  std::size_t next = 0;
  for (const Edge& edge : plant_.edges)
    if (edge.pulse != no_place) point_[edge.pulse] += energy[next++];
  const std::vector<double> with = rates();
  for (const Edge& edge : plant_.edges)
    if (edge.pulse != no_place) point_[edge.pulse] = 0.0;
  for (std::size_t k = 0; k < plant_.states.size(); ++k) point_[plant_.states[k]] += with[k] - without[k];
  solve_for(false);
}

void FlatPlant::refuse_impulses(std::span<const double> before) const {
  constexpr double rounding = 1e-9, of_usual = 1e-12;
  for (const Impulse& impulse : plant_.impulses) {
    double sum = 0.0, size = 0.0;
    for (std::size_t k = 0; k < impulse.stored.size(); ++k) {
      const Place place = impulse.stored[k];
      sum += impulse.share[k] * (point_[place] - before[place]);
      size += std::fabs(impulse.share[k]) *
              (rounding * (std::fabs(point_[place]) + std::fabs(before[place])) + of_usual * plant_.usual[place]);
    }
    if (std::fabs(sum) > size)
      throw std::runtime_error(std::string(impulse.text) + " give the connection a resistance");
  }
}

double FlatPlant::next_event() {
  double next = sample_ns_ == no_sample ? never : seconds(sample_ns_);
  const double after = time() + closeness(time());
  if (const auto turn = std::upper_bound(plant_.turns_s.begin(), plant_.turns_s.end(), after);
      turn != plant_.turns_s.end())
    next = std::min(next, *turn);
  constexpr double farthest = 1.0;  // s: legs that move later are looked at again
  const bool switches = !plant_.legs.empty() || !plant_.timed.empty() || !plant_.gates.empty();
  if (!switches) return next;
  const double until = std::min(next, time() + farthest);
  const double edge = gates_.next_edge(time(), until);
  return edge == never ? until : std::max(edge, after);
}

}  // namespace takt::flat
