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
constexpr double jacobian_error = 1e-6;   // by differences, of the largest eigenvalue

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

/// Of an explicit method.
std::optional<std::string> why_unstable(fmu::ModelExchange& model, fmu::Instance& instance, double step_s) {
  const std::size_t n = instance.table().states;
  if (n == 0 || n > most_states) return std::nullopt;
  if (const fmu::Result found = model.linearise(); !found.done())
    throw std::runtime_error("its Jacobian: " + describe(found, instance));
  const std::span<const double> entries = model.jacobian();
  if (!std::all_of(entries.begin(), entries.end(), [](double entry) { return std::isfinite(entry); }))
    return std::nullopt;  // what comes of that is judged by itself
  const start::Eigenpairs modes = start::eigenvalues(matrix_of(entries, n));
  const start::StepMethod method{model.method().stability, model.method().stages};
  if (!modes.converged || start::is_stable(method, modes.values, step_s, jacobian_error)) return std::nullopt;
  const auto first = std::find_if(modes.values.begin(), modes.values.end(), [&](std::complex<double> mode) {
    return !start::is_stable(method, std::span(&mode, 1), step_s, jacobian_error);
  });
  std::string text = unstable_text(model, step_s) + "a mode of the FMU " +
                     mode_text(first == modes.values.end() ? modes.values.front() : *first);
  const double most = start::largest_stable_step(method, modes.values, jacobian_error).value_or(step_s);
  text += most > 0.0 ? "; up to " + number(most) + " s it is" : "; with none it is";
  return text + ", ros2 with any";
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
