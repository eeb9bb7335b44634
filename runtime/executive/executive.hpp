#pragma once
// The loop: waits for releases, moves inputs and couplings, computes windows in the order of the plan, judges lateness.

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/executive/apart.hpp"
#include "runtime/executive/checkpoint.hpp"
#include "runtime/executive/clock.hpp"
#include "runtime/executive/followers.hpp"
#include "runtime/executive/overrun_judge.hpp"
#include "runtime/executive/pacer.hpp"
#include "runtime/executive/plant_copies.hpp"
#include "runtime/executive/plant_digest.hpp"
#include "runtime/executive/step_work.hpp"
#include "runtime/executive/team.hpp"
#include "runtime/executive/trace_memory.hpp"
#include "runtime/executive/work_plan.hpp"
#include "runtime/executive/worker.hpp"
#include "runtime/io/io_port.hpp"
#include "runtime/io/record/recorder.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_latch.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/plant/schedule.hpp"
#include "runtime/stats/run_results.hpp"
#include "runtime/stats/window_stats.hpp"
#include "runtime/steering/steering.hpp"

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
  std::atomic<std::uint64_t> macro_steps{0}, overruns{0}, inner_late{0}, ledger_alarms{0}, verdicts{0};
  std::atomic<WallDuration> busy{};
  std::atomic<bool> running{false};
};

/// Phases: construct (allocates; throws std::invalid_argument where the plan contradicts itself), prepare(), run() on
/// the real-time thread and help() on one more for each further worker, report(). request_stop() from any thread or
/// signal handler. What is computed does not depend on the number of workers nor on the pace.
/// Workers may be threads of other processes, forked after prepare(): then plant memory and the executive itself must
/// be in shared memory, and std::pmr::get_default_resource() must be such memory while the recorder and the executive
/// are constructed.
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
    Placement placement{};       ///< empty: one worker
    std::vector<int> cpus{};     ///< by worker; empty, or -1: each its own
    std::vector<Injection> injections{};
    const Checkpoint* resume = nullptr;     ///< go on from there
    SimDuration trace_last{};               ///< > 0: a trace of at least that much of the end
    std::vector<bool> elsewhere{};          ///< by worker: another host computes it (runtime/hosts); empty: none
    std::span<const BundledRun> bundled{};  ///< windows of copies that may be computed at once; the bits are the same
    bool apart = false;  ///< and nobody waits for it: what it sends comes in time or is done without. Paced only
  };
  /// What surrounds the loop; io and recorder may be missing.
  struct Surroundings {
    Clock& clock;
    IoPort* io = nullptr;
    Recorder* recorder = nullptr;
    InputScript script{};
    std::span<Director* const> directors{};  ///< who may act on the plant while it runs
    std::filesystem::path folder{};          ///< for the log of what they do, and checkpoints; empty: neither
    CheckpointGuest* guest = nullptr;        ///< whose state goes into checkpoints, too
  };

  Executive(const PlantDescription& plant, Options options, Surroundings surroundings);

  /// Plant inputs to their start values and a consistent start of all subsystems.
  /// @return path of a coupling that did not settle, or an empty text
  /// @throw std::runtime_error  a steady state was asked for and not found
  std::string prepare();
  /// What directors ask for is computed and logged on an ordinary thread. Once there are the processes of workers.
  void start_steering() {
    if (steering_) steering_->start_thread();
  }
  /// Real-time: from here to the return no heap, no lock, no system call but clock and sleep; a free run on several
  /// cores yields, too.
  void run() noexcept;
  /// Real-time: the same for worker 1 and up, each on a thread of its own; returns when the run has ended.
  void help(std::size_t worker) noexcept;
  // Several hosts (runtime/hosts): each has the whole plant and computes its own workers' part.
  /// What carries the others' parts to and fro, on a thread of its own, looks at and writes to.
  struct Inside {
    const PlantDescription& plant;
    const Schedule& schedule;
    const WorkPlan& work;
    Exchanges& exchanges;
    Team& team;
    InputLatch& latch;
    std::atomic<std::int64_t>& looked_ns;  ///< where the host does not lead
    Followers& followers;                  ///< of what is done to the plant, where it leads
    double ns_per_tick;
    Clock& clock;
    Apart* apart;  ///< nullptr: hosts wait for each other
  };
  [[nodiscard]] Inside inside() noexcept {
    return {plant_, schedule_,   work_, exchanges_, team_, latch_, looked_ns_, followers_, clock_.ns_per_tick(),
            clock_, apart_.get()};
  }
  /// Apart, the leader, from the thread that carries: terms of the digest of all hosts for macro-step k.
  void close_digest(std::uint64_t k, std::uint64_t terms) noexcept { digest_.close_terms(k, terms); }
  /// What was computed depended on when something came.
  void void_digest() noexcept { digest_void_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_digest_void() const noexcept { return digest_void_.load(std::memory_order_relaxed); }
  [[nodiscard]] const OverrunLog& overruns() const noexcept { return judge_.log(); }
  /// On a host that does not lead, before a macro-step is opened and after the one before: what the leader has done to
  /// the plant then is done here, too.
  void follow(std::uint64_t macro_step, std::span<const Followed> done);
  /// On a host that does not lead, in place of run(): before help().
  void begin_without_lead() noexcept;
  /// Whether the leader needs the plant memory of all at the end of that macro-step.
  [[nodiscard]] bool looks_at_end_of(std::uint64_t macro_step) const noexcept {
    const SimTime end = start_of(macro_step + 1);
    return leader().is_looked_at(end) || (steering_ && steering_->is_due(end));
  }
  /// All that a worker leaves: its subsystems in plant memory, what lies at their inputs, what was counted. After it
  /// has left.
  void save_part(std::size_t worker, ByteWriter& to) const;
  /// @throw std::runtime_error  it is not of this plan
  void restore_part(std::size_t worker, ByteReader& from);
  /// The subsystems of a worker in plant memory.
  void save_memory(std::size_t worker, ByteWriter& to) const;
  void restore_memory(std::size_t worker, ByteReader& from);
  [[nodiscard]] std::size_t workers() const noexcept { return workers_.size(); }
  /// @param because  static text, for the report
  void request_stop(const char* because = "stopped by the user") noexcept {
    stop_.store(because, std::memory_order_relaxed);
  }
  /// A worker in another process does not come back: the run ends by itself. From any thread, once.
  /// @param because  static text, for the report
  void lose(std::size_t worker, const char* because) noexcept;
  [[nodiscard]] const RunStatus& status() const noexcept { return status_; }
  /// What prepare() did.
  [[nodiscard]] const StartResult& start() const noexcept { return start_; }
  /// After run(): why, where it was for something that only this host knows; empty: it was not.
  [[nodiscard]] std::string why_ended_early() const;
  /// After run(): what keep_copies asked for; nothing where simulated time has jumped.
  [[nodiscard]] std::span<const PlantCopy> copies() const noexcept {
    return copies_ && jumped_ == 0 ? copies_->taken() : std::span<const PlantCopy>{};
  }
  /// After run(): nothing where no trace was asked for.
  [[nodiscard]] RunTracePointer take_trace() noexcept { return std::move(trace_); }
  /// After run(): what went wrong with the log of actions; empty: nothing.
  [[nodiscard]] std::string finish_steering() { return steering_ ? steering_->finish() : std::string(); }
  /// After run(): directors have changed more than plant inputs.
  [[nodiscard]] bool was_acted_on() const noexcept { return steering_ && steering_->has_acted(); }
  /// After run().
  void report(RunResults& results);

 private:
  enum class End : std::uint8_t { time_reached, asked, overrun, bad_values, worker_lost };

  bool start_values() noexcept;
  bool step(std::uint64_t k) noexcept;
  void end() noexcept;
  bool direct(std::uint64_t k) noexcept;
  // Checkpoints (executive_checkpoint.cpp).
  void make_room_for_checkpoints(const std::filesystem::path& folder, CheckpointGuest* guest);
  void take_checkpoint(SimTime now) noexcept;
  void resume();
  bool open(std::uint32_t instant, StepWork& work) noexcept;
  // What the leader does for the others (executive_team.cpp).
  bool begin_step(std::uint64_t k) noexcept;
  void open_ahead() noexcept;
  bool meet(StepWork& work, std::uint32_t instant) noexcept;
  bool end_step(StepWork& work, SimTime end) noexcept;
  bool wait_for_all(std::uint64_t macro_steps) noexcept;
  void close_what_is_complete() noexcept;
  void count_busy_of_all() noexcept;
  void leave_safe() noexcept;
  [[nodiscard]] const Worker& first_to_fail() const noexcept;
  [[nodiscard]] const SegmentWork& last_to_end(const StepWork& work, std::uint16_t& worker,
                                               std::optional<OverrunPolicy>& strictest) noexcept;
  [[nodiscard]] bool goes_one_by_one(std::uint64_t k) const noexcept;
  [[nodiscard]] bool is_met_before(std::uint64_t k) const noexcept;
  void jump(std::uint32_t dropped, StepWork& work) noexcept;
  Pacer::Wake wait_for_release(std::uint64_t k, const Schedule::Instant& instant) noexcept;
  bool latch_inputs(std::uint32_t instant, SimTime now, WallTime release) noexcept;
  void tell_inputs(SimTime now) noexcept;
  std::uint32_t log_inputs(SimTime now) noexcept;
  void note_transfer(TraceKind kind, std::uint64_t macro_step, std::uint32_t number = 0) noexcept;
  void wait_for_exchanges(StepWork& work) noexcept;
  void send(SimTime now, WallTime due, Publish moment) noexcept;
  void send_last() noexcept;
  void observe_all(SimTime now) noexcept;
  std::uint64_t record(SimTime now) noexcept;
  void account(const StepWork& work) noexcept;
  void count_busy(std::uint64_t macro_step, std::uint64_t busy) noexcept;
  void judge(const StepWork& work) noexcept;
  void note_overrun(const StepTiming& timing) noexcept;
  void count_late_step() noexcept;
  bool must_stop(const StepTiming& timing, bool late) noexcept;
  WallDuration injected(Injection::Kind kind, std::uint64_t k) const noexcept;
  /// Led by run().
  [[nodiscard]] Worker& leader() noexcept { return workers_[part_]; }
  [[nodiscard]] const Worker& leader() const noexcept { return workers_[part_]; }
  [[nodiscard]] bool ends_here() noexcept;
  [[nodiscard]] std::vector<bool> read_elsewhere() const;
  [[nodiscard]] const Worker& owner_of(std::size_t subsystem) const noexcept {
    return workers_[work_.worker_of(static_cast<std::uint16_t>(subsystem))];
  }
  [[nodiscard]] std::span<std::byte> memory_of(std::size_t subsystem) const noexcept;
  void report_subsystems(RunResults& results) const;
  void report_couplings(RunResults& results) const;
  void report_end(RunResults& results) const;

  /// @param macro_step  computed since the start; where time has jumped, only that of now and later ones
  [[nodiscard]] SimTime start_of(std::uint64_t macro_step) const noexcept {
    return SimTime{} + macro_step_ * static_cast<std::int64_t>(macro_step + jumped_);
  }

  const PlantDescription plant_;
  const SimDuration macro_step_;
  Options options_;
  Clock& clock_;
  IoPort* io_;
  Recorder* recorder_;
  InputScript script_;
  Schedule schedule_;
  const WorkPlan work_;
  const std::uint16_t part_;  // of the plan that run() computes
  const bool is_alone_;       // it waits for no other
  std::span<double> inputs_;
  InputLatch latch_;
  Exchanges exchanges_;
  std::unique_ptr<CheckpointRoom> room_;
  std::optional<Steering> steering_;         // where somebody may act
  std::atomic<std::int64_t> looked_ns_{-1};  // end of the macro-step that a director looks at
  Followers followers_;
  FollowedActions followed_{followers_};  // where another host leads
  std::optional<PlantCopies> copies_;
  Pacer pacer_;
  OverrunJudge judge_;
  std::vector<std::uint64_t> logged_inputs_;  // bits of what the log holds
  PlantDigest digest_;
  bool stops_ = false, late_in_step_ = false;
  OverrunPolicy policy_;                      // of what has no window that is late
  std::optional<OverrunPolicy> late_policy_;  // the strictest of what was late in this macro-step
  std::vector<OverrunPolicy> policies_;       // by subsystem
  std::vector<bool> sends_within_;       // of subsystems: somebody sends their values at releases within a macro-step
  std::pmr::vector<WindowStats> stats_;  // by subsystem
  std::pmr::vector<Histogram> histograms_;  // of ticks, by subsystem
  Team team_;
  RunTracePointer trace_;
  std::pmr::deque<Worker> workers_;
  std::unique_ptr<Apart> apart_;
  bool one_by_one_ = true;               // instants are opened when they come, else macro-steps ahead
  std::uint64_t opened_steps_ = 0;       // macro-steps that may begin
  std::uint64_t closed_steps_ = 0;       // that all workers have ended
  std::uint64_t counted_steps_ = 0;      // whose busy time is in the statistics
  std::uint64_t changed_in_ = 0;         // macro-step in which inputs changed last
  std::vector<std::uint64_t> own_busy_;  // ticks, by macro-step, a ring
  Histogram busy_ticks_, wakeup_ns_, release_ns_;
  std::uint64_t busy_total_ = 0;  // ticks
  WallDuration blocked_;
  DecimatedSeries rtf_series_{1024};
  StartResult start_;
  std::vector<double> stored_start_;
  WallTime origin_, finish_;
  std::uint64_t first_step_ = 0;  // of a run from a checkpoint
  std::uint64_t steps_done_ = 0;
  std::uint64_t jumped_ = 0;  // periods of simulated time that nothing was computed for
  int late_in_a_row_ = 0;
  std::atomic<bool> digest_void_{false};
  End end_ = End::time_reached;
  std::atomic<const char*> stop_{nullptr}, lost_{nullptr};  // because of what
  RunStatus status_;
};

}  // namespace takt
