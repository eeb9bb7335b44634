#include "runtime/math/phi_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace takt::math {

PhiFunctions::PhiFunctions(std::size_t n, std::vector<double> a) : n_(n), a_(std::move(a)), scale_(n, 1.0) {
  const bool finite = std::all_of(a_.begin(), a_.end(), [](double entry) { return std::isfinite(entry); });
  if (!finite) {
    phi_.fill(Matrix(n * n, std::numeric_limits<double>::quiet_NaN()));
    return;
  }
  balance();
  constexpr int most_halvings = 1100;  // below the smallest number
  int halvings = 0;
  for (double size = norm(); size > 0.5 && halvings < most_halvings; size *= 0.5) ++halvings;
  for (double& entry : a_) entry = std::ldexp(entry, -halvings);
  series();
  for (int k = 0; k < halvings; ++k) twice();
}

/// Rows and columns to the same size: entries in volts and amperes differ by their units alone.
void PhiFunctions::balance() {
  constexpr int sweeps = 20;
  bool moved = true;
  for (int sweep = 0; moved && sweep < sweeps; ++sweep) {
    moved = false;
    for (std::size_t k = 0; k < n_; ++k) {
      double row = 0.0, column = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        if (j == k) continue;
        row += std::fabs(a_[k * n_ + j]);
        column += std::fabs(a_[j * n_ + k]);
      }
      if (!(row > 0.0) || !(column > 0.0)) continue;
      int exponent = 0;
      std::frexp(std::sqrt(row / column), &exponent);
      const int shift = exponent - 1;  // row/column of 1 to 4: as it is
      if (shift == 0 || shift == -1) continue;
      moved = true;
      for (std::size_t j = 0; j < n_; ++j) {
        if (j == k) continue;
        a_[k * n_ + j] = std::ldexp(a_[k * n_ + j], -shift);
        a_[j * n_ + k] = std::ldexp(a_[j * n_ + k], shift);
      }
      scale_[k] = std::ldexp(scale_[k], shift);
    }
  }
}

double PhiFunctions::norm() const {
  double largest = 0.0;
  for (std::size_t row = 0; row < n_; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n_; ++column) sum += std::fabs(a_[row * n_ + column]);
    largest = std::max(largest, sum);
  }
  return largest;
}

PhiFunctions::Matrix PhiFunctions::product(const Matrix& left, const Matrix& right) const {
  Matrix result(n_ * n_, 0.0);
  for (std::size_t row = 0; row < n_; ++row) {
    for (std::size_t k = 0; k < n_; ++k) {
      const double factor = left[row * n_ + k];
      if (factor == 0.0) continue;
      for (std::size_t column = 0; column < n_; ++column) result[row * n_ + column] += factor * right[k * n_ + column];
    }
  }
  return result;
}

void PhiFunctions::series() {
  constexpr int terms = 14;
  const auto add_unit = [&](Matrix& matrix, double value) {
    for (std::size_t k = 0; k < n_; ++k) matrix[k * n_ + k] += value;
  };
  double factorial = 1.0;
  for (int k = 2; k <= terms + 4; ++k) factorial *= k;
  Matrix sum(n_ * n_, 0.0);
  add_unit(sum, 1.0 / factorial);
  for (int k = terms + 4; k > 1; --k) {  // from phi_k on: sum is phi_k, cut off
    if (k <= 4) phi_[static_cast<std::size_t>(k - 1)] = sum;
    factorial /= k;
    sum = product(a_, sum);
    add_unit(sum, 1.0 / factorial);
  }
  phi_[0] = std::move(sum);
}

void PhiFunctions::twice() {
  const Matrix x = product(phi_[0], a_);  // not A phi_1: errors that do not commute with A would grow with |A|
  const std::array<Matrix, 4> by_x{product(x, phi_[0]), product(x, phi_[1]), product(x, phi_[2]), product(x, phi_[3])};
  for (std::size_t k = 0; k < n_ * n_; ++k) {
    const double p1 = phi_[0][k], p2 = phi_[1][k], p3 = phi_[2][k], p4 = phi_[3][k];
    phi_[0][k] = p1 + 0.5 * by_x[0][k];
    phi_[1][k] = 0.25 * (2.0 * p2 + by_x[1][k] + p1);
    phi_[2][k] = 0.125 * (2.0 * p3 + by_x[2][k] + 0.5 * p1 + p2);
    phi_[3][k] = 0.0625 * (2.0 * p4 + by_x[3][k] + p1 / 6.0 + 0.5 * p2 + p3);
    a_[k] *= 2.0;
  }
}

}  // namespace takt::math
