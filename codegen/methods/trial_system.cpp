#include "codegen/methods/trial_system.hpp"

#include <algorithm>

#include "runtime/solver/rosenbrock.hpp"

namespace takt::codegen {

TrialSystem::TrialSystem(std::size_t states, std::size_t quadratures)
    : x(std::max<std::size_t>(states, 1)),
      q(std::max<std::size_t>(quadratures, 1)),
      states_(states),
      quadratures_(quadratures),
      rows_((states + quadratures) * states) {}

void TrialSystem::linearise(double t, double s, const double* at, double* dx, double* dq) noexcept {
  evaluate(t, s, at, dx, dq);
  jacobian(rows_.data());
}

void TrialSystem::factor(double gh) noexcept {
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(states_ * states_);
  if (gh == factored_gh_ && std::equal(rows_.begin(), end, factored_.begin(), factored_.end()))
    return;
  factored_.assign(rows_.begin(), end);
  factored_gh_ = gh;
  lu_.resize(factored_.size());
  for (std::size_t row = 0; row < states_; ++row)
    for (std::size_t column = 0; column < states_; ++column)
      lu_[row * states_ + column] =
          (row == column ? 1.0 : 0.0) - gh * factored_[row * states_ + column];
  factor_dense(lu_.data(), states_);
}

void TrialSystem::solve(double* b) const noexcept { solve_dense(lu_.data(), b, states_); }

void TrialSystem::quadrature_slopes(const double* k, double* dq) const noexcept {
  for (std::size_t row = 0; row < quadratures_; ++row) {
    const double* slopes = rows_.data() + (states_ + row) * states_;
    dq[row] = 0.0;
    for (std::size_t column = 0; column < states_; ++column) dq[row] += slopes[column] * k[column];
  }
}

}  // namespace takt::codegen
