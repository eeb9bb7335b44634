#include "codegen/partition/stable_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::array reported{Method::euler, Method::heun, Method::rk3, Method::rk4};
constexpr std::array proposed{Method::heun, Method::rk3, Method::rk4};  // of order 2 at least

struct Candidate {
  Method method{};
  int stages = 0;
  std::int64_t step_ns = 0;
  double cost = 0.0;  ///< evaluations of the rates per simulated second
};

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

std::optional<Candidate> candidate(Method method, const StepQuestion& question, std::int64_t period_ns, std::int64_t most_ns) {
  const auto step = largest_stable_divisor(method, 0, question.spectrum, period_ns, most_ns);
  if (!step) return std::nullopt;
  return Candidate{method, 0, *step, method_order(method) / seconds(*step)};
}

std::string step_text(const Candidate& choice) { return std::string(method_name(choice.method)) + " with " + duration_text(choice.step_ns); }

/// By cost; those that need a smaller step than `most_ns` last where `exact`.
std::vector<Candidate> candidates(const StepQuestion& question, std::int64_t period_ns, std::int64_t most_ns, bool exact) {
  std::vector<Candidate> all;
  for (const Method method : proposed) {
    const auto found = candidate(method, question, period_ns, most_ns);
    if (found && (!exact || found->step_ns == most_ns)) all.push_back(*found);
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return all;
}

PlanStability described(const StepQuestion& question) {
  const Spectrum& spectrum = question.spectrum;
  PlanStability stability;
  stability.problem = spectrum.problem;
  if (spectrum.values.empty()) return stability;
  stability.known = true;
  stability.complete = spectrum.complete;
  stability.eigenvalue = spectrum.values.front();
  stability.state = question.network.graph.symbol(question.surrogate.states[spectrum.leading].symbol).path;
  for (const Method method : reported) stability.limits.push_back({method, 0, largest_stable_step(method, 0, spectrum)});
  return stability;
}

/// The mode that the method amplifies most.
std::complex<double> worst_mode(Method method, int stages, const Spectrum& spectrum, double h) {
  const auto growth = [&](std::complex<double> value) {
    return std::abs(amplification(method, stages, h * value)) / std::exp(std::max(0.0, h * value.real()));
  };
  return *std::max_element(spectrum.values.begin(), spectrum.values.end(), [&](auto a, auto b) { return growth(a) < growth(b); });
}

void refuse(const PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics) {
  const double h = seconds(subsystem.step_ns);
  const std::complex<double> worst = worst_mode(subsystem.method, subsystem.stages, question.spectrum, h);
  const double growth = std::abs(amplification(subsystem.method, subsystem.stages, h * worst));
  const std::string whose = worst == question.spectrum.values.front() ? ", mostly " + subsystem.stability.state : "";
  std::string cure;
  if (const auto step = largest_stable_divisor(subsystem.method, subsystem.stages, question.spectrum, subsystem.period_ns, subsystem.step_ns))
    cure = "the largest stable step that divides " + duration_text(subsystem.period_ns) + " is " + duration_text(*step);
  for (const Candidate& choice : candidates(question, subsystem.period_ns, subsystem.step_ns, true))
    if (choice.method != subsystem.method) cure += (cure.empty() ? "" : "; ") + step_text(choice) + " is stable, too";
  diagnostics.error("S040", question.setting.where,
                    "the step " + duration_text(subsystem.step_ns) + " of " + subsystem.name + " is unstable with " +
                        std::string(method_name(subsystem.method)) + ": it multiplies the mode " + eigenvalue_text(worst) + whose +
                        ", by " + three_digits(growth) + " in every step",
                    cure.empty() ? "no step of at least 1 ns is stable: another method, or a model without such a fast mode" : cure);
}

void take(PlanSubsystem& subsystem, const Candidate& choice) {
  subsystem.method = choice.method;
  subsystem.stages = choice.stages;
  subsystem.step_ns = choice.step_ns;
}

}  // namespace

void settle_step(PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics) {
  const Spectrum& spectrum = question.spectrum;
  subsystem.stability = described(question);
  if (!spectrum.problem.empty()) diagnostics.note("S041", question.setting.where, "stability of " + subsystem.name + " is not known: " + spectrum.problem);
  if (is_stable(subsystem.method, subsystem.stages, spectrum, seconds(subsystem.step_ns))) return;
  const bool free_method = !question.setting.method, free_step = !question.setting.step_ns;
  std::vector<Candidate> choices;
  if (free_method) {
    choices = candidates(question, subsystem.period_ns, free_step ? question.most_ns : subsystem.step_ns, !free_step);
  } else if (free_step) {
    if (const auto found = candidate(subsystem.method, question, subsystem.period_ns, question.most_ns)) choices.push_back(*found);
  }
  if (choices.empty()) return refuse(subsystem, question, diagnostics);
  take(subsystem, choices.front());
  subsystem.reason += " for stability";
}

}  // namespace takt::codegen
