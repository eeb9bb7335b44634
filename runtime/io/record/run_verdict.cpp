#include "runtime/io/record/run_verdict.hpp"

#include <algorithm>

#include "runtime/io/record/bus_results.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

using Level = RunVerdict::Level;

/// Collects; the level only rises.
class Judge {
 public:
  explicit Judge(const RunResults& results) : r_(results) {}

  RunVerdict judge() {
    trust();
    if (r_.interrupted)
      headline(Level::warning, "Interrupted after " + short_duration(r_.simulated_s) +
                                   (r_.asked_s > 0.0 ? " of " + short_duration(r_.asked_s) : "") + ": " +
                                   r_.stopped_because);
    scenario();
    if (r_.paced) {
      other_hosts();
      real_time();
    }
    if (verdict_.headline.empty()) headline(Level::good, free_run());
    digest();
    outside();
    if (r_.trusted() && r_.ledger_closes) reason(Level::good, "Results can be trusted: " + checked_text(r_) + ".");
    return verdict_;
  }

 private:
  void raise(Level level) { verdict_.level = std::max(verdict_.level, level); }
  void headline(Level level, const std::string& text) {
    raise(level);
    if (verdict_.headline.empty())
      verdict_.headline = text;
    else
      verdict_.reasons.push_back(text + ".");
  }
  void reason(Level level, const std::string& text) {
    raise(level);
    verdict_.reasons.push_back(text);
  }

  void trust() {
    const bool refused = has(Verdict::Weight::results);
    if (r_.failed && !r_.stopped_because.empty() && !ended_by_scenario()) {
      headline(Level::bad, "The run failed: " + r_.stopped_because);
    } else if (refused || !r_.ledger_closes) {
      headline(Level::bad, "The results are not to be trusted");
    } else if (has(Verdict::Weight::incomplete)) {
      headline(Level::bad, "The results stand, but the run does not count");
    } else if (r_.failed) {
      headline(Level::bad, "The run failed");
    }
    for (const Verdict& v : r_.verdicts) reason(v.tolerated ? Level::warning : Level::bad, verdict_text(v));
    if (r_.verdicts.empty() && !r_.ledger_closes)
      reason(Level::bad, "What some subsystems have sent is not what the others have received: see the ledger.");
    if (!r_.failed && !r_.interrupted && !r_.stopped_because.empty() && !ended_by_scenario())
      reason(Level::warning, "It ended before its time: " + r_.stopped_because + ".");
    for (const std::string& warning : r_.warnings) reason(r_.failed ? Level::bad : Level::warning, warning);
  }

  /// As it was meant to, whatever its verdict.
  [[nodiscard]] bool ended_by_scenario() const {
    return r_.scenario.verdict != ScenarioResult::Verdict::none && r_.scenario.because.empty();
  }

  void scenario() {
    if (r_.scenario.verdict == ScenarioResult::Verdict::none) return;
    std::string text = scenario_headline(r_.scenario);
    text[0] = 'S';
    if (!r_.scenario.because.empty()) text += "; " + r_.scenario.because;
    const bool late_and_tolerated =
        r_.paced && !is_late() && (r_.overruns.deadline_misses() > 0 || r_.overruns.inner_late > 0);
    if (r_.scenario.failed())
      headline(Level::bad, text);
    else if (late_and_tolerated)
      headline(Level::good, text);  // it has passed: that comes first
    else
      reason(Level::good, text + ".");
  }

  /// Their deadlines are as good as the own ones. Own ones are in the log of overruns.
  void other_hosts() {
    for (const HostResult& host : r_.hosts) {
      if (!host.lost.empty()) reason(Level::bad, "Host " + host.name + " was lost: " + host.lost + ".");
      if (&host != &r_.hosts.front() && host.overruns > 0)
        headline(Level::bad, "Host " + host.name + " missed " + counted(host.overruns, "deadline") + ", the worst by " +
                                 short_duration(host.worst_miss_ms * 1e-3));
      if (host.late_windows > 0)
        reason(Level::warning, "Host " + host.name + " had to do without " +
                                   counted(host.late_windows, "version", "versions") + " of " +
                                   std::to_string(host.windows) +
                                   " that other hosts sent too late, and extrapolated (cause remote).");
    }
  }

  [[nodiscard]] bool has(Verdict::Weight weight) const {
    return std::any_of(r_.verdicts.begin(), r_.verdicts.end(),
                       [weight](const Verdict& v) { return !v.tolerated && v.weight == weight; });
  }
  [[nodiscard]] bool is_late() const { return has(Verdict::Weight::late); }

  void real_time() {
    const OverrunLog& log = r_.overruns;
    const std::string steps = std::to_string(r_.macro_steps);
    if (log.deadline_misses() > 0) {
      headline(is_late() ? Level::bad : Level::warning,
               "Missed " + std::to_string(log.deadline_misses()) + " of " + steps + " deadlines, the worst by " +
                   short_duration(log.worst_miss.seconds()) +
                   (r_.rtf.p50 > 1.0 ? formatted(": %.2g times too slow for real time", r_.rtf.p50) : ""));
    } else if (log.inner_late > 0) {
      headline(is_late() ? Level::bad : Level::warning,
               "Held all " + steps + " deadlines, but was late " + counted(log.inner_late, "time") +
                   " within macro-steps, at worst by " + short_duration(log.worst_inner.seconds()));
    } else if (log.dropped_periods > r_.jumped_periods) {
      headline(Level::bad, "Fell behind the wall clock, if only in the grace period at the start");
    } else if (log.overruns_in_grace > 0) {
      headline(Level::good, "Holds real time, but for the grace period at the start: late " +
                                counted(log.overruns_in_grace, "time") + " of " + steps);
    } else if (r_.macro_steps > 0) {
      headline(Level::good, "Holds real time: all " + steps + " deadlines were met");
    }
    if (log.deadline_misses() > 0 && log.inner_late > 0)
      reason(Level::bad, counted(log.inner_late, "time") + " late within macro-steps, at worst by " +
                             short_duration(log.worst_inner.seconds()) + ".");
    const auto groups = overrun_groups(r_);
    if (!groups.empty()) {
      const OverrunGroup& most = groups.front();
      const bool missed = most.misses > 0;
      reason(Level::warning, "Cause of " + std::to_string(missed ? most.misses : most.inner) + " of " +
                                 (missed ? counted(log.deadline_misses(), "miss", "misses")
                                         : counted(log.inner_late, "window") + " late within macro-steps") +
                                 " (" + std::to_string(most.incidents) + " of " +
                                 counted(log.incident_count, "incident") +
                                 "): " + overrun_cause_name[static_cast<std::size_t>(most.cause)] + ". " +
                                 meaning_of(most) + " " + remedy_of(r_, most));
    }
    if (r_.jumped_periods > 0)
      reason(Level::bad,
             "Simulated time has jumped ahead by " + periods(r_.jumped_periods) + " to regain the wall clock.");
    if (log.dropped_periods > r_.jumped_periods)
      reason(Level::bad, "Simulated time is behind the wall clock by " +
                             periods(log.dropped_periods - r_.jumped_periods) + ": that many releases were dropped.");
    if (log.overruns_in_grace > 0)
      reason(Level::good,
             counted(log.overruns_in_grace, "time") + " late in the grace period at the start, not counted.");
  }

  [[nodiscard]] std::string periods(std::uint64_t number) const {
    return short_duration(static_cast<double>(number) * r_.macro_step_s) + " (" + counted(number, "period") + ")";
  }

  [[nodiscard]] std::string free_run() const {
    if (r_.paced) return "Ended before its first deadline";
    const double faster = r_.wall_s > 0.0 ? r_.simulated_s / r_.wall_s : 0.0;
    return "Ran to its end as fast as possible (pace free): " + formatted(faster >= 10.0 ? "%.0f" : "%.2g", faster) +
           " times as fast as real time";
  }

  void digest() {
    if (r_.digest_void)
      reason(Level::warning,
             std::string("The digest does not stand: ") + r_.void_because() + ", so that results depended on timing.");
  }

  void outside() {
    for (const BusResult& bus : bus_results(r_.io_statistics_json)) {
      const auto of = [&](std::uint64_t BusMessage::*number, const char* what, const std::string& consequence,
                          bool sent = false) {
        std::uint64_t sum = 0;
        std::string names;
        for (const BusMessage& message : bus.messages) {
          if (message.*number == 0 || message.sent != sent) continue;
          sum += message.*number;
          names += (names.empty() ? "" : ", ") + message.name;
        }
        if (sum > 0)
          reason(Level::warning, counted(sum, what) + " on bus " + bus.name + " (" + names + "): " + consequence);
      };
      of(&BusMessage::timeouts, "time-out", "the inputs of these messages went to their safe values.");
      of(&BusMessage::too_short, "frame", "less data than the messages have by the database; they were not taken.");
      of(&BusMessage::too_long, "frame", "more data than the messages have by the database; it was not looked at.");
      of(&BusMessage::out_of_range, "value", "beyond the range that the database gives; they were taken all the same.");
      of(&BusMessage::did_not_fit, "value", "the signals do not hold them, and others were sent in their place.", true);
      of(&BusMessage::out_of_range, "value", "beyond the range that the database gives; they were sent all the same.",
         true);
      if (bus.bus_off > 0)
        reason(Level::warning, "Bus " + bus.name + " was off " + counted(bus.bus_off, "time") +
                                   ": its controller had seen too many errors; nothing left or arrived meanwhile.");
      if (bus.lost_by_controller > 0)
        reason(Level::warning, counted(bus.lost_by_controller, "frame") + " lost by the controller of bus " + bus.name +
                                   ": more came than its driver took.");
      if (!bus.rest_never.empty())
        reason(Level::warning, "The rest bus of " + bus.name + " never began: it waited for " + bus.rest_never + ".");
      if (bus.lost > 0) reason(Level::warning, counted(bus.lost, "frame") + " lost on bus " + bus.name + ".");
    }
    for (const GatewayResult& gateway : gateway_results(r_.io_statistics_json))
      for (const auto& [count, why] :
           {std::pair{gateway.dropped, "more came than could leave."}, {gateway.refused, "the bus carries no CAN FD."}})
        if (count > 0)
          reason(Level::warning, "Gateway " + gateway.name + " has not forwarded " + counted(count, "frame") +
                                     " from bus " + gateway.from + " to " + gateway.to + ": " + why);
    if (r_.rows_dropped > 0)
      reason(Level::warning, counted(r_.rows_dropped, "row") + " missing in the recording: the disk was too slow.");
  }

  const RunResults& r_;
  RunVerdict verdict_;
};

}  // namespace

RunVerdict run_verdict(const RunResults& results) { return Judge(results).judge(); }

}  // namespace takt
