#include "codegen/partition/equation_models.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/partition/symbol_origins.hpp"
#include "codegen/stability/linearise.hpp"
#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/rkc.hpp"

namespace takt::codegen {
namespace {

/// What all kinds have in common.
class EquationModel : public WindowModel {
 public:
  EquationModel(const PlanSubsystem& plan, const Network& network, const Surrogate& surrogate, SymbolValues& values, const Watches& watches)
      : plan_(plan), time_(network.time), begin_s_(values[static_cast<std::size_t>(network.time)]), values_(values), program_(network.graph) {
    for (const SurrogateState& state : surrogate.states) {
      states_.push_back(state.symbol);
      z_.push_back(at(state.symbol));
    }
    inputs.resize(plan.inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k].c0 = at(plan.inputs[k]);
    for (const SymbolId output : plan.outputs) outputs.push_back(at(output));
    sent.resize(outputs.size());
    const std::vector<SymbolId> owned = symbols_owned(surrogate);
    for (const auto& watch : watches)
      if (std::find(owned.begin(), owned.end(), watch.first) != owned.end()) watches_.push_back(watch);
  }

 protected:
  double& at(SymbolId symbol) { return values_[static_cast<std::size_t>(symbol)]; }

  /// All equations at these states, `s` seconds into the window.
  const std::vector<double>& evaluate(double start_s, double s, const std::vector<double>& z) {
    at(time_) = begin_s_ + (start_s + s);
    for (std::size_t k = 0; k < z.size(); ++k) at(states_[k]) = z[k];
    for (std::size_t k = 0; k < inputs.size(); ++k) at(plan_.inputs[k]) = inputs[k].at(s);
    program_.run(values_);
    return program_.results();
  }

  void finish(const double* y) {
    std::copy(y, y + outputs.size(), outputs.begin());
    for (const auto& [symbol, place] : watches_) *place = at(symbol);
  }

  const PlanSubsystem& plan_;
  SymbolId time_;
  double begin_s_;
  SymbolValues& values_;
  Program program_;
  std::vector<SymbolId> states_;
  std::vector<double> z_;
  Watches watches_;

 public:
  /// States and outputs as they are now; what others have put in their place was for their own stages.
  void leave(SymbolValues& values) const {
    for (std::size_t k = 0; k < states_.size(); ++k) values[static_cast<std::size_t>(states_[k])] = z_[k];
    for (std::size_t k = 0; k < outputs.size(); ++k) values[static_cast<std::size_t>(plan_.outputs[k])] = outputs[k];
  }
};

/// x' = f(x): results are the rates, then the outputs.
class ContinuousModel : public EquationModel {
 public:
  ContinuousModel(const PlanSubsystem& plan, const Network& network, const Surrogate& surrogate, SymbolValues& values, const Watches& watches, const std::vector<Expr>& integrands)
      : EquationModel(plan, network, surrogate, values, watches) {
    program_.add(surrogate);
    for (const SymbolId output : plan.outputs) program_.result(output);
    for (const Expr integrand : integrands) program_.result(integrand);
    sent.resize(outputs.size() + integrands.size());
    program_.run(values);  // iterated until nothing moves; then from there
    constexpr int newton_steps = 5;
    constexpr double settled = 1e-7;  // of the unknown: the next one is within its square
    program_.step_newton(newton_steps, settled);
  }

  void run(std::int64_t start_ns) override {
    const double start_s = static_cast<double>(start_ns) * 1e-9, h = static_cast<double>(plan_.step_ns) * 1e-9;
    const std::int64_t steps = plan_.period_ns / plan_.step_ns;
    std::fill(sent.begin(), sent.end(), 0.0);
    switch (plan_.method) {
      case Method::euler:
        advance<Euler>(start_s, h, steps);
        break;
      case Method::heun:
        advance<Heun>(start_s, h, steps);
        break;
      case Method::rk3:
        advance<Rk3>(start_s, h, steps);
        break;
      case Method::rk4:
        advance<Rk4>(start_s, h, steps);
        break;
      case Method::ros1:
      case Method::ros2:
        advance_implicit(method_order(plan_.method), start_s, h, steps);
        break;
      case Method::rkc:
        advance_chebyshev(start_s, h, steps);
        break;
      default: {
        const std::int64_t finer = finer_steps(h);
        advance<Rk4>(start_s, h / static_cast<double>(finer), steps * finer);
      }
    }
    finish(evaluate(start_s, h * static_cast<double>(steps), z_).data() + z_.size());
  }

 private:
  /// So that order 4 is stable, and accurate.
  [[nodiscard]] std::int64_t finer_steps(double h) const {
    constexpr double share = 0.5;
    constexpr std::int64_t fewest = 4, most = 1000;
    for (const PlanStability::Limit& limit : plan_.stability.limits)
      if (limit.method == Method::rk4 && limit.step_s && *limit.step_s > 0.0) return std::clamp(static_cast<std::int64_t>(std::ceil(h / (share * *limit.step_s))), fewest, most);
    return fewest;
  }

  template <class Tableau>
  void advance(double start_s, double h, std::int64_t steps) {
    const std::size_t n = z_.size();
    k_.resize(static_cast<std::size_t>(Tableau::stages) * n);
    for (std::int64_t step = 0; step < steps; ++step) {
      const double offset = static_cast<double>(step) * h;
      for (int stage = 0; stage < Tableau::stages; ++stage) {
        x_ = z_;
        for (int before = 0; before < stage; ++before)
          for (std::size_t row = 0; row < n; ++row) x_[row] += h * Tableau::a[stage][before] * k_[static_cast<std::size_t>(before) * n + row];
        const std::vector<double>& results = evaluate(start_s, offset + Tableau::c[stage] * h, x_);
        std::copy(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(n), k_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(stage) * n));
        const double weight = h * Tableau::weight[stage] / Tableau::divisor;
        for (std::size_t row = 0; row < sent.size(); ++row) sent[row] += weight * results[n + row];
      }
      for (int stage = 0; stage < Tableau::stages; ++stage)
        for (std::size_t row = 0; row < n; ++row) z_[row] += h * Tableau::weight[stage] / Tableau::divisor * k_[static_cast<std::size_t>(stage) * n + row];
    }
  }

  /// runtime/solver/rkc.hpp
  void advance_chebyshev(double start_s, double h, std::int64_t steps) {
    const int stages = std::clamp(plan_.stages, 2, most_stages);
    const RkcCoefficients<most_stages> method(stages);
    const std::size_t n = z_.size();
    std::vector<double> first(n), y(n), before(n);
    for (std::int64_t step = 0; step < steps; ++step) {
      const double offset = static_cast<double>(step) * h;
      const std::vector<double>& begin = evaluate(start_s, offset, z_);
      std::copy(begin.begin(), begin.begin() + static_cast<std::ptrdiff_t>(n), first.begin());
      for (std::size_t row = 0; row < sent.size(); ++row) sent[row] += h * method.weight[0] * begin[n + row];
      before = z_;
      for (std::size_t row = 0; row < n; ++row) y[row] = z_[row] + method.mu_tilde[1] * h * first[row];
      for (int j = 2; j <= stages; ++j) {
        const std::vector<double>& results = evaluate(start_s, offset + method.c[j - 1] * h, y);
        for (std::size_t row = 0; row < sent.size(); ++row) sent[row] += h * method.weight[j - 1] * results[n + row];
        for (std::size_t row = 0; row < n; ++row) {
          const double next = (1.0 - method.mu[j] - method.nu[j]) * z_[row] + method.mu[j] * y[row] + method.nu[j] * before[row] +
                              method.mu_tilde[j] * h * results[row] + method.gamma_tilde[j] * h * first[row];
          before[row] = y[row];
          y[row] = next;
        }
      }
      z_ = y;
    }
  }

  /// runtime/solver/rosenbrock.hpp, outputs as its quadratures.
  void advance_implicit(int order, double start_s, double h, std::int64_t steps) {
    const double gamma = order == 1 ? 1.0 : 0.29289321881345254;
    const std::size_t n = z_.size(), m = sent.size();
    std::vector<double> k1(n), k2(n), y1(m), y2(m);
    for (std::int64_t step = 0; step < steps; ++step) {
      const double offset = static_cast<double>(step) * h;
      const std::vector<double>& first = evaluate(start_s, offset + gamma * h, z_);
      for (std::size_t row = 0; row < n; ++row) k1[row] = first[row];
      for (std::size_t row = 0; row < m; ++row) y1[row] = first[n + row];
      factor(gamma * h, n, m);
      solve(k1);
      add_slopes(k1, gamma * h, y1);
      if (order == 1) {
        for (std::size_t row = 0; row < n; ++row) z_[row] += h * k1[row];
        for (std::size_t row = 0; row < m; ++row) sent[row] += h * y1[row];
        continue;
      }
      x_ = z_;
      for (std::size_t row = 0; row < n; ++row) x_[row] += h * k1[row];
      const std::vector<double>& second = evaluate(start_s, offset + (1.0 - gamma) * h, x_);
      for (std::size_t row = 0; row < n; ++row) k2[row] = second[row] - 2.0 * k1[row];
      for (std::size_t row = 0; row < m; ++row) y2[row] = second[n + row] - 2.0 * y1[row];
      solve(k2);
      add_slopes(k2, gamma * h, y2);
      for (std::size_t row = 0; row < n; ++row) z_[row] += h * (1.5 * k1[row] + 0.5 * k2[row]);
      for (std::size_t row = 0; row < m; ++row) sent[row] += h * (1.5 * y1[row] + 0.5 * y2[row]);
    }
  }

  /// LU of I - gh*J where the program has been evaluated last, and the derivatives of the outputs.
  void factor(double gh, std::size_t n, std::size_t m) {
    lu_.assign(n * n, 0.0), output_slopes_.assign(m * n, 0.0);
    Slopes slopes = program_.slopes(states_);
    each_derivative(slopes, n, n + m, [&](std::size_t row, std::size_t column, double value) {
      if (row < n) lu_[row * n + column] = (row == column ? 1.0 : 0.0) - gh * value;
      else output_slopes_[(row - n) * n + column] = value;
    });
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t row = k + 1; row < n; ++row) {
        const double factor = lu_[row * n + k] /= lu_[k * n + k];
        for (std::size_t column = k + 1; column < n && factor != 0.0; ++column) lu_[row * n + column] -= factor * lu_[k * n + column];
      }
  }

  void solve(std::vector<double>& b) const {
    const std::size_t n = b.size();
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < row; ++column) b[row] -= lu_[row * n + column] * b[column];
    for (std::size_t row = n; row-- > 0;) {
      for (std::size_t column = row + 1; column < n; ++column) b[row] -= lu_[row * n + column] * b[column];
      b[row] /= lu_[row * n + row];
    }
  }

  void add_slopes(const std::vector<double>& k, double gh, std::vector<double>& y) const {
    for (std::size_t row = 0; row < y.size(); ++row)
      for (std::size_t column = 0; column < k.size(); ++column) y[row] += gh * output_slopes_[row * k.size() + column] * k[column];
  }

  std::vector<double> k_, x_, lu_, output_slopes_;
};

/// Sampled control: results are the next states, then the outputs.
class SampledModel : public EquationModel {
 public:
  SampledModel(const PlanSubsystem& plan, const Network& network, const Surrogate& surrogate, SymbolValues& values, const Watches& watches)
      : EquationModel(plan, network, surrogate, values, watches) {
    for (const AlgebraicStep& step : surrogate.algebra) {
      if (step.kind == AlgebraicStep::Kind::assignment) program_.assign(step.assignment.symbol, step.assignment.value);
      else program_.solve(step.newton);
    }
    for (const Assignment& update : surrogate.updates) {
      updated_.push_back(static_cast<std::size_t>(std::find(states_.begin(), states_.end(), update.symbol) - states_.begin()));
      program_.result(update.value);
    }
    for (const SymbolId output : plan.outputs) program_.result(output);
  }

  void run(std::int64_t start_ns) override {
    for (std::int64_t passed = 0; passed < plan_.period_ns; passed += plan_.step_ns) {
      if (plan_.every_ns > plan_.step_ns && (start_ns + passed) % plan_.every_ns != 0) continue;
      const std::vector<double>& results = evaluate(static_cast<double>(start_ns) * 1e-9, static_cast<double>(passed) * 1e-9, z_);
      for (std::size_t k = 0; k < updated_.size(); ++k) z_[updated_[k]] = results[k];
      finish(results.data() + updated_.size());
    }
  }

 private:
  std::vector<std::size_t> updated_;  // places of states
};

class HeldModel : public EquationModel {
 public:
  using EquationModel::EquationModel;
  void run(std::int64_t) override {
    for (std::size_t k = 0; k < sent.size(); ++k) sent[k] = outputs[k] * static_cast<double>(plan_.period_ns) * 1e-9;
  }
};

}  // namespace

std::unique_ptr<WindowModel> equation_model(const PlanSubsystem& plan, const Network& network, const Surrogate& surrogate, SymbolValues& values, const Watches& watches,
                                            const std::vector<Expr>& integrands) {
  return std::make_unique<ContinuousModel>(plan, network, surrogate, values, watches, integrands);
}

std::vector<std::unique_ptr<WindowModel>> equation_models(const Plan& plan, const Network& network, const DaeResult& dae, SymbolValues& values, const Watches& watches) {
  std::vector<std::unique_ptr<WindowModel>> models;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    const Surrogate& surrogate = dae.subsystems[index];
    const PlanSubsystem& subsystem = plan.subsystems[index];
    if (surrogate.switched) models.push_back(std::make_unique<HeldModel>(subsystem, network, surrogate, values, watches));
    else if (surrogate.discrete) models.push_back(std::make_unique<SampledModel>(subsystem, network, surrogate, values, watches));
    else models.push_back(equation_model(subsystem, network, surrogate, values, watches));
  }
  return models;
}

SymbolValues after_some_time(const Plan& plan, const Network& network, const DaeResult& dae, SymbolValues begin, std::int64_t duration_ns) {
  SymbolValues values = begin;
  PlanRun run(plan, equation_models(plan, network, dae, values, {}), false);
  while (run.now_ns() < duration_ns) run.macro_step();
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) static_cast<const EquationModel&>(run.model(index)).leave(values);
  values[static_cast<std::size_t>(network.time)] = begin[static_cast<std::size_t>(network.time)] + static_cast<double>(run.now_ns()) * 1e-9;
  return values;
}

}  // namespace takt::codegen
