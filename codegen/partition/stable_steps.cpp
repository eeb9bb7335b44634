#include "codegen/partition/stable_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "codegen/partition/source_steps.hpp"
#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr int usual_stages = 10;

/// A proposal holds nothing.
LinearShape shape_for_proposal(const StepQuestion& question) {
  return linear_shape(question.network, question.surrogate, [](SymbolId) { return false; });
}

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

/// Fewest stages that carry the step; nullopt: too many.
std::optional<int> stages_for(const Method* method, const Spectrum& spectrum, double step_s) {
  const double size = spectrum.values.empty() ? 0.0 : step_s * std::abs(spectrum.values.front());
  int stages = std::max(2, static_cast<int>(std::sqrt(1.0 + std::min(size, 1e6) / 0.7)));
  for (; stages <= most_stages; ++stages)
    if (is_stable(method, stages, spectrum, step_s)) return stages;
  return std::nullopt;
}

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

/// At the limit itself a mode that should die out stands.
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

std::string choice_text(const Method* method, int stages) {
  return std::string(method->name) +
         (method->chooses_stages ? " (" + std::to_string(stages) + " stages)" : "");
}

std::string step_text(const Candidate& choice) {
  return choice_text(choice.method, choice.stages) + " with " + duration_text(choice.step_ns);
}

/// Method exact is not where others cut their steps.
bool is_proposed(const Method* method, const LinearShape& shape) {
  return method->proposed && !(method->needs_linear && shape.turns_in_time);
}

/// Cheapest first; where `exact`, those that can take `most_ns` only.
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

std::string leading_state(const StepQuestion& question) {
  const std::string& path = question.network.graph()
                                .symbol(question.surrogate.states[question.spectrum.leading].symbol)
                                .path;
  if (!question.spectrum.time_s) return path;
  return path + " at " + rounded_text(*question.spectrum.time_s, "s") +
         (question.spectrum.foreseen ? "" : " of the operating range");
}

PlanStability described(const PlanSubsystem& subsystem, const StepQuestion& question) {
  const Spectrum& spectrum = question.spectrum;
  PlanStability stability;
  stability.problem = spectrum.problem;
  if (spectrum.values.empty()) return stability;
  stability.known = true;
  stability.complete = spectrum.complete;
  stability.eigenvalue = spectrum.values.front();
  stability.state = leading_state(question);
  for (const Method* method : methods::all()) {
    if (!method->reported) continue;
    const int stages = !method->chooses_stages      ? 0
                       : subsystem.method == method ? subsystem.stages
                                                    : usual_stages;
    stability.limits.push_back({method, stages, largest_stable_step(method, stages, spectrum)});
  }
  return stability;
}

/// The mode that the method amplifies most.
std::complex<double> worst_mode(const Method* method, int stages, const Spectrum& spectrum,
                                double h) {
  const auto growth = [&](std::complex<double> value) {
    return std::abs(amplification(method, stages, h * value)) /
           std::exp(std::max(0.0, h * value.real()));
  };
  return *std::max_element(spectrum.values.begin(), spectrum.values.end(),
                           [&](auto a, auto b) { return growth(a) < growth(b); });
}

void refuse(const PlanSubsystem& subsystem, const StepQuestion& question,
            Diagnostics& diagnostics) {
  const double h = seconds(subsystem.step_ns);
  const std::complex<double> worst =
      worst_mode(subsystem.method, subsystem.stages, question.spectrum, h);
  const double growth = std::abs(amplification(subsystem.method, subsystem.stages, h * worst));
  const std::string whose =
      worst == question.spectrum.values.front() ? ", mostly " + leading_state(question) : "";
  std::string cure;
  if (loses_slow_modes(subsystem.method, question.spectrum, h)) {
    diagnostics.error("S040", question.setting.where,
                      "no step of " + subsystem.name + " is possible with " +
                          choice_text(subsystem.method, subsystem.stages) + ": beside the mode " +
                          eigenvalue_text(question.spectrum.values.front()) + ", mostly " +
                          leading_state(question) + ", a step of " +
                          duration_text(subsystem.step_ns) +
                          " leaves nothing of slow ones: h*|lambda| = " +
                          three_digits(h * std::abs(question.spectrum.values.front())) +
                          ", and a number has 16 digits",
                      "join what this mode keeps together: a resistance so small, or a storage so "
                      "small, is none");
    return;
  }
  if (const auto step =
          largest_stable_divisor(subsystem.method, subsystem.stages, question.spectrum,
                                 {subsystem.period_ns, subsystem.step_ns}))
    cure = "the largest stable step that divides " + duration_text(subsystem.period_ns) + " is " +
           duration_text(*step);
  for (const Candidate& choice :
       sorted_candidates(question, subsystem.period_ns, subsystem.step_ns, true))
    if (choice.method != subsystem.method)
      cure += (cure.empty() ? "" : "; ") + step_text(choice) + " is stable, too";
  diagnostics.error("S040", question.setting.where,
                    "the step " + duration_text(subsystem.step_ns) + " of " + subsystem.name +
                        " is unstable with " + choice_text(subsystem.method, subsystem.stages) +
                        ": it multiplies the mode " + eigenvalue_text(worst) + whose + ", by " +
                        three_digits(growth) + " in every step",
                    !cure.empty() ? cure
                    : loses_slow_modes(&methods::ros2, question.spectrum, h)
                        ? "no other method helps: beside h*|lambda| = " +
                              three_digits(h * std::abs(question.spectrum.values.front())) +
                              " a number of 16 digits keeps nothing of what is slow; join what "
                              "this mode holds together"
                        : "no step of at least 1 ns is stable: another method, or a model without "
                          "such a fast mode");
}

void take(PlanSubsystem& subsystem, const Candidate& choice) {
  subsystem.method = choice.method;
  subsystem.stages = choice.stages;
  subsystem.step_ns = choice.step_ns;
}

/// What is recorded may follow states so steeply that no step tried makes it accurate; states come
/// first.
bool is_accurate(const StepError& error, double tolerated_seen) {
  return error.nrms <= tolerated_error && error.energy <= tolerated_energy_error &&
         error.seen <= tolerated_seen;
}

/// Methods and steps tried out until they are accurate.
class Refinement {
 public:
  /// @param given  what the given plan has
  Refinement(const PlanSubsystem& subsystem, const StepQuestion& question, const StepError& given)
      : subsystem_(subsystem),
        question_(question),
        given_(given),
        shape_(shape_for_proposal(question)) {}

  /// The cheapest that is accurate.
  std::optional<Candidate> run(bool free_method, double tolerated_seen) {
    tolerated_seen_ = tolerated_seen;
    if (!free_method)
      try_method(subsystem_.method);
    else
      for (const Method* method : methods::all())
        if (is_proposed(method, shape_)) try_method(method);
    return best_;
  }

 private:
  /// Until it is accurate, or too dear; or until it is clear that the error is not that of the
  /// step.
  void try_method(const Method* method) {
    constexpr int most_halvings = 16;
    constexpr double hardly_less = 0.7;
    std::int64_t most_ns = question_.most_ns;
    double last = HUGE_VAL;
    int in_vain = 0;
    for (int halving = 0; halving < most_halvings && most_ns > 0 && in_vain < 2; ++halving) {
      const auto found = candidate(method, question_, shape_, {subsystem_.period_ns, most_ns});
      if (!found || (best_ && found->cost >= best_->cost)) return;
      if (method->needs_linear) {  // has no error of its own
        best_ = found;
        return;
      }
      PlanSubsystem tried = subsystem_;
      take(tried, *found);
      constexpr double steps_before = 10.0;
      const auto [known, is_new] = tried_.try_emplace({method, found->step_ns});
      if (is_new)
        known->second = question_.trial->error(
            tried, given_.worst_s - steps_before * seconds(subsystem_.step_ns));
      const StepError& error = known->second;
      if (error.until_s < given_.worst_s || error.until_s == 0.0) return;  // nothing is known
      if (is_accurate(error, tolerated_seen_)) {
        best_ = found;
        return;
      }
      const double now =
          std::max({error.nrms / tolerated_error, error.energy / tolerated_energy_error,
                    error.seen / tolerated_seen_});
      in_vain = now > hardly_less * last ? in_vain + 1 : 0;
      last = now;
      most_ns = found->step_ns / 2;
    }
  }

  const PlanSubsystem& subsystem_;
  const StepQuestion& question_;
  StepError given_;
  LinearShape shape_;
  std::optional<Candidate> best_;
  double tolerated_seen_ = 0.0;
  std::map<std::pair<const Method*, std::int64_t>, StepError> tried_;
};

std::string percent(double part) {
  return std::isfinite(part) ? three_digits(100.0 * part) + " % of its range" : "all bounds";
}

/// What was proposed becomes more accurate where it has to; what was given is told.
void check_accuracy(PlanSubsystem& subsystem, const StepQuestion& question,
                    Diagnostics& diagnostics) {
  constexpr double told = 5e-2;
  const bool by_hand = question.setting.step_ns.has_value();
  if (question.trial == nullptr || subsystem.method->needs_linear) return;
  const StepError error = question.trial->error(subsystem);
  if (error.until_s == 0.0 || is_accurate(error, tolerated_seen_errors.front())) return;
  const SolveSetting& setting = question.setting;
  const bool free_method = setting.method == "auto" || !setting.method;
  const bool any_method = free_method || setting.step_ns;
  std::optional<Candidate> better;
  Refinement refinement(subsystem, question, error);
  if (!by_hand)
    for (const double tolerated : tolerated_seen_errors)
      if (!better && !is_accurate(error, tolerated)) better = refinement.run(any_method, tolerated);
  if (!better && !is_accurate(error, HUGE_VAL)) better = refinement.run(any_method, HUGE_VAL);
  if (!better && is_accurate(error, HUGE_VAL)) return;
  if (better && !by_hand) {
    take(subsystem, *better);
    subsystem.reason +=
        subsystem.reason.find(" for ") == std::string::npos ? " for accuracy" : ", for accuracy";
    return;
  }
  if ((error.nrms <= told && error.energy <= told) || (!better && std::isfinite(error.nrms)))
    return;  // not the step's, as far as is known
  const std::string what = error.nrms > told
                               ? question.network.graph().symbol(error.state).path + " is off by " +
                                     percent(error.nrms) + " (RMS)"
                               : three_digits(100.0 * error.energy) +
                                     " % of the energy that passes through does not add up";
  const std::string message = "the step " + duration_text(subsystem.step_ns) + " of " +
                              subsystem.name + " is too long for " +
                              choice_text(subsystem.method, subsystem.stages) + ": " + what +
                              " within " + rounded_text(error.until_s, "s");
  const std::string hint =
      better ? step_text(*better) + " would do"
             : "no step tried would do; the model may have several solutions, or none";
  constexpr double far_out = 10.0;
  if (diagnostics.has_errors()) return;
  if (!better || error.nrms < far_out || !by_hand || !question.network.inputs.empty())
    diagnostics.warning("S045", setting.where, message, hint);
  else
    diagnostics.error("S045", setting.where, message, hint);
}

/// Moves what was proposed.  @return false: nothing is stable
bool choose(PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics) {
  const Spectrum& spectrum = question.spectrum;
  const SolveSetting& setting = question.setting;
  const bool automatic = setting.method == "auto", free_method = automatic || !setting.method,
             free_step = !setting.step_ns;
  const bool whole_window =
      subsystem.method->needs_linear && free_step && shape_for_proposal(question).any_step;
  if (whole_window) subsystem.step_ns = subsystem.period_ns;
  std::optional<int> stages = 0;
  if (subsystem.method->chooses_stages)
    stages = setting.stages ? setting.stages
                            : stages_for(subsystem.method, spectrum, seconds(subsystem.step_ns));
  subsystem.stages = stages.value_or(most_stages);
  const bool stable = is_stable(subsystem.method, subsystem.stages, spectrum,
                                seconds(subsystem.step_ns)),
             long_step = free_step && !whole_window && subsystem.step_ns > question.most_ns;
  const bool at_limit =
      stable && free_step &&
      is_near_limit(subsystem.method, subsystem.stages, spectrum, subsystem.step_ns);
  if (stable && !at_limit && !long_step && !automatic) return true;
  std::vector<Candidate> choices;
  if (free_method) {
    choices = sorted_candidates(question, subsystem.period_ns,
                                free_step ? question.most_ns : subsystem.step_ns, !free_step);
  } else if (free_step) {
    if (const auto found = candidate(subsystem.method, question, shape_for_proposal(question),
                                     {subsystem.period_ns, question.most_ns}))
      choices.push_back(*found);
  }
  if (choices.empty()) {
    refuse(subsystem, question, diagnostics);
    return false;
  }
  take(subsystem, choices.front());
  if (!stable || at_limit) subsystem.reason += " for stability";
  if (long_step) subsystem.reason += stable ? " for its sources" : ", for its sources";
  return true;
}

}  // namespace

LinearShape shape_for_exact(const Network& network, const DaeResult& dae,
                            const Surrogate& surrogate) {
  return linear_shape(network, surrogate, [&](SymbolId symbol) {
    return std::none_of(dae.fluxes.begin(), dae.fluxes.end(),
                        [&](const Flux& flux) { return flux.received == symbol; });
  });
}

double cost_of_step(const Method* method, int stages, const StepQuestion& question) {
  return cost_by_shape(method, stages, question,
                       method->needs_linear ? shape_for_proposal(question) : LinearShape{});
}

std::vector<Candidate> candidates(const StepQuestion& question, std::int64_t period_ns) {
  return sorted_candidates(question, period_ns, question.most_ns, false);
}

void settle_step(PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics) {
  if (!question.spectrum.problem.empty())
    diagnostics.note(
        "S041", question.setting.where,
        "stability of " + subsystem.name + " is not known: " + question.spectrum.problem);
  const StepQuestion narrower = following_sources(question);
  if (choose(subsystem, narrower, diagnostics)) {
    check_sources(subsystem, narrower, diagnostics);
    check_accuracy(subsystem, narrower, diagnostics);
  }
  if (question.spectrum.operations > 0)
    subsystem.step_evaluations = cost_of_step(subsystem.method, subsystem.stages, question) /
                                 static_cast<double>(question.spectrum.operations);
  subsystem.stability = described(subsystem, question);
}

}  // namespace takt::codegen
