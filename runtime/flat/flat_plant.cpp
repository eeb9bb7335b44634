#include "runtime/flat/flat_plant.hpp"

#include <algorithm>
#include <cmath>

namespace takt::flat {
namespace {

constexpr int most_rounds = 100;

}  // namespace

FlatPlant::FlatPlant(const Description& plant)
    : plant_(plant), point_(plant.start.begin(), plant.start.end()), algebra_(plant, point_), gates_(plant, point_) {}

void FlatPlant::give(Place place, double value) {
  if (point_[place] == value) return;
  point_[place] = value;
  solved_ = false;
  if (plant_.role[place] == Role::input) return;
  inputs_moved_ = true;
  algebra_.forget();  // by a parameter the factors change, too
}

void FlatPlant::set_time(double time) noexcept {
  if (point_[plant_.time] == time) return;
  point_[plant_.time] = time;
  solved_ = false;
}

void FlatPlant::set_states(const double* states) noexcept {
  for (std::size_t k = 0; k < plant_.states.size(); ++k) {
    if (point_[plant_.states[k]] == states[k]) continue;
    point_[plant_.states[k]] = states[k];
    solved_ = false;
  }
}

void FlatPlant::solve() {
  if (solved_) return;
  algebra_.solve();
  algebra_.observe();
  solved_ = true;
}

double FlatPlant::value(Place place) {
  solve();
  return point_[place];
}

void FlatPlant::differentiate(std::vector<double>& moves) {
  solve();
  algebra_.differentiate(moves);
}

void FlatPlant::differentiate_transposed(std::vector<double>& weights) {
  solve();
  algebra_.differentiate_transposed(weights);
}

void FlatPlant::check_limits() const {
  for (const Limit& limit : plant_.limits)
    if (!(limit.holds(point_.data()) > 0.5)) throw std::runtime_error(limit.text);
}

void FlatPlant::solve_for(bool at_start) {
  if (at_start)
    algebra_.solve_start();
  else
    algebra_.solve();
  algebra_.observe();
  solved_ = true;
}

/// Modes that agree with the circuit: all that do not are flipped, then the first of them (Murty's least-index rule).
void FlatPlant::settle(bool at_start) {
  constexpr std::size_t of_all = 4;
  const std::size_t bound = 2 * of_all + 8 * plant_.modes.size();
  for (std::size_t round = 0;; ++round) {
    solve_for(at_start);
    bool agree = true;
    for (std::size_t k = 0; k < plant_.modes.size(); ++k) {
      if (!(indicator(k) > 0.0)) continue;
      if (round == bound)
        throw std::runtime_error(std::string("no state of ") + plant_.path[plant_.modes[k].place] +
                                 " agrees with the circuit");
      agree = false;
      double& mode = point_[plant_.modes[k].place];
      mode = 1.0 - mode;
      if (round >= of_all) break;
    }
    if (agree) return;
    algebra_.forget();
  }
}

void FlatPlant::start() {
  check_limits();
  point_[plant_.time] = 0.0;
  std::vector<double> guess(plant_.time, 0.0);
  for (int round = 0; round < 4; ++round) {  // guesses may name what others guess
    plant_.guesses(point_.data(), guess.data());
    for (std::size_t k = 0; k < guess.size(); ++k)
      if (std::isfinite(guess[k])) point_[k] = guess[k];
  }
  for (const BlockState& state : plant_.block_states) point_[state.place] = state.start(point_.data());
  const auto settle_all = [&] {
    gates_.start(0.0);
    for (std::size_t k = 0; k < plant_.gates.size(); ++k) point_[plant_.gates[k].place] = gates_.levels()[k];
    for (const Mode& mode : plant_.modes) point_[mode.place] = mode.start(point_.data());
    settle(true);
  };
  settle_all();
  constexpr double rounding = 1e-10;  // each solve ends somewhere within its own tolerance
  for (int round = 0; take_outputs(0, rounding); ++round) {
    if (round == most_rounds)
      throw std::runtime_error("at the start, control blocks and plant answer each other without end");
    settle_all();
  }
  update_block_states(0);
  sample_ns_ = 0;
  take_samples();
  algebra_.forget();
  inputs_moved_ = false;
  solved_ = false;
}

FlatState FlatPlant::state() {
  algebra_.forget();  // it goes on as one that is given this state
  return {point_, gates_.state(), sample_ns_, inputs_moved_, solved_};
}

bool FlatPlant::restore(const FlatState& state) {
  if (state.point.size() != point_.size() || state.gates.legs.size() != plant_.legs.size() ||
      state.gates.timed.size() != plant_.timed.size() || state.gates.levels.size() != plant_.gates.size())
    return false;
  point_ = state.point;
  gates_.restore(state.gates);
  sample_ns_ = state.sample_ns;
  inputs_moved_ = state.inputs_moved;
  algebra_.forget();
  solved_ = state.solved;  // solved again, it would move by rounding
  return true;
}

}  // namespace takt::flat
