#include "runtime/program/plant_main.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory_resource>
#include <optional>
#include <stdexcept>

#include "denormals.hpp"  // of the platform, chosen by CMake
#include "runtime/audit/audit.hpp"
#include "runtime/audit/tuned_steps.hpp"
#include "runtime/executive/executive.hpp"
#include "runtime/executive/realtime_thread.hpp"
#include "runtime/io/record/report.hpp"
#include "runtime/io/record/reserved_file.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/trace_file.hpp"
#include "runtime/plant/memory_table.hpp"
#include "runtime/program/core_use.hpp"
#include "runtime/program/host_audit.hpp"
#include "runtime/program/options.hpp"
#include "runtime/program/plant_threads.hpp"
#include "runtime/program/progress.hpp"
#include "runtime/program/recording.hpp"
#include "runtime/program/schedule_sheet.hpp"
#include "runtime/program/shared_memory.hpp"
#include "runtime/program/stop_signals.hpp"
#include "runtime/program/supervised_io.hpp"
#include "runtime/program/trial_runs.hpp"
#include "runtime/program/verdicts.hpp"

namespace takt {
namespace {

/// Wrong input of the user: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One run from the command line to the results.
class Run {
 public:
  Run(const PlantProgram& program, CommandLine options)
      : program_(program), options_(std::move(options)), plant_(program.plant) {
    if (options_.record_states <= SimDuration{}) return;
    entries_ = state_entries(plant_);
    states_ = {options_.record_states.ns(), entries_};
    plant_.records = {&states_, 1};
  }

  int operator()() {
    prepare();
    if (!options_.trials.empty()) return try_plans();
    execute();
    finish();
    return results_.failed ? 1 : 0;
  }

 private:
  void prepare() {
    results_.host = audit_host(options_.cpus, options_.rig.priority);
    if (options_.strict) refuse_unfit_host();
    try {
      prepare_inputs();
      check_recording(plant_, options_);
      // An earlier run's parameters first, so that the command line has the last word.
      for (const auto& [name, value] : replayed_.parameters_set) set(name, value);
      for (const std::string& text : options_.set) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) throw std::runtime_error("--set " + text + ": expected name=value");
        set(text.substr(0, equals), text.substr(equals + 1));
      }
      if (const char* wrong = plant_.check != nullptr ? plant_.check(plant_.memory) : nullptr)
        throw std::runtime_error(wrong);
      std::vector<std::string> changed;
      for (const auto& [name, value] : results_.parameters_set) changed.push_back(name);
      if (const std::string unstable = unstable_after_tuning(plant_, changed); !unstable.empty())
        throw std::runtime_error(unstable);
    } catch (const std::exception& error) {
      throw UsageError(error.what());
    }
  }

  void prepare_inputs() {
    std::vector<ScriptedInput> changes;
    std::int64_t steps = 0;
    if (!options_.replay.empty()) {
      const bool trials = !options_.trials.empty();
      replayed_ = read_input_log(options_.replay, plant_, trials ? OtherSteps::accepted : OtherSteps::refused);
      changes = replayed_.changes;
      steps = static_cast<std::int64_t>(replayed_.macro_steps);
      results_.warnings = replayed_.warnings;
    }
    for (const std::string& text : options_.input) changes.push_back(parse_scripted_input(text, plant_));
    if (!options_.trials.empty()) trial_inputs_ = changes;
    const Schedule schedule(plant_);
    for (ScriptedInput& change : changes) change.time = schedule.next_taking(change.time);  // by finer plans, too
    script_ = InputScript(std::move(changes), plant_.plant_inputs.size());
    const SimDuration none, h{plant_.macro_step_ns};
    if (options_.duration > none || steps == 0) {
      const SimDuration duration =
          options_.duration > none ? options_.duration : SimDuration{plant_.default_duration_ns};
      if (duration <= none && !options_.paced && options_.trials.empty())
        throw std::runtime_error("this plant has no duration of its own: give --for TIME");
      steps = (duration + h - SimDuration{1}) / h;
    }
    macro_steps_ = static_cast<std::uint64_t>(steps);
    for (const std::string& text : options_.input)
      if (steps > 0 && schedule.next_taking(parse_scripted_input(text, plant_).time) >= SimTime{} + h * steps)
        results_.warnings.push_back("--input " + text + " takes effect after the end of the run: not at all");
  }

  void set(const std::string& name, const std::string& value) {
    const double number = set_parameter(plant_, name, value);
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    results_.parameters_set.emplace_back(name, text);
  }

  void refuse_unfit_host() const {
    const auto missing = missing_prerequisites(results_.host);
    if (missing.empty()) return;
    std::string text = "this machine is not fit for real time (--strict):";
    for (const HostFinding& f : missing) text += "\n  " + f.item + ": " + f.value + "; " + f.cost + "; " + f.remedy;
    throw std::runtime_error(text);
  }

  /// Plans beside each other instead of a run.
  int try_plans() {
    Executive executive(plant_, {.steady = begins_steady()}, {.clock = clock_});
    (void)executive.prepare();
    catch_stop_signals();
    std::fputs(trial_runs(
                   plant_, options_.trials, trial_inputs_, +[] { return stop_signal() == 0; })
                   .c_str(),
               stdout);
    const std::string problem = finish_standard_output();
    if (!problem.empty()) throw std::runtime_error("cannot write to standard output: " + problem);
    return 0;
  }

  /// By the command line; else as the replayed run; else as the plant file says.
  [[nodiscard]] bool begins_steady() const {
    if (options_.steady) return *options_.steady;
    return options_.replay.empty() ? plant_.steady_start : replayed_.steady;
  }

  void execute() {
    choose();
    if (options_.paced)
      for (const int cpu : cores_.cpus) avoid_cpu(cpu);  // all threads from here on but the plant's own
    if (options_.sheet) foretell();
    if (options_.processes && cores_.cpus.size() > 1) share_memory();
    const MemoryForNow everywhere(shared_ ? shared_.get() : std::pmr::get_default_resource());
    if (options_.results) {
      run_directory_ = make_run_directory(options_.out, plant_.name);
      directory_ = run_directory_.path;
      summary_ = std::make_unique<ReservedFile>(directory_ / "summary.json", summary_bytes(plant_));
      options_.steady = begins_steady();
      recorder_ = std::make_unique<Recorder>(plant_, recorder_options(plant_, options_, directory_, results_));
    }
    io_ = supervised(make_io(false), plant_, options_.rig, cores_.cpus);
    const auto executive = make_executive();
    if (const std::string unsettled = executive->prepare(); !unsettled.empty()) {
      results_.warnings.push_back("the start values do not settle: " + unsettled +
                                  " still changes after the last sweep");
    }
    catch_stop_signals();
    if (!options_.json) {
      std::fputs((start_text(executive->start()) + schedule_text(results_.sheet, {})).c_str(), stdout);
      std::fflush(stdout);
    }
    threads_.emplace(
        *executive, cores_,
        PlantThreads::Settings{.paced = options_.paced, .priority = options_.rig.priority, .shared = shared_.get()});
    if (io_) io_->start();
    if (recorder_) recorder_->start();
    run_threads(*executive);
    if (io_) io_->stop();
    executive->report(results_);
    trace_ = executive->take_trace();
    for (std::size_t i = 0; i < results_.cores.size(); ++i)
      results_.cores[i].cpu = cores_.cpus[i], results_.cores[i].below = cores_.below[i];
    if (recorder_) {
      note_problem(recorder_->finish(results_.macro_steps + results_.jumped_periods, results_.jumped_periods));
      recorder_->report(results_);
    }
    if (options_.audit) audit_run(executive->copies());
  }

  /// Plant memory moves to where other processes see it.
  void share_memory() {
    shared_ = std::make_unique<SharedMemory>();
    auto* memory = static_cast<std::byte*>(shared_->allocate(plant_.memory_size, 64));
    std::memcpy(memory, plant_.memory, plant_.memory_size);
    plant_.memory = memory;
  }

  void foretell() {
    const auto io = make_io(true);
    results_.sheet = make_schedule_sheet(plant_, cores_, script_,
                                         {.rig = options_.rig, .macro_steps = macro_steps_, .io = io.get()});
  }

  [[nodiscard]] std::unique_ptr<IoPort> make_io(bool rehearsal) const {
    if (!options_.paced || !options_.replay.empty() || program_.make_io == nullptr) return nullptr;
    return program_.make_io(
        plant_, {.paced = true, .overrides = options_.bus, .rehearsal = rehearsal, .priority = options_.rig.priority});
  }

  /// In memory of std::pmr::get_default_resource().
  using ExecutivePointer = std::unique_ptr<Executive, std::function<void(Executive*)>>;
  [[nodiscard]] ExecutivePointer make_executive() {
    std::pmr::polymorphic_allocator<> allocator;
    auto* executive = allocator.new_object<Executive>(
        plant_,
        Executive::Options{.paced = options_.paced,
                           .macro_steps = macro_steps_,
                           .rig = options_.rig,
                           .steady = begins_steady(),
                           .sample_fluxes = options_.sample_fluxes,
                           .ledger_alarm = options_.ledger_alarm,
                           .keep_copies = options_.audit && !options_.sample_fluxes,
                           .placement = cores_.placement,
                           .cpus = cores_.cpus,
                           .injections = options_.injections,
                           .trace_last = options_.results ? options_.trace_last : SimDuration{}},
        Executive::Surroundings{.clock = clock_, .io = io_.get(), .recorder = recorder_.get(), .script = script_});
    return {executive, [allocator](Executive* it) mutable { allocator.delete_object(it); }};
  }

  /// After the run has ended in order and what it leaves is on disk.
  void audit_run(std::span<const PlantCopy> copies) {
    AuditResult& found = results_.audit;
    found.asked = true;
    found.not_done = why_not_audited();
    if (!found.not_done.empty()) return;
    if (io_) script_ = InputScript(read_input_log(directory_, plant_).changes, plant_.plant_inputs.size());
    const double seconds =
        options_.audit_seconds == 0.0 ? std::clamp(results_.busy_s, 1.0, 10.0) : options_.audit_seconds;
    const bool by_signal = stop_signal() != 0;  // that of the run's end; another one would end the audit
    found = audit({.plant = plant_, .copies = copies, .script = script_, .macro_steps = results_.macro_steps},
                  {.seconds = seconds, .goes_on = by_signal ? nullptr : +[] { return stop_signal() == 0; }});
    found.asked = true;
    if (!found.finding.empty())
      add_verdict(results_, {.code = "X020", .where = found.subsystem, .text = found.finding}, options_.tolerate);
  }

  [[nodiscard]] std::string why_not_audited() const {
    if (results_.failed) return "the run failed";
    if (results_.jumped_periods > 0) return "simulated time has jumped";
    if (stop_signal() == SIGTERM || stop_signal() == SIGHUP) return "ended by a signal";
    if (io_ && (!recorder_ || results_.input_changes_lost > 0)) return "what came from buses was not logged";
    return {};
  }

  /// The plant's own pace and memory are not touched.
  void choose() {
    try {
      cores_ = choose_cores(plant_, {.cpus = options_.cpus, .placement = options_.placement, .paced = options_.paced},
                            script_);
    } catch (const std::exception& error) {
      throw UsageError(error.what());
    }
    results_.concurrency = cores_.concurrency;
    results_.warnings.insert(results_.warnings.end(), cores_.warnings.begin(), cores_.warnings.end());
  }

  void run_threads(Executive& executive) {
    stop_on_signal(&executive);
    {
      const SimDuration h{plant_.macro_step_ns};
      const Progress progress(executive.status(), h, h * static_cast<std::int64_t>(macro_steps_), options_.quiet);
      threads_->run(results_);
    }
    stop_on_signal(nullptr);
  }

  void finish() {
    for (OverrunIncident& incident : results_.overruns.incidents)
      if (incident.worker > 0) incident.cpu = cores_.cpus[incident.worker];
    attribute(results_.overruns, threads_->evidence());
    if (io_) {
      for (const IoEvent& event : io_->events()) results_.io_events.push_back({event.time.seconds(), event.text});
      results_.io_statistics_json = io_->statistics_json();
      note_problem(io_->problem());
    }
    judge_results(results_, options_.tolerate);
    if (stop_signal() == SIGHUP && !results_.stopped_because.empty()) results_.failed = true;
    if (recorder_) write_results();
    print_results();
  }

  /// The summary last: it says what became of the others.
  void write_results() {
    results_.run_directory = directory_.string();
    if (results_.input_changes_lost > 0)
      results_.warnings.push_back(
          "changes of plant inputs were lost from the log: this run cannot be replayed exactly");
    if (options_.report) attempt([&] { write_whole(directory_ / "report.html", report_html(results_)); });
    if (!cores_.cores.empty())
      attempt([&] { write_whole(directory_ / "placement.csv", placement_text(plant_, cores_.cores)); });
    if (trace_) attempt([&] { results_.trace = write_trace(directory_ / "trace.pftrace", *trace_, results_); });
    note_problem(recorder_->conclude(results_, summary_json(results_)));
    attempt([&] { summary_->write(summary_json(results_)); });
  }

  void attempt(const std::function<void()>& write) {
    try {
      write();
    } catch (const std::runtime_error& error) {
      note_problem(error.what());
    }
  }

  void note_problem(const std::string& problem) {
    if (problem.empty()) return;
    results_.failed = true;
    results_.warnings.push_back(problem);
  }

  /// Where results are in files, a reader who has gone (`| head`, a closed terminal) takes nothing from the run.
  void print_results() {
    std::fputs(
        options_.json ? summary_json(results_).c_str() : summary_table(results_, isatty(STDOUT_FILENO) == 1).c_str(),
        stdout);
    if (recorder_ && !options_.json) std::printf("results in %s\n", directory_.c_str());
    const std::string problem = finish_standard_output();
    if (problem.empty()) return;
    std::fprintf(stderr, "%s: cannot write to standard output: %s\n", plant_.name, problem.c_str());
    const bool reader_gone = problem == std::strerror(EPIPE) || problem == std::strerror(EIO);
    if (options_.json || !recorder_ || !reader_gone) results_.failed = true;
  }

  const PlantProgram& program_;
  CommandLine options_;
  std::unique_ptr<SharedMemory> shared_;  // by the processes of workers; what lies in it goes first
  std::vector<std::uint32_t> entries_;
  RecordPlan states_{};
  PlantDescription plant_;
  SystemClock clock_;
  InputLog replayed_;
  InputScript script_;
  std::vector<ScriptedInput> trial_inputs_;
  std::uint64_t macro_steps_ = 0;
  RunDirectory run_directory_;
  std::filesystem::path directory_;
  std::unique_ptr<ReservedFile> summary_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<IoPort> io_;
  RunTracePointer trace_;
  CoreUse cores_;
  std::optional<PlantThreads> threads_;
  RunResults results_;
};

}  // namespace

int plant_main(const PlantProgram& program, int argc, char** argv) {
  open_standard_streams();
  int exit_code = 0;
  auto options = parse_command_line(program, argc, argv, exit_code);
  if (!options) return exit_code;
  platform::flush_denormals();  // before any thread starts: all of them, and both paces, compute alike
  try {
    if (options->list) {
      std::fputs(listed(program.plant, *options).c_str(), stdout);
      const std::string problem = finish_standard_output();
      if (!problem.empty()) throw std::runtime_error("cannot write to standard output: " + problem);
      return 0;
    }
    return Run(program, std::move(*options))();
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s: %s\n", program.plant.name, error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program.plant.name, error.what());
    return 1;
  }
}

}  // namespace takt
