// Before a run: parameters, inputs, who acts on the plant.

#include <algorithm>
#include <cstdio>

#include "runtime/io/record/bus_results.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/memory_table.hpp"
#include "runtime/program/host_audit.hpp"
#include "runtime/program/recording.hpp"
#include "runtime/program/run.hpp"
#include "runtime/program/stop_signals.hpp"
#include "runtime/program/trial_runs.hpp"
#include "runtime/program/verdicts.hpp"
#include "runtime/start/tuned_steps.hpp"
#include "runtime/stats/format.hpp"
#include "runtime/units/nearest.hpp"

namespace takt {
namespace {

std::unique_ptr<Clock> clock_of(const CommandLine& options) {
  const DistortedClock::Settings& wrong = options.distort_clock;
  if (wrong.ppm == 0.0 && wrong.jump == WallDuration{}) return std::make_unique<SystemClock>();
  return std::make_unique<DistortedClock>(wrong);
}

}  // namespace

Run::Run(const PlantProgram& program, CommandLine options)
    : program_(program), options_(std::move(options)), plant_(program.plant), own_clock_(clock_of(options_)) {
  if (options_.record_states <= SimDuration{}) return;
  entries_ = state_entries(plant_);
  states_ = {options_.record_states.ns(), entries_};
  plant_.records = {&states_, 1};
}

void Run::prepare() {
  results_.host = audit_host(options_.cpus, options_.rig.priority), results_.origin = options_.origin;
  if (options_.strict) refuse_unfit_host();
  keep_states_of_paced_fmus();
  try {
    if (!options_.resume.empty()) checkpoint_ = read_checkpoint(options_.resume, plant_);
    find_sent();
    if (!options_.scenario.empty()) scenario_.emplace(plant_, options_);
    if (scenario_ && scenario_->late() && !options_.late_given) options_.rig.late = *scenario_->late();
    check_needs();
    prepare_inputs();
    if (scenario_) scenario_->add_records(plant_, macro_steps_);
    check_recording(plant_, options_);
    directors_.emplace(
        plant_, options_,
        checkpoint_ ? SimTime{} + SimDuration{plant_.macro_step_ns} * static_cast<std::int64_t>(checkpoint_->macro_step)
                    : SimTime{});
    if (scenario_) {
      scenario_->begin(plant_, macro_steps_);
      directors_->join(scenario_->director());
    }
    // An earlier run's parameters first, so that the command line has the last word.
    for (const auto& [name, value] : replayed_.parameters_set) set(name, value);
    if (scenario_)
      for (const auto& [name, value] : scenario_->parameters()) set(name, value);
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
    start_hosts();
  } catch (const std::exception& error) {
    throw UsageError(error.what() + why_not_here(error.what()));
  }
}

void Run::prepare_inputs() {
  std::vector<ScriptedInput> changes;
  std::int64_t steps = 0;
  if (!options_.replay.empty()) {
    const bool trials = !options_.trials.empty();
    replayed_ = read_input_log(options_.replay, plant_, trials ? OtherSteps::accepted : OtherSteps::refused);
    if (trials && replayed_.acted_on)
      throw std::runtime_error(options_.replay.string() +
                               ": somebody has acted on the plant in that run (actions.csv); plans are tried without");
    changes = replayed_.changes;
    steps = static_cast<std::int64_t>(replayed_.macro_steps);
    results_.warnings = replayed_.warnings;
    refuse_empty_log();
  }
  for (const std::string& text : options_.input) changes.push_back(parse_scripted_input(text, plant_));
  if (!options_.trials.empty()) trial_inputs_ = changes;
  const Schedule schedule(plant_);
  for (ScriptedInput& change : changes) change.time = schedule.next_taking(change.time);  // by finer plans, too
  script_changes_ = changes;
  script_ = InputScript(std::move(changes), plant_.plant_inputs.size());
  const SimDuration none, h{plant_.macro_step_ns};
  if (options_.duration > none || steps == 0) {
    const SimDuration own = scenario_ ? scenario_->duration() : SimDuration{plant_.default_duration_ns};
    const SimDuration duration = options_.duration > none ? options_.duration : own;
    if (duration <= none && !scenario_ && !options_.paced && options_.trials.empty())
      throw std::runtime_error("this plant has no duration of its own: give --for TIME");
    steps = (duration + h - SimDuration{1}) / h;
  }
  macro_steps_ = static_cast<std::uint64_t>(steps);
  judge_log(SimTime{} + h * steps);
  for (const std::string& text : options_.input)
    if (steps > 0 && schedule.next_taking(parse_scripted_input(text, plant_).time) >= SimTime{} + h * steps)
      results_.warnings.push_back("--input " + text + " takes effect after the end of the run: not at all");
}

void Run::refuse_empty_log() const {
  if (replayed_.macro_steps > 0 || (replayed_.finished && !replayed_.ended) || options_.duration > SimDuration{})
    return;
  throw std::runtime_error(options_.replay.string() +
                           (replayed_.finished ? " ended before its first macro-step"
                                               : " " + not_finished(options_.replay) +
                                                     ", and its log does not say that a macro-step was computed") +
                           ": there is nothing to replay");
}

/// A part of a run is no replay of it, unless that part was asked for; nor is what comes after its end.
void Run::judge_log(SimTime end) {
  if (options_.replay.empty() || (replayed_.finished && !replayed_.ended)) return;
  const std::string reached = formatted("%.9g s", replayed_.end().seconds());
  if (replayed_.finished) {
    if (end > replayed_.end())
      results_.warnings.push_back(options_.replay.string() + " ended at " + reached +
                                  ": what follows has the inputs that it ended with");
    return;
  }
  if (options_.duration > SimDuration{} && end <= replayed_.end()) return;
  const bool goes_on = end > replayed_.end();
  add_verdict(results_,
              {.code = "X052",
               .where = options_.replay.string(),
               .text = not_finished(options_.replay) + ": replayed up to " + reached +
                       (goes_on ? "; what follows is none of that run" : ""),
               .weight = Verdict::Weight::incomplete},
              options_.tolerate);
}

/// What is sent can be overridden and distorted, and frames can be disturbed; also where this run drives no bus, so
/// that the same actions are accepted.
void Run::find_sent() {
  if (program_.make_io == nullptr || follows()) return;
  const auto io = program_.make_io(whole_plant(), {.paced = true, .overrides = options_.bus, .rehearsal = true});
  if (!io) return;
  if (is_apart()) refuse_what_is_sent_elsewhere(*io);
  for (const BusResult& bus : bus_results(io->statistics_json()))
    for (const BusMessage& message : bus.messages)
      if (!message.sent) received_.push_back(bus.name + "." + message.name);
  sent_ = io->sent(), outside_ = io->outside_faults();
  plant_.sent_to_buses = sent_, plant_.outside = outside_.data(), plant_.outside_count = outside_.size();
}

void Run::check_needs() const {
  if (!scenario_ || !scenario_->needs() || program_.make_io == nullptr) return;
  for (const std::string& wanted : *scenario_->needs())
    if (std::find(received_.begin(), received_.end(), wanted) == received_.end()) {
      const std::string hint = did_you_mean(wanted, received_);
      throw std::runtime_error("the scenario needs " + wanted + ", which is no message that the rig receives" +
                               (hint.empty() ? "" : "; " + hint));
    }
}

void Run::set(const std::string& name, const std::string& value) {
  const double number = set_parameter(whole_plant(), name, value);
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  results_.parameters_set.emplace_back(name, text);
}

void Run::refuse_unfit_host() const {
  const auto missing = missing_prerequisites(results_.host);
  if (missing.empty()) return;
  std::string text = "this machine is not fit for real time (--strict):";
  for (const HostFinding& f : missing) text += "\n  " + f.item + ": " + f.value + "; " + f.cost + "; " + f.remedy;
  throw std::runtime_error(text);
}

int Run::try_plans() {
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

bool Run::begins_steady() const {
  if (options_.steady) return *options_.steady;
  return options_.replay.empty() ? plant_.steady_start : replayed_.steady;
}

}  // namespace takt
