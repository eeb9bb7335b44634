#include "tests/codegen/dae/interpreter.hpp"

#include <cmath>
#include <stdexcept>

#include "runtime/solver/newton.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen::testing {

Interpreter::Interpreter(const Network& network, const Surrogate& surrogate, Values constants)
    : network_(network), surrogate_(surrogate), constants_(std::move(constants)) {
  for (const Parameter& parameter : network.parameters) constants_.try_emplace(parameter.symbol, parameter.value);
}

double Interpreter::value(Expr expression, const Values& values) const {
  return network_.graph().evaluate(expression, [&](SymbolId symbol) {
    if (const auto known = values.find(symbol); known != values.end()) return known->second;
    if (const auto known = constants_.find(symbol); known != constants_.end()) return known->second;
    throw std::logic_error("no value for " + network_.graph().symbol(symbol).path);
  });
}

std::vector<double> Interpreter::start() {
  std::vector<double> states;
  for (const SurrogateState& state : surrogate_.states) states.push_back(value(state.start, {{network_.time, 0.0}}));
  return states;
}

void Interpreter::lower_arguments(const NewtonBlock& block, const Values& values, NewtonDamping& damping,
                                  std::vector<NewtonUnknown>& tried) const {
  damping.begin_lower();
  for (const NewtonBlock::Exponential& exponential : block.exponentials) {
    std::vector<double> slopes;
    double squares = 0.0;
    for (const Expr slope : exponential.slopes) {
      slopes.push_back(value(slope, values));
      squares += slopes.back() * slopes.back();
    }
    if (!damping.is_highest(value(exponential.argument, values), squares)) continue;
    for (std::size_t k = 0; k < tried.size(); ++k) tried[k].slope = slopes[k];
  }
}

/// As the emitted code does it.
void Interpreter::iterate(const NewtonBlock& block, Values& values) const {
  NewtonDamping damping{block.iterations, !block.exponentials.empty()};
  std::vector<NewtonUnknown> tried;
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
    const SymbolId unknown = block.unknowns[k];
    tried.push_back({values[unknown], first_nudge(network_.graph().symbol(unknown).unit, k)});
  }
  for (int iteration = 0; iteration <= damping.plain + newton_limited + newton_damped + newton_from_low; ++iteration) {
    double left = 0.0;
    for (const Expr residual : block.residuals) left += std::abs(value(residual, values));
    const NewtonMove move = damping.judge(iteration, left);
    if (damping.looks(iteration)) {
      for (std::size_t row = 0; row < block.residuals.size(); ++row)
        damping.look(value(block.residuals[row], values), value(block.magnitudes[row], values));
      if (damping.holds(left)) break;
    }
    std::vector<double> steps;
    for (const Expr step : block.steps) steps.push_back(value(step, values));
    if (move == NewtonMove::limited) {
      damping.begin_limit();
      for (const NewtonBlock::Exponential& exponential : block.exponentials) {
        double change = 0.0;
        for (std::size_t k = 0; k < steps.size(); ++k) change -= value(exponential.slopes[k], values) * steps[k];
        damping.limit(value(exponential.argument, values), change);
      }
    }
    if (move == NewtonMove::lower) lower_arguments(block, values, damping, tried);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      double& unknown = values[block.unknowns[k]];
      unknown = tried[k].next(move, damping.share, unknown, steps[k]);
    }
    if (move == NewtonMove::undo) break;
  }
}

void Interpreter::solve(const NewtonBlock& block, Values& values) {
  for (std::size_t k = 0; k < block.unknowns.size(); ++k)
    values[block.unknowns[k]] =
        warm_.contains(block.unknowns[k]) ? warm_[block.unknowns[k]] : value(block.guesses[k], values);
  for (int again = 0; again < 20; ++again) iterate(block, values);
  for (const SymbolId unknown : block.unknowns) warm_[unknown] = values[unknown];
}

/// By elimination with row pivoting, whatever tables were chosen.
void Interpreter::solve_linear(const NewtonBlock& block, Values& values) const {
  const std::size_t n = block.unknowns.size();
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1, 0.0));
  for (const SparseEntry& entry : block.linear->matrix) rows[entry.row][entry.column] = value(entry.value, values);
  for (std::size_t row = 0; row < n; ++row) rows[row][n] = value(block.linear->right[row], values);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::abs(rows[row][k]) > std::abs(rows[k][k])) std::swap(rows[row], rows[k]);
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = rows[row][k] / rows[k][k];
      if (factor == 0.0) continue;
      for (std::size_t column = k; column <= n; ++column) rows[row][column] -= factor * rows[k][column];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = rows[k][n];
    for (std::size_t column = k + 1; column < n; ++column) sum -= rows[k][column] * values[block.unknowns[column]];
    values[block.unknowns[k]] = sum / rows[k][k];
  }
}

Interpreter::Values Interpreter::all(double time, const std::vector<double>& states) {
  Values values{{network_.time, time}};
  for (std::size_t k = 0; k < states.size(); ++k) values[surrogate_.states[k].symbol] = states[k];
  for (const AlgebraicStep& step : surrogate_.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      values[step.assignment.symbol] = value(step.assignment.value, values);
    else if (step.newton.linear)
      solve_linear(step.newton, values);
    else
      solve(step.newton, values);
  }
  return values;
}

std::vector<double> Interpreter::derivatives(double time, const std::vector<double>& states) {
  const Values values = all(time, states);
  std::vector<double> rates;
  for (const SurrogateState& state : surrogate_.states) rates.push_back(value(state.derivative, values));
  return rates;
}

void Interpreter::step_rk4(double& time, std::vector<double>& states, double step) {
  const auto moved = [&](const std::vector<double>& rates, double by) {
    std::vector<double> result = states;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += by * rates[k];
    return result;
  };
  const auto k1 = derivatives(time, states);
  const auto k2 = derivatives(time + step / 2, moved(k1, step / 2));
  const auto k3 = derivatives(time + step / 2, moved(k2, step / 2));
  const auto k4 = derivatives(time + step, moved(k3, step));
  for (std::size_t k = 0; k < states.size(); ++k) states[k] += step / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
  time += step;
}

}  // namespace takt::codegen::testing
