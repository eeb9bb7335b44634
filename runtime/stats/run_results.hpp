#pragma once
// Everything a run leaves behind, as plain data: filled by the executive, written by runtime/io/record.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/late_tolerance.hpp"
#include "runtime/stats/decimated_series.hpp"
#include "runtime/stats/histogram.hpp"
#include "runtime/stats/overrun.hpp"
#include "runtime/stats/scenario_result.hpp"
#include "runtime/stats/schedule_sheet.hpp"

namespace takt {

/// One finding of the host audit.
struct HostFinding {
  std::string item;   ///< "PREEMPT_RT"
  std::string value;  ///< what was found
  bool good = true;
  bool required = false;  ///< --strict refuses to start without it
  std::string cost;       ///< what it costs where it is not good
  std::string remedy;
};

/// Joules since start, over one subsystem or the whole plant.
struct EnergyAccount {
  double supplied = 0.0, dissipated = 0.0, exchanged = 0.0, stored_start = 0.0, stored_end = 0.0;
  double throughput = 0.0;  ///< |supplied| + |dissipated| + |exchanged|, summed window by window
  /// supplied + exchanged - dissipated - change of stored: zero but for the error of method and coupling
  [[nodiscard]] double residual() const noexcept {
    return supplied + exchanged - dissipated - (stored_end - stored_start);
  }
  /// What the residual is measured by.
  [[nodiscard]] double turnover() const noexcept {
    const double stored = stored_end > stored_start ? stored_end - stored_start : stored_start - stored_end;
    return throughput > stored ? throughput : stored;
  }
};

/// A counted run-time event of a subsystem.
struct EventResult {
  std::string code, text;
  std::uint64_t count = 0;
  double first_s = -1.0;  ///< end of the window that first met it; below zero: not known
  bool verdict = false;   ///< after it the results are not to be trusted
};

/// Why a run that went on to its end does not count.
struct Verdict {
  enum class Weight : std::uint8_t {
    results,     ///< they are not to be trusted
    incomplete,  ///< they are right, but the run was not what was asked for: not tested, not guarded, not all of a log
    late,        ///< they are right, but it was not real time
  };
  std::string code, where, text;
  double first_s = -1.0;  ///< simulated; below zero: the whole run
  std::uint64_t count = 1;
  bool tolerated = false;  ///< accepted knowingly: --tolerate CODE
  Weight weight = Weight::results;
};

struct SubsystemResult {
  std::string name{}, domain{}, method{};
  double step_s = 0.0, sync_s = 0.0;
  std::uint32_t equations = 0, states = 0;
  std::uint64_t windows = 0, overruns = 0;
  Percentiles rtf{};
  double compute_s = 0.0;
  EnergyAccount energy{};
  std::string energy_left_out{};  ///< why its account need not close: sources set storages ...; empty: it must
  bool newton = false;            ///< it has blocks solved by Newton
  double newton_last = 0.0, newton_largest = 0.0;
  std::vector<EventResult> events{};  ///< all that can happen, those that did not with count 0
};

struct CouplingResult {
  std::string from, to, kind, quantity;
  int lag = 0, order = 0;
  double sent = 0.0, received = 0.0, in_transit = 0.0, throughput = 0.0, residual = 0.0;
  bool flux = false, closes = true;
  bool line = false;          ///< a wave of a line: energy, J
  bool interpolated = false;  ///< of a line: between samples; the residual is what that has lost
  bool port = false;          ///< power through a port of an FMU, J
  double taken = 0.0;         ///< of a port: by what the FMU was fed with and gave
  /// Of a port: energy that the exchange has made or lost, J, and as part of what passed through.
  [[nodiscard]] double unclosed() const { return sent - taken; }
  [[nodiscard]] double unclosed_share() const { return throughput > 0.0 ? std::abs(unclosed()) / throughput : 0.0; }
  /// "fmu.engine.shaft"
  [[nodiscard]] std::string port_name() const { return to.substr(0, to.rfind('.')); }
  std::uint64_t alarms = 0;    ///< macro-steps at whose end the ledger was off by more than the alarm allows
  double first_alarm_s = 0.0;  ///< simulated
};

/// A state before and after the search for a steady start.
struct StartedState {
  std::string path, unit;
  double given = 0.0, steady = 0.0;
  bool moved = false;
};

/// What the run began from.
struct StartResult {
  bool steady = false;  ///< else the start values as given, and nothing of what follows
  int steps = 0;
  double largest_rate = 0.0;  ///< that remains, as part of the flows through its state
  std::string largest_rate_of;
  double still_moves_per_s =
      0.0;  ///< above 0: nearly steady only; by what part of its magnitude this state moves in a second
  std::string still_moves;
  std::vector<StartedState> states;
  std::vector<std::string> fixed;        ///< states that keep their start values as the model says
  std::vector<std::string> invariants;   ///< sums of states that nothing changes: they keep what the start values give
  std::vector<std::string> blocks_kept;  ///< control blocks without fixed point
  std::vector<std::string> circuits_kept;  ///< switched circuits that have no rates to vanish: under PWM
  bool settled = true;                     ///< coupled values stopped changing
};

/// Bars of a histogram on a logarithmic axis, already thinned out for drawing.
struct HistogramBars {
  std::vector<double> lower, upper;  ///< in the unit shown
  std::vector<std::uint64_t> count;
};

struct RecordedSignal {
  std::string path, unit;
  DecimatedSeries series{512};
};

/// What computing parts of the run again with shorter steps has found.
struct AuditResult {
  bool asked = false, done = false;
  std::string not_done;       ///< why
  std::string finer;          ///< "steps a fifth as long"
  double from_start_s = 0.0;  ///< covered without a gap
  double covered_s = 0.0, whole_s = 0.0;
  int stretches = 0;                ///< after that
  double limit = 0.0, error = 0.0;  ///< RMS of the worst quantity, part of its range
  std::string worst;
  std::string subsystem;  ///< of the finding
  double at_s = 0.0;      ///< where it was off most
  bool drifts = false;    ///< an oscillation drifts out of phase; its mean, amplitude and count agree
  double compute_s = 0.0;
  std::string finding;  ///< empty: within the limit
};

/// What one of several threads did.
struct CoreResult {
  std::string host{};  ///< where several compute
  int cpu = -1;
  int below = 0;  ///< so many other threads of its CPU go first
  std::size_t subsystems = 0;
  Percentiles rtf{};  ///< of every macro-step, without waiting for other cores
  double busy_s = 0.0, waited_s = 0.0;
  Percentiles wakeup_us{};
};

/// What several cores could gain, by measured costs, per macro-step.
struct ConcurrencyResult {
  std::size_t asked = 1, used = 1;
  bool given = false;  ///< the placement was read from a file
  double work_s = 0.0, critical_path_s = 0.0, bound_s = 0.0, planned_s = 0.0;
};

/// What the trace of a run holds.
struct TraceResult {
  std::string file{};        ///< in the run directory; empty: there is none
  std::uint64_t events = 0;  ///< in the file
  std::uint64_t lost = 0;    ///< that were overwritten
  double from_s = 0.0;       ///< simulated: from there to the end nothing is missing
  std::size_t places = 0;    ///< before that, so many overruns with what lies around them
};

/// What somebody did to the plant while it ran.
struct ActionResult {
  double time_s = 0.0;  ///< simulated, when it took effect
  std::string author, text;
  std::string refused;    ///< why it did not; empty: it did
  std::string shown{};    ///< the same for people, with its unit
  double booked_j = 0.0;  ///< of a tuning: energy that the tuned storages have taken in, supplied from outside
};

/// What an overridden flux has brought to its reader beyond what was sent to it.
struct BookedResult {
  std::string path, unit;
  double amount = 0.0;
};

/// Where, when and how a run was started: what a reader needs to tell it from other runs, and to make it again.
struct RunOrigin {
  std::string started;    ///< local time with its zone: "2026-11-24 23:41:07 +0100 (CET)"
  std::string rig;        ///< name of the rig that was built in; empty: none
  std::string host;       ///< name of the machine
  std::string cpu_model;  ///< of its first CPU
  std::string kernel;     ///< "Linux 6.1.0-37-amd64 x86_64"
  std::string command;    ///< as a shell reads it
};

struct IoEventResult {
  double time_s = 0.0;
  std::string text;
};

/// An FMU and its process.
struct FmuResult {
  std::string name;
  std::uint64_t answers = 0, late = 0;
  Percentiles call_us{};      ///< of the FMU itself
  Percentiles exchange_us{};  ///< from question to answer, without it
};

/// One of several hosts in real time.
struct HostResult {
  std::string name;
  std::string lost{};  ///< why it does not compute any more; empty: it does
  std::uint64_t overruns = 0;
  double worst_miss_ms = 0.0;
  std::uint64_t windows = 0;       ///< that read what crosses
  std::uint64_t late_windows = 0;  ///< of those: something had not come, and was extrapolated. Cause: remote
  std::uint64_t most_missing = 0;  ///< versions that one of them had to do without
  double offset_us = 0.0;          ///< its clock less that of the leader, at the end
  double drift_ppm = 0.0, drift_within_ppm = 0.0;  ///< and how wrong that is at most
  std::uint64_t clock_jumps = 0;
  double round_trip_us[3] = {};  ///< to the leader and back: smallest, usual, largest
  bool digest_void = false;
};

struct RunResults {
  std::string model, title, generator, input_hash, run_directory;
  RunOrigin origin{};
  std::uint32_t equations = 0;
  bool paced = false;
  double macro_step_s = 0.0, simulated_s = 0.0, wall_s = 0.0;
  std::uint64_t macro_steps = 0;     ///< computed
  std::uint64_t jumped_periods = 0;  ///< of simulated time that nothing was computed for: the rig regains wall time

  Percentiles rtf{};  ///< of every macro-step, everything included
  HistogramBars rtf_bars{}, wakeup_bars{};
  DecimatedSeries rtf_series{1024};
  double solver_s = 0.0, busy_s = 0.0;   ///< computing time of the subsystems; of the whole loop
  double executive_ns_per_window = 0.0;  ///< between windows, which hold exchanges and digest

  int cpu = -1;                     ///< of the thread that leads
  std::vector<CoreResult> cores{};  ///< where there are several
  std::vector<HostResult> hosts{};  ///< the same, in real time
  ConcurrencyResult concurrency{};
  std::vector<RateResult> rates{};
  ScheduleSheet sheet{};
  std::string scheduling;    ///< "SCHED_FIFO 80" or "SCHED_OTHER"
  Percentiles wakeup_us{};   ///< woken after the time asked for (before the busy-wait)
  Percentiles release_us{};  ///< start of work after the release
  std::uint64_t sleeps = 0;
  double blocked_s = 0.0;

  OverrunLog overruns{0};
  std::uint64_t minor_faults = 0, major_faults = 0,
                involuntary_switches = 0;  ///< real-time thread between start and stop
  std::vector<SubsystemResult> subsystems;
  std::vector<CouplingResult> couplings;
  EnergyAccount energy{};
  bool ledger_closes = true;
  StartResult start{};
  AuditResult audit{};

  std::string digest;        ///< 16 hex digits; empty: another host has it
  bool digest_void = false;  ///< an exchange did not arrive, or time has jumped: the result depended on timing
  [[nodiscard]] const char* void_because() const noexcept {
    for (const FmuResult& fmu : fmus)
      if (fmu.late > 0) return "an FMU did not answer in time";
    for (const HostResult& one : hosts)
      if (one.late_windows > 0 || !one.lost.empty()) return "what another host sent was late";
    return jumped_periods > 0 ? "simulated time has jumped" : "an exchange was late";
  }
  std::vector<std::pair<std::string, std::string>> parameters_set;
  std::uint64_t input_changes = 0, input_changes_lost = 0;
  std::uint64_t rows_recorded = 0, rows_dropped = 0;
  std::uint64_t rows_lost = 0;            ///< that could not be written: of each file of signals
  std::optional<std::uint64_t> triggers;  ///< where recording waits for one: how many there were
  TraceResult trace{};
  ScenarioResult scenario{};
  std::vector<FmuResult> fmus;
  std::vector<HostFinding> host;
  std::vector<ActionResult> actions;       ///< but for plant inputs, whose log is that of inputs
  std::uint64_t actions_lost = 0;          ///< from the log
  std::vector<ActionResult> inputs_set{};  ///< plant inputs that somebody has set, and released again, by hand
  std::uint64_t inputs_set_lost = 0;       ///< of these, not noted
  std::uint64_t tunings_late = 0;          ///< macro-steps that tunings took effect later than said
  std::vector<BookedResult> booked;        ///< overridden fluxes
  std::vector<IoEventResult> io_events;
  std::string io_statistics_json;  ///< empty: no outside world
  std::vector<std::string> warnings;
  std::vector<RecordedSignal> signals;
  std::string stopped_because;  ///< empty: the time asked for was reached
  bool interrupted = false;     ///< by somebody, before the time asked for
  double asked_s = 0.0;         ///< simulated; 0: as long as a scenario takes
  bool failed = false;
  std::vector<Verdict> verdicts;
  /// No verdict but tolerated ones, and no end before its time for a reason of the plant.
  [[nodiscard]] bool trusted() const noexcept {
    for (const Verdict& verdict : verdicts)
      if (!verdict.tolerated) return false;
    return !failed;
  }
};

}  // namespace takt
