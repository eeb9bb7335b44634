#include "runtime/start/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/graph/components.hpp"

// Sources of an exported FMU are compiled with the folders that the compiler knows by itself.
#if __has_include(<Eigen/Eigenvalues>)
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#elif __has_include(<eigen3/Eigen/Eigenvalues>)
#include <eigen3/Eigen/Eigenvalues>
#include <eigen3/Eigen/LU>
#else
#error "the headers of Eigen 3.4 are needed (Debian: apt install libeigen3-dev)"
#endif

namespace takt::start {
namespace {

using Complex = std::complex<double>;
constexpr double close_enough = 0.01;  // residual of a Ritz pair, of its modulus

/// D^-1 A D with rows and columns of like size: units of the states do not matter.
void balance(Matrix& a) {
  const std::size_t n = a.size();
  constexpr double enough = 0.01;
  for (int sweep = 0; sweep < 1000; ++sweep) {
    bool done = true;
    for (std::size_t k = 0; k < n; ++k) {
      double row = 0.0, column = 0.0;
      for (std::size_t other = 0; other < n; ++other) {
        if (other == k) continue;
        row += std::fabs(a[k][other]);
        column += std::fabs(a[other][k]);
      }
      if (row == 0.0 || column == 0.0) continue;
      const double factor = std::sqrt(row / column);
      if (std::fabs(factor - 1.0) < enough) continue;
      done = false;
      for (std::size_t other = 0; other < n; ++other) {
        a[k][other] /= factor;
        a[other][k] *= factor;
      }
    }
    if (done) break;
  }
}

void sort_by_modulus(std::vector<Complex>& values) {
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
    if (std::abs(a) != std::abs(b)) return std::abs(a) > std::abs(b);
    return a.real() != b.real() ? a.real() < b.real() : a.imag() > b.imag();
  });
}

/// Those of its blocks on the diagonal once states are sorted by who moves whom: what integrates what another state
/// does has zeros that no rounding disturbs.
Eigenpairs values_of(const Eigen::MatrixXd& a) {
  std::vector<graph::Nodes> moved_by(static_cast<std::size_t>(a.rows()));
  for (Eigen::Index row = 0; row < a.rows(); ++row)
    for (Eigen::Index column = 0; column < a.cols(); ++column)
      if (a(row, column) != 0.0) moved_by[static_cast<std::size_t>(row)].push_back(static_cast<std::size_t>(column));
  Eigenpairs result;
  for (const graph::Nodes& block : graph::strong_components(moved_by)) {
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(a(block, block), false);
    result.converged = result.converged && solver.info() == Eigen::Success;
    if (!result.converged) break;
    result.values.insert(result.values.end(), solver.eigenvalues().begin(), solver.eigenvalues().end());
  }
  sort_by_modulus(result.values);
  return result;
}

/// Eigenvector of a for about `value`, of length 1; by two steps of inverse iteration. It names a state and tells which
/// Ritz pairs have converged: its last bits, which may hang on the size of caches, decide nothing.
/// @param size  of the largest eigenvalue
Eigen::VectorXcd eigenvector(const Eigen::MatrixXd& a, Complex value, double size) {
  constexpr double tiny = 1e-150;  // of a matrix of zeros
  Eigen::MatrixXcd shifted = a.cast<Complex>();
  shifted.diagonal().array() -= value + std::max(tiny, std::numeric_limits<double>::epsilon() * size);
  const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(shifted);
  Eigen::VectorXcd v(a.rows());
  for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = Complex(1.0, 0.1 * static_cast<double>(k % 7));
  for (int step = 0; step < 2; ++step) v = factors.solve(v).stableNormalized();
  return v;
}

/// The first of those that are equal but for rounding.
std::size_t largest_component(const Eigen::VectorXcd& v) {
  Eigen::Index leading = 0;
  for (Eigen::Index k = 1; k < v.size(); ++k)
    if (std::abs(v[k]) > std::abs(v[leading]) * (1.0 + 1e-9)) leading = k;
  return static_cast<std::size_t>(leading);
}

}  // namespace

Eigenpairs eigenvalues(Matrix a) {
  if (a.size() == 0) return {};
  balance(a);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(a.size());
  const Eigen::MatrixXd balanced = Eigen::Map<const RowMajor>(a.entries().data(), n, n);
  Eigenpairs result = values_of(balanced);
  if (result.converged)
    result.leading = largest_component(eigenvector(balanced, result.values.front(), std::abs(result.values.front())));
  return result;
}

Eigenpairs largest_eigenvalues(std::size_t size,
                               const std::function<std::vector<double>(const std::vector<double>&)>& times,
                               std::size_t steps) {
  const auto n = static_cast<Eigen::Index>(size), most = static_cast<Eigen::Index>(steps);
  Eigen::MatrixXd basis(n, most), h = Eigen::MatrixXd::Zero(most, most);
  std::uint32_t seed = 12345;
  for (double& x : basis.col(0))
    x = static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.5;
  basis.col(0).normalize();
  Eigen::Index m = 0;
  double next = 0.0;
  while (m < most) {
    std::vector<double> product = times({basis.col(m).begin(), basis.col(m).end()});
    Eigen::Map<Eigen::VectorXd> w(product.data(), n);
    for (int again = 0; again < 2; ++again) {  // twice is enough for orthogonality
      for (Eigen::Index k = 0; k <= m; ++k) {
        const double part = basis.col(k).dot(w);
        h(k, m) += part;
        w -= part * basis.col(k);
      }
    }
    next = w.norm();
    ++m;
    if (m == most || !(next > 0.0)) break;
    h(m, m - 1) = next;
    basis.col(m) = w / next;
  }
  const Eigen::MatrixXd small = h.topLeftCorner(m, m);
  const Eigenpairs all = values_of(small);
  Eigenpairs result{.values = {}, .converged = all.converged};
  if (!all.converged) return result;
  for (const Complex value : all.values) {
    const double modulus = std::abs(value);
    const Eigen::VectorXcd v = eigenvector(small, value, modulus);
    if (next * std::abs(v[m - 1]) > close_enough * modulus) continue;
    if (result.values.empty()) result.leading = largest_component(basis.leftCols(m) * v);
    result.values.push_back(value);
  }
  return result;
}

}  // namespace takt::start
