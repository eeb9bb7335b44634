#include "tools/fmu_host/step_judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "runtime/start/eigenvalues.hpp"
#include "runtime/start/mode_stability.hpp"

namespace takt::fmu_host {
namespace {

constexpr std::size_t most_states = 300;  // whose eigenvalues take a second
constexpr std::size_t products = 60;      // of the Jacobian of more: then the fastest modes alone are known

start::Matrix matrix_of(std::span<const double> entries, std::size_t n) {
  start::Matrix matrix(n);
  for (std::size_t row = 0; row < n; ++row) std::copy_n(entries.begin() + row * n, n, matrix[row]);
  return matrix;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// "decays at 2e+06 1/s", "oscillates at 3e+04 rad/s, damped at 5 1/s"
std::string mode_text(std::complex<double> mode) {
  if (std::fabs(mode.imag()) < 1e-3 * std::fabs(mode.real())) return "decays at " + number(-mode.real()) + " 1/s";
  return "oscillates at " + number(std::fabs(mode.imag())) + " rad/s, damped at " + number(-mode.real()) + " 1/s";
}

std::string unstable_text(const fmu::ModelExchange& model, double step_s) {
  return std::string(model.method().name) + " is not stable with a step of " + number(step_s) + " s: ";
}

void check(const fmu::Result& found, fmu::Instance& instance) {
  if (!found.done()) throw std::runtime_error("its Jacobian: " + describe(found, instance));
}

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

struct Modes {
  start::Eigenpairs found;
  double error = 0.0;  ///< of the largest eigenvalue, part of it
};

/// No values where the Jacobian is not finite: what comes of that is judged by itself.
Modes all_modes(fmu::ModelExchange& model, fmu::Instance& instance) {
  constexpr double differences = 1e-6;
  check(model.linearise(), instance);
  if (!are_finite(model.jacobian())) return {};
  return {start::eigenvalues(matrix_of(model.jacobian(), instance.table().states)), differences};
}

/// In units of the nominal values, which states have in common.
Modes fastest_modes(fmu::ModelExchange& model, fmu::Instance& instance) {
  constexpr double krylov = 1e-2;
  bool is_finite = true;
  std::vector<double> direction(instance.table().states);
  const auto times = [&](const std::vector<double>& vector) {
    std::vector<double> product(vector.size());
    for (std::size_t k = 0; k < vector.size(); ++k) direction[k] = model.nominals()[k] * vector[k];
    check(model.times_jacobian(direction, product), instance);
    for (std::size_t k = 0; k < vector.size(); ++k) product[k] /= model.nominals()[k];
    if (are_finite(product)) return product;
    is_finite = false;
    return std::vector<double>(vector.size());
  };
  Modes modes{start::largest_eigenvalues(instance.table().states, times, products), krylov};
  modes.found.converged = modes.found.converged && is_finite;
  return modes;
}

/// Of an explicit method.
std::optional<std::string> why_unstable(fmu::ModelExchange& model, fmu::Instance& instance, double step_s) {
  const std::size_t n = instance.table().states;
  if (n == 0) return std::nullopt;
  const auto [found, error] = n > most_states ? fastest_modes(model, instance) : all_modes(model, instance);
  const std::vector<std::complex<double>>& modes = found.values;
  const start::StepMethod method{model.method().stability, model.method().stages};
  if (!found.converged || modes.empty() || start::is_stable(method, modes, step_s, error)) return std::nullopt;
  const auto is_unstable = [&, slack = error](std::complex<double> mode) {
    return !start::is_stable(method, std::span(&mode, 1), step_s, slack);
  };
  const auto first = std::find_if(modes.begin(), modes.end(), is_unstable);
  std::string text =
      unstable_text(model, step_s) + "a mode of the FMU " + mode_text(first == modes.end() ? modes.front() : *first);
  const double most = start::largest_stable_step(method, modes, error).value_or(step_s);
  text += most > 0.0 ? "; up to " + number(most) + " s it is" : "; with none it is";
  return n > fmu::Jacobian::most_states ? text : text + ", ros2 with any";
}

}  // namespace

std::string text_of_refused_step(const fmu::ModelExchange& model, double step_s) {
  if (!(model.unstable_rate() > 0.0)) return {};
  constexpr double reach = 2.78;  // of rk4: the only one that sees it by itself
  return unstable_text(model, step_s) + "the FMU moves at " + number(model.unstable_rate()) + " 1/s; up to " +
         number(reach / model.unstable_rate()) + " s it is, ros2 with any";
}

Judged judge_step(fmu::ModelExchange& model, fmu::Instance& instance, double step_s, bool chooses) {
  if (model.method().is_implicit()) return {};
  const std::optional<std::string> why = why_unstable(model, instance, step_s);
  if (!why) return {};
  if (chooses) model.set_method(*fmu::stiff_method);
  return {!chooses, *why};
}

}  // namespace takt::fmu_host
