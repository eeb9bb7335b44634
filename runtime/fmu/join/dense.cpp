#include "runtime/fmu/join/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace takt::fmu::join {

Dense::Dense(std::size_t n)
    : n_(n), lu_(n * n), row_scale_(n, 1.0), column_scale_(n, 1.0), work_(n), rows_(n), columns_(n) {}

void Dense::scale(std::span<const double> matrix) noexcept {
  for (std::size_t row = 0; row < n_; ++row) {
    double most = 0.0;
    for (std::size_t column = 0; column < n_; ++column) most = std::max(most, std::abs(matrix[row * n_ + column]));
    row_scale_[row] = most > 0.0 ? 1.0 / most : 1.0;
  }
  for (std::size_t column = 0; column < n_; ++column) {
    double most = 0.0;
    for (std::size_t row = 0; row < n_; ++row)
      most = std::max(most, std::abs(matrix[row * n_ + column]) * row_scale_[row]);
    column_scale_[column] = most > 0.0 ? 1.0 / most : 1.0;
    for (std::size_t row = 0; row < n_; ++row)
      at(row, column) = matrix[row * n_ + column] * row_scale_[row] * column_scale_[column];
  }
}

bool Dense::factor(std::span<const double> matrix) noexcept {
  scale(matrix);
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::iota(columns_.begin(), columns_.end(), std::size_t{0});
  double first = 0.0;
  for (rank_ = 0; rank_ < n_; ++rank_) {
    std::size_t row = rank_, column = rank_;
    for (std::size_t r = rank_; r < n_; ++r)
      for (std::size_t c = rank_; c < n_; ++c)
        if (std::abs(at(r, c)) > std::abs(at(row, column))) row = r, column = c;
    const double pivot = std::abs(at(row, column));
    if (rank_ == 0) first = pivot;
    constexpr double nothing = 1e-9;
    if (!(pivot > nothing * first)) return false;  // also where it is no number
    for (std::size_t c = 0; c < n_; ++c) std::swap(at(rank_, c), at(row, c));
    for (std::size_t r = 0; r < n_; ++r) std::swap(at(r, rank_), at(r, column));
    std::swap(rows_[rank_], rows_[row]);
    std::swap(columns_[rank_], columns_[column]);
    for (std::size_t r = rank_ + 1; r < n_; ++r) {
      const double factor = at(r, rank_) /= at(rank_, rank_);
      for (std::size_t c = rank_ + 1; c < n_; ++c) at(r, c) -= factor * at(rank_, c);
    }
  }
  return true;
}

void Dense::solve(std::span<const double> right, std::span<double> solution) noexcept {
  for (std::size_t row = 0; row < n_; ++row) {
    double sum = right[rows_[row]] * row_scale_[rows_[row]];
    for (std::size_t c = 0; c < row; ++c) sum -= at(row, c) * work_[c];
    work_[row] = sum;
  }
  for (std::size_t row = n_; row-- > 0;) {
    double sum = work_[row];
    for (std::size_t c = row + 1; c < n_; ++c) sum -= at(row, c) * work_[c];
    work_[row] = sum / at(row, row);
  }
  for (std::size_t row = 0; row < n_; ++row) solution[columns_[row]] = work_[row] * column_scale_[columns_[row]];
}

std::vector<std::size_t> Dense::undetermined() const {
  // The part that was eliminated, solved for each unknown that was left over.
  std::vector<std::size_t> all;
  std::vector<bool> in(n_, false);
  for (std::size_t left = rank_; left < n_; ++left) {
    std::vector<double> v(n_, 0.0);
    v[left] = 1.0;
    for (std::size_t row = rank_; row-- > 0;) {
      double sum = 0.0;
      for (std::size_t c = row + 1; c < n_; ++c) sum += at(row, c) * v[c];
      v[row] = -sum / at(row, row);
    }
    constexpr double counts = 1e-6;
    for (std::size_t k = 0; k < n_; ++k) in[columns_[k]] = in[columns_[k]] || std::abs(v[k]) > counts;
  }
  for (std::size_t k = 0; k < n_; ++k)
    if (in[k]) all.push_back(k);
  return all;
}

double spectral_radius(std::span<const double> matrix, std::size_t n) {
  if (n == 1) return std::abs(matrix[0]);
  std::vector<double> v(n), w(n);
  for (std::size_t k = 0; k < n; ++k) v[k] = 1.0 + 0.37 * static_cast<double>(k) + 0.1 * static_cast<double>(k % 3);
  constexpr int products = 2000, counted = 1000;
  double grown = 0.0;
  for (int product = 0; product < products; ++product) {
    double length = 0.0;
    for (std::size_t row = 0; row < n; ++row) {
      w[row] = 0.0;
      for (std::size_t c = 0; c < n; ++c) w[row] += matrix[row * n + c] * v[c];
      length = std::hypot(length, w[row]);
    }
    if (length == 0.0) return 0.0;
    for (std::size_t k = 0; k < n; ++k) v[k] = w[k] / length;
    if (product >= products - counted) grown += std::log(length);
  }
  return std::exp(grown / counted);
}

}  // namespace takt::fmu::join
