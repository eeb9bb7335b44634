#include "runtime/fmu/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace takt::fmu {

Jacobian::Jacobian(Instance& instance)
    : instance_(instance),
      is_offered_(instance.table().can.directional_derivatives &&
                  instance.table().state_references.size() == instance.table().states &&
                  instance.table().rate_references.size() == instance.table().states),
      entries_(instance.table().states > most_states ? 0 : instance.table().states * instance.table().states),
      nominals_(instance.table().states, 1.0),
      moved_(instance.table().states),
      column_(instance.table().states) {}

Result Jacobian::start() noexcept {
  if (nominals_.empty()) return {};
  const Result result = instance_.get_nominals(nominals_);
  for (double& nominal : nominals_) {
    nominal = std::fabs(nominal);
    if (!(nominal > 0.0) || !std::isfinite(nominal)) nominal = 1.0;  // nothing that can be used
  }
  return result;
}

Result Jacobian::partials(std::size_t state) noexcept {
  const double seed = 1.0;
  return instance_.directional({.unknowns = instance_.table().rate_references,
                                .knowns = std::span(&instance_.table().state_references[state], 1),
                                .seed = std::span(&seed, 1),
                                .sensitivity = column_});
}

Result Jacobian::differences(std::size_t state, std::span<const double> rates) noexcept {
  constexpr double part = 0x1p-26;  // about sqrt(eps)
  const double own = moved_[state];
  moved_[state] = own + part * std::max(std::fabs(own), nominals_[state]);
  const double move = moved_[state] - own;
  if (const Result set = instance_.set_states(moved_); !set.done()) return set;
  moved_[state] = own;
  const Result got = instance_.get_derivatives(column_);
  for (std::size_t row = 0; row < column_.size(); ++row) column_[row] = (column_[row] - rates[row]) / move;
  return got;
}

Result Jacobian::times(std::span<const double> x, std::span<const double> rates, std::span<const double> vector,
                       std::span<double> product) noexcept {
  constexpr double part = 0x1p-26;  // of the state that moves most
  double length = 0.0;
  for (std::size_t state = 0; state < size(); ++state)
    length = std::max(length, std::fabs(vector[state]) / std::max(std::fabs(x[state]), nominals_[state]));
  std::fill(product.begin(), product.end(), 0.0);
  if (!(length > 0.0) || !std::isfinite(length)) return {};
  const double move = part / length;
  for (std::size_t state = 0; state < size(); ++state) moved_[state] = x[state] + move * vector[state];
  if (const Result set = instance_.set_states(moved_); !set.done()) return set;
  if (const Result got = instance_.get_derivatives(product); !got.done()) return got;
  for (std::size_t row = 0; row < size(); ++row) product[row] = (product[row] - rates[row]) / move;
  return instance_.set_states(x);
}

Result Jacobian::at(std::span<const double> x, std::span<const double> rates, By by) noexcept {
  const std::size_t n = size();
  if (n > most_states)
    return {Status::refused, "step",
            "implicit methods take a dense Jacobian, of 2000 states at most: an explicit method takes any number"};
  const bool asks = is_offered_ && by == By::directional_derivatives;
  std::copy(x.begin(), x.end(), moved_.begin());
  for (std::size_t state = 0; state < n; ++state) {
    if (const Result found = asks ? partials(state) : differences(state, rates); !found.done()) return found;
    for (std::size_t row = 0; row < n; ++row) entries_[row * n + state] = column_[row];
  }
  return asks || n == 0 ? Result{} : instance_.set_states(x);
}

}  // namespace takt::fmu
