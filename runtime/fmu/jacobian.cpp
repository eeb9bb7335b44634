#include "runtime/fmu/jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace takt::fmu {

Jacobian::Jacobian(Instance& instance)
    : instance_(instance),
      is_offered_(instance.table().can.directional_derivatives &&
                  instance.table().state_references.size() == instance.table().states &&
                  instance.table().rate_references.size() == instance.table().states),
      entries_(instance.table().states * instance.table().states),
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

/// Into column_.
Result Jacobian::column(std::size_t state, std::span<const double> rates) noexcept {
  if (is_offered_) {
    const double seed = 1.0;
    return instance_.directional({.unknowns = instance_.table().rate_references,
                                  .knowns = std::span(&instance_.table().state_references[state], 1),
                                  .seed = std::span(&seed, 1),
                                  .sensitivity = column_});
  }
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

Result Jacobian::at(std::span<const double> x, std::span<const double> rates) noexcept {
  const std::size_t n = size();
  std::copy(x.begin(), x.end(), moved_.begin());
  for (std::size_t state = 0; state < n; ++state) {
    if (const Result found = column(state, rates); !found.done()) return found;
    for (std::size_t row = 0; row < n; ++row) entries_[row * n + state] = column_[row];
  }
  return is_offered_ || n == 0 ? Result{} : instance_.set_states(x);
}

}  // namespace takt::fmu
