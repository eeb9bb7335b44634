#include "codegen/partition/source_steps.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/partition/step_pieces.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// Steps of a source's period that are proposed; fewer are warned of, and with less than two the
/// source is another one.
constexpr double proposed_of_period = 20.0, fewest_of_period = 10.0, aliased_of_period = 2.0;
/// Of what is narrow: then the finest plans of trials, of a tenth of the step, take too few, too,
/// and show no error.
constexpr double unseen_of_period = 1.0;

}  // namespace

StepQuestion following_sources(const StepQuestion& question) {
  StepQuestion narrower = question;
  narrower.most_ns =
      StepPieces(question.network, question.surrogate).longest_that_fits(question.most_ns);
  if (question.trial == nullptr) return narrower;
  const TimeFunctions& functions = question.trial->functions();
  double period_s = functions.fastest ? functions.fastest->period_s : HUGE_VAL;
  if (functions.narrowest) period_s = std::min(period_s, functions.narrowest->period_s);
  const double longest_ns = period_s / proposed_of_period * 1e9;
  narrower.most_ns = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::min(longest_ns, static_cast<double>(narrower.most_ns))));
  return narrower;
}

void check_narrow(const PlanSubsystem& subsystem, const TimeFunctions& functions,
                  const Location& where, Diagnostics& diagnostics) {
  const std::int64_t step_ns =
      subsystem.method->is_offline() ? subsystem.largest_step_ns : subsystem.step_ns;
  const double step_s = 1e-9 * static_cast<double>(step_ns);
  const std::optional<TimeFunctions::Narrow>& narrow = functions.narrowest;
  if (!narrow || narrow->period_s >= unseen_of_period * step_s) return;
  diagnostics.warning(
      "S057", where,
      "at " + rounded_text(narrow->at_s, "s") + ", " + narrow->function +
          " moves like a sine with a period of " + rounded_text(narrow->period_s, "s") +
          ", of which the step " + duration_text(step_ns) + " of " + subsystem.name + " takes " +
          three_digits(narrow->period_s / step_s) +
          " points: it may be missed, and an estimate of the error does not show it",
      "take a step of " + rounded_text(narrow->period_s / proposed_of_period, "s") +
          " or less, or write it as what jumps or bends at known instants");
}

void check_sources(const PlanSubsystem& subsystem, const StepQuestion& question,
                   Diagnostics& diagnostics) {
  if (question.trial == nullptr) return;
  const TimeFunctions& functions = question.trial->functions();
  check_narrow(subsystem, functions, question.setting.where, diagnostics);
  const bool cuts = !subsystem.method->needs_linear;  // method exact has maps of whole steps
  const std::optional<TimeFunctions::Turning>& fastest =
      cuts ? functions.fastest_uncut : functions.fastest;
  if (!fastest) return;
  const double period = fastest->period_s,
               points = period / (1e-9 * static_cast<double>(subsystem.step_ns));
  constexpr double rounding = 1e-9;
  if (points >= (1.0 - rounding) * fewest_of_period) return;
  const std::string message = "the step " + duration_text(subsystem.step_ns) + " of " +
                              subsystem.name + " takes " + three_digits(points) +
                              " points of each period of " + fastest->function + ", which is " +
                              rounded_text(period, "s");
  const std::string hint =
      "take a step of " + rounded_text(period / proposed_of_period, "s") + " or less";
  if (points < aliased_of_period)
    diagnostics.error("S044", question.setting.where, message, hint);
  else
    diagnostics.warning("S044", question.setting.where, message, hint);
}

}  // namespace takt::codegen
