#include "runtime/io/record/run_outcome.hpp"

#include <algorithm>

#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

/// Nothing was wrong but that it ended too early.
bool only_cut(const ScenarioResult& scenario) {
  return scenario.cut &&
         std::none_of(scenario.expectations.begin(), scenario.expectations.end(),
                      [](const ExpectationResult& e) { return e.verdict == ExpectationResult::Verdict::failed; });
}

}  // namespace

Outcome outcome_of(const RunResults& results) {
  if (results.failed) return Outcome::failed;
  if (results.scenario.failed() && !(results.interrupted && only_cut(results.scenario))) return Outcome::failed;
  for (const Verdict& verdict : results.verdicts)
    if (!verdict.tolerated) return verdict.weight == Verdict::Weight::late ? Outcome::late : Outcome::failed;
  return results.interrupted ? Outcome::interrupted : Outcome::passed;
}

const char* outcome_word(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::usage:
      return "not run";
    case Outcome::late:
      return "late";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "failed";
}

std::string too_late_text(const RunResults& results, const LateTolerance& tolerance) {
  if (!results.paced) return {};
  // A release within a macro-step is a deadline, too: an exchange or a message of that instant came late.
  const OverrunLog& log = results.overruns;
  std::uint64_t misses = log.overruns;
  double worst_s = std::max(log.worst_miss, log.worst_inner).seconds();
  for (std::size_t i = 1; i < results.hosts.size(); ++i) {
    misses += results.hosts[i].overruns;
    worst_s = std::max(worst_s, results.hosts[i].worst_miss_ms * 1e-3);
  }
  // Periods that were dropped had no deadline of their own; in the grace period nothing is counted.
  if (misses == 0 || tolerance.allows(misses, results.macro_steps)) return {};
  std::string text = "missed " + counted(misses, "deadline") + " in " + std::to_string(results.macro_steps) +
                     " macro-steps" +
                     (log.inner_late > 0 ? ", " + std::to_string(log.inner_late) + " of them within" : "") +
                     ", the worst by " + short_duration(worst_s);
  if (results.rtf.p50 > 1.0) text += formatted(": %.2g times too slow for real time", results.rtf.p50);
  const std::string allowed = late_tolerance_text(tolerance);
  return text + (allowed == "none" ? "" : " (tolerated: " + allowed + ")");
}

}  // namespace takt
