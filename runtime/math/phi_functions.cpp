#include "runtime/math/phi_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace takt::math {

PhiFunctions::PhiFunctions(std::size_t n, std::span<double> work, int count) : n_(n), count_(count), work_(work) {
  constexpr double largest = 1e18;  // 2^60
  std::fill(scale(), scale() + n, 1.0);
  if (!std::all_of(a(), a() + n * n, [](double entry) { return std::fabs(entry) <= largest; })) {
    std::fill(phi(1), phi(5), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  balance();
  constexpr int most_halvings = 64;
  int halvings = 0;
  for (double size = norm(); size > 0.5 && halvings < most_halvings; size *= 0.5) ++halvings;
  const double shrink = std::ldexp(1.0, -halvings);
  for (std::size_t k = 0; k < n * n; ++k) a()[k] *= shrink;
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
        row += std::fabs(a()[k * n_ + j]);
        column += std::fabs(a()[j * n_ + k]);
      }
      if (!(row > 0.0) || !(column > 0.0)) continue;
      int exponent = 0;
      std::frexp(std::sqrt(row / column), &exponent);
      const int shift = exponent - 1;  // row/column of 1 to 4: as it is
      if (shift == 0 || shift == -1) continue;
      moved = true;
      const double grow = std::ldexp(1.0, shift), less = std::ldexp(1.0, -shift);
      for (std::size_t j = 0; j < n_; ++j) {
        if (j == k) continue;
        a()[k * n_ + j] = less * a()[k * n_ + j];
        a()[j * n_ + k] = grow * a()[j * n_ + k];
      }
      scale()[k] *= grow;
    }
  }
}

double PhiFunctions::norm() const {
  double largest = 0.0;
  for (std::size_t row = 0; row < n_; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n_; ++column) sum += std::fabs(a()[row * n_ + column]);
    largest = std::max(largest, sum);
  }
  return largest;
}

void PhiFunctions::product(const double* left, const double* __restrict right, double* __restrict result) const {
  std::fill(result, result + n_ * n_, 0.0);
  for (std::size_t row = 0; row < n_; ++row) {
    for (std::size_t k = 0; k < n_; ++k) {
      const double factor = left[row * n_ + k];
      if (factor == 0.0) continue;
      for (std::size_t column = 0; column < n_; ++column) result[row * n_ + column] += factor * right[k * n_ + column];
    }
  }
}

void PhiFunctions::series() {
  constexpr int terms = 14;
  double factorial = 1.0;
  for (int k = 2; k <= terms + 4; ++k) factorial *= k;
  double *sum = matrix(5), *next = matrix(6);  // sum is phi_k, cut off
  std::fill(sum, sum + n_ * n_, 0.0);
  for (std::size_t k = 0; k < n_; ++k) sum[k * n_ + k] = 1.0 / factorial;
  for (int k = terms + 4; k > 1; --k) {
    if (k <= 4) std::copy(sum, sum + n_ * n_, phi(k));
    factorial /= k;
    product(a(), sum, next);
    for (std::size_t j = 0; j < n_; ++j) next[j * n_ + j] += 1.0 / factorial;
    std::swap(sum, next);
  }
  std::copy(sum, sum + n_ * n_, phi(1));
}

void PhiFunctions::twice() {
  const std::size_t size = n_ * n_;
  double *p1 = phi(1), *p2 = phi(2), *p3 = phi(3), *p4 = phi(4), *x = matrix(5), *by_x = matrix(6);
  product(p1, a(), x);  // not A phi_1: errors that do not commute with A would grow with |A|
  // From the last on: each needs those before as they were.
  if (count_ > 3) {
    product(x, p4, by_x);
    for (std::size_t k = 0; k < size; ++k) p4[k] = 0.0625 * (2.0 * p4[k] + by_x[k] + p1[k] / 6.0 + 0.5 * p2[k] + p3[k]);
  }
  if (count_ > 2) {
    product(x, p3, by_x);
    for (std::size_t k = 0; k < size; ++k) p3[k] = 0.125 * (2.0 * p3[k] + by_x[k] + 0.5 * p1[k] + p2[k]);
  }
  if (count_ > 1) {
    product(x, p2, by_x);
    for (std::size_t k = 0; k < size; ++k) p2[k] = 0.25 * (2.0 * p2[k] + by_x[k] + p1[k]);
  }
  product(x, p1, by_x);
  for (std::size_t k = 0; k < size; ++k) p1[k] += 0.5 * by_x[k];
  for (std::size_t k = 0; k < size; ++k) a()[k] *= 2.0;
}

}  // namespace takt::math
