#include "codegen/partition/step_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/stability/divisors.hpp"

namespace takt::codegen {
namespace {

double cost_by_shape(const Method* method, int stages, const StepQuestion& question,
                     const LinearShape& shape) {
  if (method->cost == nullptr) return 0.0;
  const Spectrum& spectrum = question.spectrum;
  return method->cost({.evaluation = static_cast<double>(spectrum.operations),
                       .states = static_cast<double>(question.surrogate.states.size()),
                       .solution = static_cast<double>(spectrum.implicit_operations),
                       .entries = static_cast<double>(shape.entries),
                       .linear_powers = shape.linear_powers},
                      stages);
}

bool fits_exact(const LinearShape& shape) {
  return !shape.problem && shape.largest_block <= largest_exact_block;
}

}  // namespace

LinearShape shape_for_proposal(const StepQuestion& question) {
  return linear_shape(question.network, question.surrogate, [](SymbolId) { return false; });
}

std::optional<int> stages_for(const Method* method, const Spectrum& spectrum, double step_s) {
  const double size = spectrum.values.empty() ? 0.0 : step_s * std::abs(spectrum.values.front());
  int stages = std::max(2, static_cast<int>(std::sqrt(1.0 + std::min(size, 1e6) / 0.7)));
  for (; stages <= most_stages; ++stages)
    if (is_stable(method, stages, spectrum, step_s)) return stages;
  return std::nullopt;
}

bool is_near_limit(const Method* method, int stages, const Spectrum& spectrum,
                   std::int64_t step_ns) {
  constexpr double most_of_limit = 0.9;
  const std::optional<double> limit = largest_stable_step(method, stages, spectrum);
  return limit && seconds(step_ns) > most_of_limit * *limit;
}

std::optional<Candidate> candidate(const Method* method, const StepQuestion& question,
                                   const LinearShape& shape, const StepDivisors& steps) {
  if (method->needs_linear && !fits_exact(shape)) return std::nullopt;
  if (method->solves && has_tables(question.surrogate)) return std::nullopt;
  const Spectrum& spectrum = question.spectrum;
  const std::optional<std::int64_t> most_stable =
      largest_stable_divisor(method, most_stages, spectrum, steps);
  if (!most_stable) return std::nullopt;
  std::int64_t step_ns = *most_stable;
  while (!method->chooses_stages && step_ns > 1 && is_near_limit(method, 0, spectrum, step_ns))
    step_ns = nearest_divisors(steps.period_ns, step_ns - 1).below;
  std::optional<int> stages = 0;
  if (method->chooses_stages) {
    while (!(stages = stages_for(method, spectrum, seconds(step_ns))) && step_ns > 1)
      step_ns = nearest_divisors(steps.period_ns, step_ns - 1).below;
    if (!stages) return std::nullopt;
  }
  if (method->solves && spectrum.implicit_operations == 0 && !spectrum.values.empty())
    return std::nullopt;  // not counted: too large
  return Candidate{method, *stages, step_ns,
                   cost_by_shape(method, *stages, question, shape) / seconds(step_ns)};
}

bool is_proposed(const Method* method, const LinearShape& shape) {
  return method->proposed && !(method->needs_linear && shape.turns_in_time);
}

std::vector<Candidate> sorted_candidates(const StepQuestion& question, std::int64_t period_ns,
                                         std::int64_t most_ns, bool exact) {
  std::vector<Candidate> all;
  const LinearShape shape = shape_for_proposal(question);
  for (const Method* method : methods::all()) {
    if (!is_proposed(method, shape)) continue;
    const bool whole_window = method->needs_linear && shape.any_step && !exact;
    const auto found =
        candidate(method, question, shape, {period_ns, whole_window ? period_ns : most_ns});
    if (found && (!exact || found->step_ns == most_ns)) all.push_back(*found);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return all;
}

double cost_of_step(const Method* method, int stages, const StepQuestion& question) {
  return cost_by_shape(method, stages, question,
                       method->needs_linear ? shape_for_proposal(question) : LinearShape{});
}

std::vector<Candidate> candidates(const StepQuestion& question, std::int64_t period_ns) {
  return sorted_candidates(question, period_ns, question.most_ns, false);
}

}  // namespace takt::codegen
