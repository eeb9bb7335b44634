#include "codegen/reference/state_rates.hpp"

namespace takt::codegen {

StateRates::StateRates(NumericSystem& system)
    : system_(system), y_(system.size(), 0.0), all_rates_(system.size(), 0.0) {
  for (std::size_t k = 0; k < system.size(); ++k)
    if (system.differential()[k]) states_.push_back(k);
}

void StateRates::take(const Values& y, double* states) {
  y_ = y;
  for (std::size_t k = 0; k < states_.size(); ++k) states[k] = y[states_[k]];
}

void StateRates::give(double time, const double* states, Values& y) {
  for (std::size_t k = 0; k < states_.size(); ++k) y_[states_[k]] = states[k];
  system_.solve_algebra(time, y_);
  y = y_;
}

void StateRates::evaluate(double time, const double* states, double* rates) {
  ++evaluations_;
  for (std::size_t k = 0; k < states_.size(); ++k) y_[states_[k]] = states[k];
  system_.solve_algebra(time, y_);
  system_.rates(time, y_.data(), all_rates_.data());
  for (std::size_t k = 0; k < states_.size(); ++k) rates[k] = all_rates_[states_[k]];
}

}  // namespace takt::codegen
