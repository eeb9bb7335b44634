#include "runtime/start/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace takt::start {
namespace {

using Complex = std::complex<double>;
constexpr double close_enough = 0.01;  // residual of a Ritz pair, of its modulus
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// D^-1 A D with rows and columns of like size: units of the states do not matter.
void balance(DenseMatrix& a) {
  const std::size_t n = a.size;
  constexpr double enough = 0.01;
  for (int sweep = 0; sweep < 1000; ++sweep) {
    bool done = true;
    for (std::size_t k = 0; k < n; ++k) {
      double row = 0.0, column = 0.0;
      for (std::size_t other = 0; other < n; ++other) {
        if (other == k) continue;
        row += std::fabs(a.at(k, other));
        column += std::fabs(a.at(other, k));
      }
      if (row == 0.0 || column == 0.0) continue;
      const double factor = std::sqrt(row / column);
      if (std::fabs(factor - 1.0) < enough) continue;
      done = false;
      for (std::size_t other = 0; other < n; ++other) {
        a.at(k, other) /= factor;
        a.at(other, k) *= factor;
      }
    }
    if (done) break;
  }
}

/// Upper Hessenberg form by Gaussian similarity with pivoting.
void reduce(DenseMatrix& a) {
  const std::size_t n = a.size;
  for (std::size_t k = 1; k + 1 < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::fabs(a.at(row, k - 1)) > std::fabs(a.at(pivot, k - 1))) pivot = row;
    if (a.at(pivot, k - 1) == 0.0) continue;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(a.at(pivot, j), a.at(k, j));
      for (std::size_t j = 0; j < n; ++j) std::swap(a.at(j, pivot), a.at(j, k));
    }
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = a.at(row, k - 1) / a.at(k, k - 1);
      if (factor == 0.0) continue;
      a.at(row, k - 1) = 0.0;
      for (std::size_t j = k; j < n; ++j) a.at(row, j) -= factor * a.at(k, j);
      for (std::size_t j = 0; j < n; ++j) a.at(j, k) += factor * a.at(j, row);
    }
  }
}

class HessenbergQr {
 public:
  explicit HessenbergQr(const DenseMatrix& a) : n_(a.size), h_(n_ * n_) {
    for (std::size_t k = 0; k < h_.size(); ++k) h_[k] = a.entries[k], norm_ += std::fabs(a.entries[k]);
  }

  /// @return false where it did not settle
  bool run(std::vector<Complex>& values) {
    values.resize(n_);
    std::size_t end = n_;  // rows below have been split off
    for (int iteration = 0; end > 0; ++iteration) {
      std::size_t begin = end - 1;
      while (begin > 0 && !negligible(begin)) --begin;
      if (begin + 1 == end) {
        --end;
        values[end] = h(end, end);
        iteration = -1;
        continue;
      }
      if (iteration > 100) return false;
      sweep(begin, end,
            iteration % 11 == 10 ? Complex(h(end - 1, end - 1)) + std::abs(h(end - 1, end - 2)) : shift(end));
    }
    return true;
  }

 private:
  Complex& h(std::size_t row, std::size_t column) { return h_[row * n_ + column]; }

  bool negligible(std::size_t k) {
    const double size = std::abs(h(k, k)) + std::abs(h(k - 1, k - 1));
    if (std::abs(h(k, k - 1)) > epsilon * (size > 0.0 ? size : norm_ / static_cast<double>(n_))) return false;
    h(k, k - 1) = 0.0;
    return true;
  }

  /// Eigenvalue of the last two rows nearest to the last.
  Complex shift(std::size_t end) {
    const Complex a = h(end - 2, end - 2), d = h(end - 1, end - 1), bc = h(end - 2, end - 1) * h(end - 1, end - 2);
    const Complex half = 0.5 * (a - d), root = std::sqrt(half * half + bc);
    const Complex sum = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
    return sum == 0.0 ? d : d - bc / sum;
  }

  /// One QR step of rows [begin, end); eigenvalues alone are wanted, so nothing outside is touched.
  void sweep(std::size_t begin, std::size_t end, Complex mu) {
    for (std::size_t k = begin; k < end; ++k) h(k, k) -= mu;
    std::vector<double> c(end);
    std::vector<Complex> s(end);
    for (std::size_t k = begin; k + 1 < end; ++k) {
      const Complex x = h(k, k), y = h(k + 1, k);
      const double r = std::hypot(std::abs(x), std::abs(y));
      if (r == 0.0) {
        c[k] = 1.0, s[k] = 0.0;
        continue;
      }
      const Complex phase = x == 0.0 ? Complex(1.0) : x / std::abs(x);
      c[k] = std::abs(x) / r;
      s[k] = phase * std::conj(y) / r;
      for (std::size_t j = k; j < end; ++j) {
        const Complex upper = h(k, j), lower = h(k + 1, j);
        h(k, j) = c[k] * upper + s[k] * lower;
        h(k + 1, j) = c[k] * lower - std::conj(s[k]) * upper;
      }
    }
    for (std::size_t k = begin; k + 1 < end; ++k) {
      for (std::size_t row = begin; row <= k + 1; ++row) {
        const Complex left = h(row, k), right = h(row, k + 1);
        h(row, k) = c[k] * left + std::conj(s[k]) * right;
        h(row, k + 1) = c[k] * right - s[k] * left;
      }
    }
    for (std::size_t k = begin; k < end; ++k) h(k, k) += mu;
  }

  std::size_t n_;
  std::vector<Complex> h_;
  double norm_ = 0.0;
};

/// Eigenvector of a for about `value`, largest component 1; by two steps of inverse iteration.
std::vector<Complex> eigenvector(const DenseMatrix& a, Complex value, double size) {
  const std::size_t n = a.size;
  std::vector<Complex> lu(n * n);
  for (std::size_t k = 0; k < lu.size(); ++k) lu[k] = a.entries[k];
  for (std::size_t k = 0; k < n; ++k) lu[k * n + k] -= value;
  std::vector<std::size_t> pivots(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::abs(lu[row * n + k]) > std::abs(lu[pivot * n + k])) pivot = row;
    pivots[k] = pivot;
    if (pivot != k)
      for (std::size_t j = 0; j < n; ++j) std::swap(lu[pivot * n + j], lu[k * n + j]);
    if (std::abs(lu[k * n + k]) < epsilon * size) lu[k * n + k] = epsilon * size + std::numeric_limits<double>::min();
    for (std::size_t row = k + 1; row < n; ++row) {
      const Complex factor = lu[row * n + k] /= lu[k * n + k];
      if (factor == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) lu[row * n + j] -= factor * lu[k * n + j];
    }
  }
  std::vector<Complex> v(n);
  for (std::size_t k = 0; k < n; ++k) v[k] = Complex(1.0, 0.1 * static_cast<double>(k % 7));
  for (int step = 0; step < 2; ++step) {
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(v[k], v[pivots[k]]);
      for (std::size_t row = k + 1; row < n; ++row) v[row] -= lu[row * n + k] * v[k];
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) v[k] -= lu[k * n + j] * v[j];
      v[k] /= lu[k * n + k];
    }
    double largest = 0.0;
    for (const Complex x : v) largest = std::max(largest, std::abs(x));
    if (largest == 0.0) break;
    for (Complex& x : v) x /= largest;
  }
  return v;
}

void sort_by_modulus(std::vector<Complex>& values) {
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
    if (std::abs(a) != std::abs(b)) return std::abs(a) > std::abs(b);
    return a.real() != b.real() ? a.real() < b.real() : a.imag() > b.imag();
  });
}

std::size_t largest_component(const std::vector<Complex>& v) {
  std::size_t leading = 0;
  for (std::size_t k = 1; k < v.size(); ++k)
    if (std::abs(v[k]) > std::abs(v[leading]) * (1.0 + 1e-9)) leading = k;
  return leading;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

Eigenpairs eigenvalues(DenseMatrix a) {
  Eigenpairs result;
  if (a.size == 0) return result;
  balance(a);
  const DenseMatrix balanced = a;
  reduce(a);
  result.converged = HessenbergQr(a).run(result.values);
  sort_by_modulus(result.values);
  if (result.converged)
    result.leading = largest_component(eigenvector(balanced, result.values.front(), std::abs(result.values.front())));
  return result;
}

Eigenpairs largest_eigenvalues(std::size_t size,
                               const std::function<std::vector<double>(const std::vector<double>&)>& times,
                               std::size_t steps) {
  std::vector<std::vector<double>> basis(1, std::vector<double>(size));
  std::uint32_t seed = 12345;
  for (double& x : basis[0]) x = static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.5;
  const double first = std::sqrt(dot(basis[0], basis[0]));
  for (double& x : basis[0]) x /= first;
  DenseMatrix h{steps, std::vector<double>(steps * steps, 0.0)};
  std::size_t m = 0;
  double next = 0.0;
  while (m < steps) {
    std::vector<double> w = times(basis[m]);
    for (int again = 0; again < 2; ++again) {  // twice is enough for orthogonality
      for (std::size_t k = 0; k <= m; ++k) {
        const double part = dot(basis[k], w);
        h.at(k, m) += part;
        for (std::size_t row = 0; row < size; ++row) w[row] -= part * basis[k][row];
      }
    }
    next = std::sqrt(dot(w, w));
    ++m;
    if (m == steps || !(next > 0.0)) break;
    h.at(m, m - 1) = next;
    for (double& x : w) x /= next;
    basis.push_back(std::move(w));
  }
  DenseMatrix small{m, {}};
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < m; ++column) small.entries.push_back(h.at(row, column));
  Eigenpairs all, result;
  all.converged = HessenbergQr(small).run(all.values);
  sort_by_modulus(all.values);
  result.converged = all.converged;
  for (const Complex value : all.values) {
    if (!all.converged) break;
    const double modulus = std::abs(value);
    const std::vector<Complex> v = eigenvector(small, value, modulus);
    double norm = 0.0;
    for (const Complex x : v) norm += std::norm(x);
    if (next * std::abs(v.back()) > close_enough * modulus * std::sqrt(norm)) continue;
    if (result.values.empty()) {
      std::vector<Complex> whole(size);
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t row = 0; row < size; ++row) whole[row] += v[k] * basis[k][row];
      result.leading = largest_component(whole);
    }
    result.values.push_back(value);
  }
  return result;
}

}  // namespace takt::start
