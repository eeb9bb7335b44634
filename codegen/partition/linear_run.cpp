#include "codegen/partition/linear_run.hpp"

#include <algorithm>
#include <array>

#include "runtime/solver/explicit_rk.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t fine_steps = 8;  // of Runge-Kutta's method for a micro-step of a method that is none

/// One window by a tableau of runtime/solver/explicit_rk.hpp.
template <class Tableau>
void advance_explicit(LinearRun& s, double h, std::int64_t steps) {
  const LinearBlock& block = *s.block;
  const std::size_t n = block.states, m = block.outputs;
  std::vector<double> work(static_cast<std::size_t>(Tableau::stages) * n + n + m);
  double* k = work.data();
  double* at = k + static_cast<std::size_t>(Tableau::stages) * n;
  double* y = at + n;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (int stage = 0; stage < Tableau::stages; ++stage) {
      const double offset = (static_cast<double>(step) + Tableau::c[stage]) * h;
      for (std::size_t input = 0; input < s.u.size(); ++input) s.u[input] = s.inputs[input].at(offset);
      std::copy(s.z.begin(), s.z.end(), at);
      for (int before = 0; before < stage; ++before)
        for (std::size_t row = 0; row < n; ++row) at[row] += h * Tableau::a[stage][before] * k[static_cast<std::size_t>(before) * n + row];
      block.apply(0, at, s.u.data(), k + static_cast<std::size_t>(stage) * n, n);
      block.apply(n, at, s.u.data(), y, m);
      for (std::size_t row = 0; row < m; ++row) s.sent[row] += h * Tableau::weight[stage] / Tableau::divisor * y[row];
    }
    for (int stage = 0; stage < Tableau::stages; ++stage)
      for (std::size_t row = 0; row < n; ++row) s.z[row] += h * Tableau::weight[stage] / Tableau::divisor * k[static_cast<std::size_t>(stage) * n + row];
  }
}

/// A, row-major.
std::vector<double> matrix(const LinearBlock& block) {
  const std::size_t n = block.states;
  std::vector<double> a(n * n), unit(n, 0.0), column(n);
  const std::vector<double> still(block.inputs, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    unit[k] = 1.0;
    block.apply(0, unit.data(), still.data(), column.data(), n);
    unit[k] = 0.0;
    for (std::size_t row = 0; row < n; ++row) a[row * n + k] = column[row];
  }
  return a;
}

/// LU of I - gh*A in place, without exchanges as in the emitted code.
std::vector<double> factors(const LinearBlock& block, double gh) {
  const std::size_t n = block.states;
  std::vector<double> lu = matrix(block);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k) lu[row * n + k] = (row == k ? 1.0 : 0.0) - gh * lu[row * n + k];
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = lu[row * n + k] /= lu[k * n + k];
      if (factor == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) lu[row * n + j] -= factor * lu[k * n + j];
    }
  }
  return lu;
}

void solve(const std::vector<double>& lu, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t j = 0; j < row; ++j) b[row] -= lu[row * n + j] * b[j];
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t j = row + 1; j < n; ++j) b[row] -= lu[row * n + j] * b[j];
    b[row] /= lu[row * n + row];
  }
}

class Stages {
 public:
  Stages(LinearRun& run, double gh) : run_(run), gh_(gh), still_(run.block->inputs, 0.0), slope_(run.block->outputs) {}

  /// k = (I - gh A)^-1 (f - 2 before), its quadratures in y
  void stage(double offset, const std::vector<double>& at, const std::vector<double>& before, const std::vector<double>& y_before,
             std::vector<double>& k, std::vector<double>& y) {
    const LinearBlock& block = *run_.block;
    for (std::size_t input = 0; input < run_.u.size(); ++input) run_.u[input] = run_.inputs[input].at(offset);
    block.apply(0, at.data(), run_.u.data(), k.data(), k.size());
    block.apply(block.states, at.data(), run_.u.data(), y.data(), y.size());
    for (std::size_t row = 0; row < before.size(); ++row) k[row] -= 2.0 * before[row];
    for (std::size_t row = 0; row < y_before.size(); ++row) y[row] -= 2.0 * y_before[row];
    solve(run_.lu, k);
    block.apply(block.states, k.data(), still_.data(), slope_.data(), slope_.size());
    for (std::size_t row = 0; row < y.size(); ++row) y[row] += gh_ * slope_[row];
  }

 private:
  LinearRun& run_;
  double gh_;
  std::vector<double> still_, slope_;
};

/// One window by ros1 or ros2 (runtime/solver/rosenbrock.hpp).
void advance_implicit(LinearRun& run, int order, double h, std::int64_t steps) {
  const double gamma = order == 1 ? 1.0 : 0.29289321881345254;
  if (run.lu.empty()) run.lu = factors(*run.block, gamma * h);
  const std::size_t n = run.block->states, m = run.block->outputs;
  std::vector<double> k1(n), k2(n), at(n), y1(m), y2(m);
  Stages stages(run, gamma * h);
  for (std::int64_t step = 0; step < steps; ++step) {
    const double offset = static_cast<double>(step) * h;
    stages.stage(offset + gamma * h, run.z, {}, {}, k1, y1);
    if (order == 1) {
      for (std::size_t row = 0; row < n; ++row) run.z[row] += h * k1[row];
      for (std::size_t row = 0; row < m; ++row) run.sent[row] += h * y1[row];
      continue;
    }
    for (std::size_t row = 0; row < n; ++row) at[row] = run.z[row] + h * k1[row];
    stages.stage(offset + (1.0 - gamma) * h, at, k1, y1, k2, y2);
    for (std::size_t row = 0; row < n; ++row) run.z[row] += h * (1.5 * k1[row] + 0.5 * k2[row]);
    for (std::size_t row = 0; row < m; ++row) run.sent[row] += h * (1.5 * y1[row] + 0.5 * y2[row]);
  }
}

/// One window by method exact (runtime/solver/exact.hpp), all outputs linear.
void advance_exact(LinearRun& run, double h, std::int64_t steps) {
  const LinearBlock& block = *run.block;
  const std::size_t n = block.states, m = block.outputs;
  if (!run.phi) {
    run.phi_work = matrix(block);
    for (double& entry : run.phi_work) entry *= h;
    run.phi_work.resize(math::PhiFunctions::work_size(n));
    run.phi.emplace(n, run.phi_work);
  }
  std::array<std::vector<double>, 3> b;  // rates of inputs alone at the start, in the middle, at the end; then those of phi_1, phi_2, phi_3
  std::vector<double> mean(block.inputs), next(n), mean_z(n), y(m);
  const std::vector<double> zero(n, 0.0);
  for (std::size_t row = 0; row < 3; ++row) b[row].resize(n);
  for (std::int64_t step = 0; step < steps; ++step) {
    std::fill(mean.begin(), mean.end(), 0.0);
    for (std::size_t point = 0; point < 3; ++point) {
      for (std::size_t input = 0; input < run.u.size(); ++input) {
        run.u[input] = run.inputs[input].at((static_cast<double>(step) + 0.5 * static_cast<double>(point)) * h);
        mean[input] += (point == 1 ? 4.0 : 1.0) / 6.0 * run.u[input];
      }
      block.apply(0, point == 0 ? run.z.data() : zero.data(), run.u.data(), b[point].data(), n);
      if (point == 0) block.apply(0, zero.data(), run.u.data(), next.data(), n);
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double curve = 4.0 * (next[row] - 2.0 * b[1][row] + b[2][row]);
      b[1][row] = b[2][row] - next[row] - 0.5 * curve;
      b[2][row] = curve;
    }
    for (std::size_t row = 0; row < n; ++row) {
      next[row] = mean_z[row] = run.z[row];
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t column = 0; column < n; ++column) {
          next[row] += h * run.phi->entry(static_cast<int>(k) + 1, row, column) * b[k][column];
          mean_z[row] += h * run.phi->entry(static_cast<int>(k) + 2, row, column) * b[k][column];
        }
      }
    }
    block.apply(n, mean_z.data(), mean.data(), y.data(), m);
    for (std::size_t row = 0; row < m; ++row) run.sent[row] += h * y[row];
    run.z = next;
  }
}

}  // namespace

void advance(LinearRun& run, Method method, double h, std::int64_t steps) {
  switch (method) {
    case Method::euler:
      return advance_explicit<Euler>(run, h, steps);
    case Method::heun:
      return advance_explicit<Heun>(run, h, steps);
    case Method::rk3:
      return advance_explicit<Rk3>(run, h, steps);
    case Method::rk4:
      return advance_explicit<Rk4>(run, h, steps);
    case Method::ros1:
      return advance_implicit(run, 1, h, steps);
    case Method::ros2:
    case Method::rkc:  // alike where rkc is stable
      return advance_implicit(run, 2, h, steps);
    case Method::exact:
      return advance_exact(run, h, steps);
    default:
      return advance_explicit<Rk4>(run, h / static_cast<double>(fine_steps), steps * fine_steps);
  }
}

}  // namespace takt::codegen
