// A run: what surrounds the loop is made, the loop runs, what it leaves is taken.

#include "runtime/program/run.hpp"

#include <cstdio>
#include <cstring>
#include <memory_resource>

#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/run_outcome.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/program/progress.hpp"
#include "runtime/program/recording.hpp"
#include "runtime/program/schedule_sheet.hpp"
#include "runtime/program/stop_signals.hpp"
#include "runtime/program/supervised_io.hpp"
#include "runtime/program/thread_stack.hpp"

namespace takt {
namespace {

/// What a rig asks for and this machine does not have: nothing is run.
void open_outside(auto&& open) {
  try {
    open();
  } catch (const StartStepFailed&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

int Run::operator()() {
  plan_hosts();
  if (follows()) {
    choose(), meet_hosts();
    const hosts::Conditions conditions = meeting_->take();
    if (!conditions.real_time) {
      execute_elsewhere(conditions);
      return static_cast<int>(outcome_of(results_));
    }
    take_over(conditions);
  } else {
    if (is_apart()) narrow();
    prepare();
  }
  if (!options_.trials.empty()) return try_plans();
  if (options_.propose_hosts > 0) return propose_hosts();
  try {
    execute();
  } catch (const std::exception& error) {  // the others need not wait
    if (meeting_ && !link_ && !real_time_link_) meeting_->leave(error.what());
    throw;
  }
  finish();
  return static_cast<int>(outcome_of(results_));
}

void Run::execute() {
  if (!follows()) {
    choose();
    if (host_plan_) meet_hosts();
  }
  place_hosts();
  if (options_.paced)
    for (const int cpu : cores_.cpus) avoid_cpu(cpu);  // all threads from here on but the plant's own
  if (options_.sheet) foretell();
  if (options_.processes && cores_.cpus.size() > 1) share_memory();
  catch_stop_signals();  // from here on there is something to leave in order: files, and whoever is told of by the tap
  const MemoryForNow everywhere(shared_ ? shared_.get() : std::pmr::get_default_resource());
  if (options_.results) {
    refuse_to_clear_inputs();
    run_directory_ = make_run_directory(options_.out, plant_.name);
    directory_ = run_directory_.path;
    keep_network(options_, directory_);
    if (options_.tap) begin_tap();
    summary_ = std::make_unique<ReservedFile>(run_file(directory_, "summary.json"), summary_bytes(plant_));
    options_.steady = begins_steady();
    recorder_ = std::make_unique<Recorder>(plant_, recorder_options(plant_, options_, directory_, results_));
  }
  open_outside([&] { io_ = supervised(make_io(false), plant_, options_.rig, cores_.cpus); });
  if (tap_ && io_) tap_->has_buses(io_->count_in(tap_->buses()));
  const auto executive = make_executive();
  if (tap_) tap_->port().follow(executive->status());
  if (const std::string unsettled = executive->prepare(); !unsettled.empty()) {
    results_.warnings.push_back("the start values do not settle: " + unsettled + " still changes after the last sweep");
  }
  if (hosts_ && checkpoint_) load_fmu_states();
  if (!options_.json) {
    std::fputs((start_text(executive->start()) + schedule_text(results_.sheet, {})).c_str(), stdout);
    std::fflush(stdout);
  }
  threads_.emplace(
      *executive, cores_,
      PlantThreads::Settings{.paced = options_.paced,
                             .priority = options_.rig.priority,
                             .shared = shared_.get(),
                             .only = host_plan_ ? static_cast<int>(host_plan_->own) : -1,
                             .begins = is_apart() ? std::function<bool()>([this] { return begins_apart(); }) : nullptr,
                             .leads = is_apart(),
                             .stack_size = thread_stack(plant_)});
  if (io_) open_outside([&] { io_->start(); });
  if (recorder_) recorder_->start();
  if (host_plan_) tell_hosts(*executive);
  executive->start_steering();
  if (link_) link_->start();
  if (real_time_link_) real_time_link_->start();
  if (tap_ && (options_.paced || options_.hold)) tap_->wait_until_open();
  run_threads(*executive);
  if (!why_not_begun_.empty()) throw std::runtime_error(why_not_begun_);
  finish_link(*executive);
  if (tap_) tap_->ask_to_end();
  if (io_) io_->stop();
  note_problem(executive->finish_steering());
  acted_on_ = executive->was_acted_on();
  if (scenario_) results_.scenario = scenario_->result();
  const bool failed_before = results_.failed;
  executive->report(results_);
  name_end_by_fmu(failed_before);
  trace_ = executive->take_trace();
  place_trace();
  for (std::size_t i = 0; i < results_.cores.size(); ++i)
    results_.cores[i].cpu = cores_.cpus[i], results_.cores[i].below = cores_.below[i];
  for (std::size_t i = 0; host_plan_ && i < results_.cores.size(); ++i) results_.cores[i].host = host_plan_->names[i];
  if (follows()) keep_own_results();
  if (recorder_) {
    note_problem(recorder_->finish(results_.macro_steps + results_.jumped_periods, results_.jumped_periods,
                                   acted_on_ ? logged_actions() : 0));
    recorder_->report(results_);
  }
  report_hosts();
  if (options_.audit) audit_run(executive->copies());
}

/// What an earlier run left in the directory is taken away before this one goes on from it.
void Run::refuse_to_clear_inputs() const {
  std::vector<std::string> read = options_.attach;
  if (!options_.resume.empty()) read.push_back(options_.resume);
  for (const std::string& name : read) {
    const std::filesystem::path file(name);
    std::error_code none;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const bool is_cleared = file == std::filesystem::path(options_.resume) || is_run_file(file);
    if (is_cleared && !options_.out.empty() && std::filesystem::equivalent(folder, options_.out, none))
      throw UsageError(file.string() + " is of an earlier run in " + options_.out.string() +
                       ", whose files this run would take away: give --out another directory");
  }
}

/// Before there is a thread, and before much memory is written that its processes would share.
void Run::begin_tap() {
  (void)run_file(directory_, "tap");  // its socket
  Tap::Place place{.directory = directory_, .cpus = cores_.cpus, .paced = options_.paced, .macro_steps = macro_steps_};
  if (host_plan_)
    for (const std::size_t host : host_plan_->placement) place.elsewhere.push_back(host != host_plan_->own);
  tap_ = make_tap(plant_, place, {.clock = clock_, .holds = options_.hold}, results_.warnings);
  if (tap_) directors_->join(tap_->port());
}

void Run::share_memory() {
  shared_ = std::make_unique<SharedMemory>();
  auto* memory = static_cast<std::byte*>(shared_->allocate(plant_.memory_size, 64));
  std::memcpy(memory, plant_.memory, plant_.memory_size);
  plant_.memory = memory;
  if (scenario_) scenario_->look_at(memory);
}

void Run::foretell() {
  const auto io = make_io(true);
  results_.sheet =
      make_schedule_sheet(plant_, cores_, script_,
                          {.rig = options_.rig, .macro_steps = macro_steps_, .io = io.get(), .bundled = bundled()});
}

std::unique_ptr<IoPort> Run::make_io(bool rehearsal) const {
  if (!options_.paced || !options_.replay.empty() || program_.make_io == nullptr || follows()) return nullptr;
  return program_.make_io(whole_plant(), {.paced = true,
                                          .overrides = options_.bus,
                                          .rehearsal = rehearsal,
                                          .directory = options_.results ? directory_ : std::filesystem::path{},
                                          .priority = options_.rig.priority});
}

Run::ExecutivePointer Run::make_executive() {
  std::pmr::polymorphic_allocator<> allocator;
  auto* executive = allocator.new_object<Executive>(
      plant_,
      Executive::Options{.paced = options_.paced,
                         .macro_steps = macro_steps_,
                         .rig = options_.rig,
                         .steady = begins_steady(),
                         .sample_fluxes = options_.sample_fluxes,
                         .ledger_alarm = options_.ledger_alarm,
                         .keep_copies = options_.audit && !options_.sample_fluxes && !checkpoint_ && !host_plan_,
                         .placement = cores_.placement,
                         .cpus = cores_.cpus,
                         .injections = options_.injections,
                         .resume = checkpoint_ ? &*checkpoint_ : nullptr,
                         .trace_last = options_.results ? options_.trace_last : SimDuration{},
                         .elsewhere = host_plan_ ? host_plan_->elsewhere() : std::vector<bool>{},
                         .bundled = bundled(),
                         .apart = is_apart()},
      Executive::Surroundings{.clock = clock_,
                              .io = io_.get(),
                              .recorder = recorder_.get(),
                              .script = script_,
                              .directors = directors_->all(),
                              .folder = recorder_ ? directory_ : std::filesystem::path{},
                              .guest = hosts_ ? &fmu_states_ : nullptr});
  return {executive, [allocator](Executive* it) mutable { allocator.delete_object(it); }};
}

void Run::choose() {
  if (host_plan_) {
    cores_ = {.cpus = std::vector<int>(host_plan_->names.size(), -1),
              .below = std::vector<int>(host_plan_->names.size(), 0),
              .placement = host_plan_->placement,
              .cores = {},
              .concurrency = {},
              .warnings = {}};
    cores_.cpus[host_plan_->own] = options_.cpus.front();
    return;
  }
  try {
    cores_ = choose_cores(
        plant_, {.cpus = options_.cpus, .placement = options_.placement, .paced = options_.paced, .bundled = bundled()},
        script_);
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
  results_.concurrency = cores_.concurrency;
  results_.warnings.insert(results_.warnings.end(), cores_.warnings.begin(), cores_.warnings.end());
}

void Run::run_threads(Executive& executive) {
  stop_on_signal(&executive);
  {
    const SimDuration h{plant_.macro_step_ns};
    const Progress progress(executive.status(), h, h * static_cast<std::int64_t>(macro_steps_), options_.quiet);
    threads_->run(results_);
  }
  stop_on_signal(nullptr);
}

}  // namespace takt
