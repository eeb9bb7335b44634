// After a run: audit, verdicts, files, what is printed.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "runtime/audit/audit.hpp"
#include "runtime/io/record/report.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/trace_file.hpp"
#include "runtime/program/recording.hpp"
#include "runtime/program/run.hpp"
#include "runtime/program/stop_signals.hpp"
#include "runtime/program/verdicts.hpp"

namespace takt {

void Run::audit_run(std::span<const PlantCopy> copies) {
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

std::string Run::why_not_audited() const {
  if (results_.failed) return "the run failed";
  if (!plant_.foreign.empty()) return "its FMUs cannot be run again from the middle";
  if (checkpoint_) return "the run goes on from a checkpoint";
  if (host_plan_) return "other hosts compute parts of it";
  if (acted_on_) return "somebody has acted on the plant while it ran";
  if (results_.jumped_periods > 0) return "simulated time has jumped";
  if (stop_signal() == SIGTERM || stop_signal() == SIGHUP) return "ended by a signal";
  if (io_ && (!recorder_ || results_.input_changes_lost > 0)) return "what came from buses was not logged";
  return {};
}

/// That a replay takes again.
std::size_t Run::logged_actions() const {
  return static_cast<std::size_t>(
      std::count_if(results_.actions.begin(), results_.actions.end(),
                    [](const ActionResult& action) { return action.refused.empty() && action.text != "checkpoint"; }));
}

/// What was asked for on the command line or by a replayed log and did not happen makes the run another one. Clients of
/// the tap have had their answers, a scenario its verdict.
void Run::judge_actions() {
  const auto is_outside = [&](const ActionResult& action) {
    return std::any_of(outside_.begin(), outside_.end(), [&](const OutsideFault& fault) {
      return action.text.starts_with("inject " + fault.path + " ");
    });
  };
  if (!io_ && options_.replay.empty() && std::any_of(results_.actions.begin(), results_.actions.end(), is_outside))
    results_.warnings.emplace_back("faults of a bus had no effect: this run drives none (--pace real does)");
  if (directors_->has_failed()) note_problem("some actions found no room and were not taken");
  for (const ActionResult& action : results_.actions) {
    if (action.refused.empty()) continue;
    const bool scripted = !options_.replay.empty() || action.author == "command line";
    if (scripted) note_problem("refused: " + action.text + ": " + action.refused);
  }
  if (results_.tunings_late > 0)
    results_.warnings.push_back("tunings took effect up to " + std::to_string(results_.tunings_late) +
                                " macro-steps late: a free run would have had them in time");
  if (results_.actions_lost > 0)
    note_problem(std::to_string(results_.actions_lost) +
                 " actions are missing in the log: this run cannot be replayed");
}

/// A scenario ends its run itself, as another host may; a run without duration goes on until somebody ends it.
bool Run::was_interrupted() const {
  if (results_.failed || !results_.interrupted) return false;
  if (follows()) return stop_signal() != 0;
  return scenario_ ? results_.scenario.cut : macro_steps_ > 0;
}

void Run::finish() {
  judge_actions();
  for (OverrunIncident& incident : results_.overruns.incidents)
    if (incident.worker > 0) incident.cpu = cores_.cpus[incident.worker];
  attribute(results_.overruns, threads_->evidence());
  if (io_) {
    for (const IoEvent& event : io_->events()) results_.io_events.push_back({event.time.seconds(), event.text});
    results_.io_statistics_json = io_->statistics_json();
    note_problem(io_->problem());
    for (const IoFinding& finding : io_->findings())
      if (*finding.code == '\0')
        results_.warnings.push_back(finding.where + ": " + finding.text);
      else
        add_verdict(results_,
                    {.code = finding.code,
                     .where = finding.where,
                     .text = finding.text,
                     .first_s = finding.time.seconds(),
                     .weight = Verdict::Weight::incomplete},
                    options_.tolerate);
  }
  judge_senders();
  if (tap_) tap_->end(), report_tap(*tap_, results_);
  results_.interrupted = was_interrupted();
  results_.asked_s = static_cast<double>(macro_steps_) * results_.macro_step_s;
  judge_results(results_, options_.tolerate, options_.rig.late);
  if (stop_signal() == SIGHUP && !results_.stopped_because.empty()) results_.failed = true;
  if (recorder_) write_results();
  print_results();
}

void Run::write_results() {
  results_.run_directory = directory_.string();
  if (results_.input_changes_lost > 0)
    results_.warnings.push_back("changes of plant inputs were lost from the log: this run cannot be replayed exactly");
  if (options_.report)
    attempt(
        [&] { write_run_file(directory_, "report.html", report_html(results_, kept_network(options_, directory_))); });
  if (!cores_.cores.empty())
    attempt([&] { write_run_file(directory_, "placement.csv", placement_text(plant_, cores_.cores)); });
  if (trace_) attempt([&] { results_.trace = write_trace(run_file(directory_, "trace.pftrace"), *trace_, results_); });
  note_problem(recorder_->conclude(results_, summary_json(results_)));
  attempt([&] { summary_->write(summary_json(results_)); });
}

void Run::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::runtime_error& error) {
    note_problem(error.what());
  }
}

void Run::note_problem(const std::string& problem) {
  if (problem.empty()) return;
  results_.failed = true;
  results_.warnings.push_back(problem);
}

void Run::print_results() {
  if (follows() && options_.quiet && !options_.json) {
    std::printf("host %s: %s%s\n", host_plan_->names[host_plan_->own].c_str(),
                results_.failed        ? "the run failed"
                : results_.interrupted ? "the run was interrupted"
                                       : "the run has ended",
                recorder_ ? (", results in " + directory_.string()).c_str() : "");
    for (const std::string& warning : results_.warnings) std::printf("  %s\n", warning.c_str());
    return;
  }
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

}  // namespace takt
