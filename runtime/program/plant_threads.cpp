#include "runtime/program/plant_threads.hpp"

#include <algorithm>
#include <span>

#include "runtime/program/stop_signals.hpp"

namespace takt {

PlantThreads::PlantThreads(Executive& executive, const CoreUse& cores, const Settings& settings)
    : executive_(executive), cores_(cores), settings_(settings) {
  for (std::size_t i = 0; i < executive.workers(); ++i)
    if (settings_.only < 0 || i == static_cast<std::size_t>(settings_.only))
      tasks_.push_back({.cpu = cores_.cpus[i],
                        .priority = priority_of(i),
                        .started =
                            [this, i](int thread_id) {
                              if (settings_.paced) samplers_[i].watch(thread_id);  // overruns are of paced runs
                            },
                        .work =
                            [this, &executive, i] {
                              if (i > 0 && !settings_.leads) return executive.help(i);
                              if (!settings_.begins || settings_.begins()) executive.run();
                            },
                        .ended =
                            [this, i](int thread_id) {
                              if (settings_.paced) samplers_[i].leave(thread_id);
                            }});
  if (settings_.shared != nullptr && tasks_.size() > 1)
    processes_.emplace(RealtimeSettings{.realtime = settings_.paced, .stack_size = settings_.stack_size},
                       std::span(tasks_).subspan(1), *settings_.shared);
}

/// Threads of long windows below those of the buses, which are 10 below the plant's.
int PlantThreads::priority_of(std::size_t worker) const {
  const int below = cores_.below[worker];
  return below == 0 ? settings_.priority : std::max(1, std::max(1, settings_.priority - 10) - below);
}

void PlantThreads::run(RunResults& results) {
  for (std::size_t i = 0; i < executive_.workers(); ++i) samplers_.emplace_back(cores_.cpus[i]);
  std::vector<RealtimeOutcome> outcomes;
  if (processes_) processes_->begin([this](std::size_t task, const char* why) { executive_.lose(task + 1, why); });
  outcomes.push_back(run_realtime_threads({.realtime = settings_.paced, .stack_size = settings_.stack_size},
                                          std::span(tasks_).first(processes_ ? 1 : tasks_.size())));
  if (processes_)
    for (RealtimeOutcome& outcome : processes_->finish()) outcomes.push_back(std::move(outcome));
  for (HostSampler& sampler : samplers_) {
    sampler.stop();
    evidence_.push_back(sampler.evidence());
    evidence_.back().continued = continued_at();
  }
  results.cpu = cores_.cpus.front();
  note(results, outcomes);
  const int deepest = *std::max_element(cores_.below.begin(), cores_.below.end());
  if (deepest > 0 && settings_.priority - 10 - deepest < 1)
    results.warnings.push_back("the priority " + std::to_string(settings_.priority) +
                               " leaves no room for threads of long windows below those of the buses: give 12 or more");
}

void PlantThreads::note(RunResults& results, const std::vector<RealtimeOutcome>& outcomes) {
  results.scheduling = outcomes.front().scheduling;
  for (const RealtimeOutcome& outcome : outcomes) {
    results.minor_faults += outcome.minor_faults, results.major_faults += outcome.major_faults;
    results.involuntary_switches += outcome.involuntary_switches;
    results.failed = results.failed || outcome.lost;
    for (const std::string& warning : outcome.warnings)
      if (std::find(results.warnings.begin(), results.warnings.end(), warning) == results.warnings.end())
        results.warnings.push_back(warning);
  }
}

}  // namespace takt
