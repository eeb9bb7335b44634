#pragma once
// The loop: waits for releases, moves inputs and couplings, computes windows in the order of the plan, judges lateness.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/executive/clock.hpp"
#include "runtime/executive/ledger_watch.hpp"
#include "runtime/executive/overrun_judge.hpp"
#include "runtime/executive/pacer.hpp"
#include "runtime/executive/plant_copies.hpp"
#include "runtime/executive/plant_digest.hpp"
#include "runtime/executive/result_watch.hpp"
#include "runtime/io/io_port.hpp"
#include "runtime/io/record/recorder.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_latch.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/plant/schedule.hpp"
#include "runtime/stats/run_results.hpp"
#include "runtime/stats/window_stats.hpp"

namespace takt {

/// For tests: something goes wrong once, at a given macro-step.
struct Injection {
  enum class Kind : std::uint8_t { long_computation, late_wakeup, blocked_exchange } kind = Kind::long_computation;
  std::uint64_t macro_step = 0;
  WallDuration duration;
};

/// What other threads may read while the loop runs. One writer, the real-time thread; no order needed between the
/// values.
struct RunStatus {
  std::atomic<std::uint64_t> macro_steps{0}, overruns{0}, ledger_alarms{0}, verdicts{0};
  std::atomic<WallDuration> busy{};
  std::atomic<bool> running{false};
};

/// Phases: construct (allocates; throws std::invalid_argument where the plan contradicts itself), prepare(), run() on
/// the real-time thread, report(). request_stop() from any thread or signal handler.
class Executive {
 public:
  struct Options {
    bool paced = false;
    std::uint64_t macro_steps = 0;  ///< 0: until stopped
    RigSettings rig{};
    bool steady = false;  ///< begin in the steady state
    bool sample_fluxes = false;
    double ledger_alarm = 1e-9;  ///< share of its throughput that a flux's ledger may be off at a macro-step's end
    bool keep_copies = false;    ///< of the plant as it runs, for an audit
    std::vector<Injection> injections{};
  };
  /// What surrounds the loop; io and recorder may be missing.
  struct Surroundings {
    Clock& clock;
    IoPort* io = nullptr;
    Recorder* recorder = nullptr;
    InputScript script{};
  };

  Executive(const PlantDescription& plant, Options options, Surroundings surroundings);

  /// Plant inputs to their start values and a consistent start of all subsystems.
  /// @return path of a coupling that did not settle, or an empty text
  /// @throw std::runtime_error  a steady state was asked for and not found
  std::string prepare();
  /// Real-time: from here to the return no heap, no lock, no system call but clock and sleep.
  void run() noexcept;
  /// @param because  static text, for the report
  void request_stop(const char* because = "stopped by the user") noexcept {
    stop_.store(because, std::memory_order_relaxed);
  }
  [[nodiscard]] const RunStatus& status() const noexcept { return status_; }
  /// What prepare() did.
  [[nodiscard]] const StartResult& start() const noexcept { return start_; }
  /// After run(): what keep_copies asked for.
  [[nodiscard]] std::span<const PlantCopy> copies() const noexcept {
    return copies_ ? copies_->taken() : std::span<const PlantCopy>{};
  }
  /// After run().
  void report(RunResults& results);

 private:
  enum class End : std::uint8_t { time_reached, asked, overrun, bad_values };
  struct StepWork;     // what one macro-step has taken
  struct SegmentWork;  // what the part of it has taken that began at the last release

  bool step(std::uint64_t k) noexcept;
  bool open(std::uint32_t instant, StepWork& work) noexcept;
  Pacer::Wake wait_for_release(std::uint64_t k, const Schedule::Instant& instant) noexcept;
  bool latch_inputs(std::uint32_t instant, SimTime now) noexcept;
  void log_inputs(SimTime now) noexcept;
  void wait_for_exchanges(StepWork& work) noexcept;
  void send(SimTime now, Publish moment) noexcept;
  void send_last() noexcept;
  bool compute(StepWork& work) noexcept;
  std::uint64_t compute_window(const Schedule::Slot& slot, WallDuration stretch, StepWork& work,
                               std::uint64_t begin) noexcept;
  void observe(std::size_t subsystem, SimTime now) noexcept;
  bool observe_all(SimTime now) noexcept;
  bool take(ResultWatch::Finding finding) noexcept;
  std::uint64_t record(SimTime now) noexcept;
  void fetch_ahead(const std::vector<Schedule::Slot>& slots, std::size_t index) const noexcept;
  void account(const StepWork& work) noexcept;
  void judge(const StepWork& work) noexcept;
  void count_late_step() noexcept;
  bool must_stop(const StepTiming& timing, bool late) noexcept;
  WallDuration injected(Injection::Kind kind, std::uint64_t k) const noexcept;
  void report_subsystems(RunResults& results) const;
  void report_couplings(RunResults& results) const;
  void report_end(RunResults& results) const;

  [[nodiscard]] SimTime start_of(std::uint64_t macro_step) const noexcept {
    return SimTime{} + macro_step_ * static_cast<std::int64_t>(macro_step);
  }

  const PlantDescription plant_;
  const SimDuration macro_step_;
  Options options_;
  Clock& clock_;
  IoPort* io_;
  Recorder* recorder_;
  InputScript script_;
  Schedule schedule_;
  std::span<double> inputs_;
  InputLatch latch_;
  Exchanges exchanges_;
  std::optional<PlantCopies> copies_;
  Pacer pacer_;
  OverrunJudge judge_;
  std::vector<std::uint64_t> logged_inputs_;  // bits of what the log holds
  PlantDigest digest_;
  ResultWatch watch_results_;
  LedgerWatch ledgers_;
  bool sound_ = true, fetches_ahead_ = false, stops_ = false, late_in_step_ = false;
  std::vector<bool> sends_within_;     // of subsystems: somebody sends their values at releases within a macro-step
  std::vector<WindowStats> stats_;     // by subsystem
  std::vector<Histogram> histograms_;  // of ticks, by subsystem
  Histogram busy_ticks_, wakeup_ns_, release_ns_;
  std::uint64_t busy_total_ = 0;  // ticks
  WallDuration blocked_;
  DecimatedSeries rtf_series_{1024};
  StartResult start_;
  std::vector<double> stored_start_;
  WallTime origin_, finish_;
  std::uint64_t steps_done_ = 0;
  int late_in_a_row_ = 0;
  bool digest_void_ = false;
  End end_ = End::time_reached;
  std::atomic<const char*> stop_{nullptr};  // because of what
  RunStatus status_;
};

}  // namespace takt
