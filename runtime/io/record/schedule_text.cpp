// The schedule sheet in words: what was foretold and, after the run, what was seen.

#include <cmath>

#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

std::string duration(double us) { return std::isfinite(us) ? short_duration(us * 1e-6) : "without end"; }

}  // namespace

const RateResult* seen_of(const ForetoldRate& rate, std::span<const RateResult> seen) {
  for (const RateResult& result : seen)
    if (result.worker == rate.rehearsed.worker && result.period_s == rate.rehearsed.period_s) return &result;
  return nullptr;
}

std::string schedule_text(const ScheduleSheet& sheet, std::span<const RateResult> seen) {
  if (sheet.rates.empty()) return {};
  std::string out = "schedule: by a rehearsal of " + short_duration(sheet.rehearsed_s) + ", start of work up to " +
                    duration(sheet.late_us) + " late; nothing comes from buses, nothing goes to the disk\n";
  for (const ForetoldRate& rate : sheet.rates) {
    const Percentiles& c = rate.rehearsed.compute_us;
    out += "  worker " + std::to_string(rate.rehearsed.worker) +
           (rate.cpu >= 0 ? ", CPU " + std::to_string(rate.cpu) : "") + (rate.below > 0 ? ", below" : "") + ", every " +
           short_duration(rate.rehearsed.period_s) + ": computes " + duration(c.p50) + " (p50), " + duration(c.p999) +
           " (p99.9), " + duration(c.max) + " (max of " + std::to_string(rate.rehearsed.releases) +
           "), responds within " + duration(rate.response_us) + " of " + duration(rate.deadline_us) + ": " +
           rate.verdict();
    if (rate.cuts > 0)
      out += ", with the window at " + short_duration(rate.cuts_at_s) + ", which functions of the time cut " +
             std::to_string(rate.cuts) + " times: " + duration(rate.cuts_us) + " more than rehearsed";
    if (const RateResult* result = seen_of(rate, seen))
      out +=
          "; seen " + duration(result->response_us.p999) + " (p99.9), " + duration(result->response_us.max) + " (max)";
    out += "\n";
  }
  if (sheet.scope.window_us > 0.0 && seen.empty())
    out += "  not in it: a scope (takt tap) would add up to " + duration(sheet.scope.window_us) + " to a window and " +
           duration(sheet.scope.macro_step_us) + " to a macro-step\n";
  return out;
}

}  // namespace takt
