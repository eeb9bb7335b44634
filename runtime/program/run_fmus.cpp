// FMUs of a run: their processes, where these compute, what became of them.

#include <sched.h>

#include <algorithm>
#include <set>

#include "runtime/executive/rate_split.hpp"
#include "runtime/program/run.hpp"

namespace takt {
namespace {

/// CPUs that the system lets this process use, but for those of the plant. Empty where the plant is not pinned.
std::vector<int> left_by(const std::vector<int>& plant) {
  std::vector<int> left;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (std::find(plant.begin(), plant.end(), -1) != plant.end() || sched_getaffinity(0, sizeof set, &set) != 0)
    return left;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set) && std::find(plant.begin(), plant.end(), cpu) == plant.end())
      left.push_back(cpu);
  return left;
}

bool share_any(const std::vector<int>& some, const std::vector<int>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](int cpu) { return std::find(others.begin(), others.end(), cpu) != others.end(); });
}

}  // namespace

void Run::start_hosts() {
  if (plant_.foreign.empty()) return;
  const auto refuse = [](const char* what) { throw std::runtime_error(std::string("a plant with FMUs ") + what); };
  if (!options_.trials.empty()) refuse("cannot be tried with other plans: its FMUs cannot go back in time");
  if (begins_steady())
    refuse("does not begin in a steady state: its FMUs start from their own values; give --start given");
  if (checkpoint_)
    for (const ForeignDescription& fmu : plant_.foreign)
      if (fmu.why_no_state != nullptr)
        throw std::runtime_error(std::string(fmu.name) + ": it cannot go on from a checkpoint: " + fmu.why_no_state);
  for (const int cpu : options_.fmu_cpus)
    if (cpu >= static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)))
      throw std::runtime_error("--fmu-cpus: there is no CPU " + std::to_string(cpu) + " on this machine");
  hosts_.emplace(plant_.foreign, options_.paced);
}

/// A paced run would wait for them.
void Run::keep_states_of_paced_fmus() {
  if (!options_.paced) return;
  foreign_.assign(plant_.foreign.begin(), plant_.foreign.end());
  for (ForeignDescription& fmu : foreign_)
    if (fmu.why_no_state == nullptr) fmu.why_no_state = "its state is taken in free runs only (--pace free)";
  plant_.foreign = foreign_;
}

void Run::load_fmu_states() {
  try {
    hosts_->load_states(checkpoint_->guests, plant_.macro_step_ns * static_cast<std::int64_t>(checkpoint_->macro_step));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(options_.resume.string() + ": " + error.what());
  }
}

/// Below the plant's threads on their CPUs, and those that wait for the FMUs there; on others nothing of the plant is
/// in their way.
void Run::place_hosts() {
  if (!hosts_ || !options_.paced) return;
  const std::vector<int> given = options_.fmu_cpus.empty() ? left_by(cores_.cpus) : options_.fmu_cpus;
  const bool pinned = std::find(cores_.cpus.begin(), cores_.cpus.end(), -1) == cores_.cpus.end();
  const std::vector<int> cpus = given.empty() && pinned ? std::vector{cores_.cpus.front()} : given;
  const bool apart = pinned ? !share_any(cpus, cores_.cpus) : sysconf(_SC_NPROCESSORS_ONLN) > 1;
  const int deepest = *std::max_element(cores_.below.begin(), cores_.below.end());
  const int priority = std::max(1, options_.rig.priority - 10 - deepest - 1);
  const std::vector<std::size_t> beside = foreign_alone(plant_);
  for (std::size_t number = 0; number < plant_.foreign.size(); ++number) {
    const std::string name = plant_.foreign[number].name;
    const bool waited_for =
        std::none_of(beside.begin(), beside.end(), [&](std::size_t s) { return name == plant_.subsystems[s].name; });
    if (waited_for && !apart)
      throw UsageError(name +
                       " takes its turn within the plant's windows (lag = 0): in real time its process needs a CPU "
                       "beside the plant's; give --cpu and --fmu-cpus, or lag = 1");
    const std::string refused = hosts_->put(number, {.cpus = cpus, .priority = priority, .spins = waited_for});
    if (!refused.empty()) results_.warnings.push_back(refused);
  }
}

/// Its outputs were made not finite to end the run, which is nothing that went wrong.
void Run::name_end_by_fmu(bool failed_before) {
  if (!hosts_) return;
  const std::vector<std::string> ends = hosts_->ends();
  if (!ends.empty() && !results_.stopped_because.empty())
    results_.stopped_because = ends.front(), results_.failed = failed_before;
  else
    results_.warnings.insert(results_.warnings.end(), ends.begin(), ends.end());  // nobody reads it: the run went on
}

void Run::report_hosts() {
  if (!hosts_) return;
  for (const std::string& problem : hosts_->problems()) results_.warnings.push_back(problem);
  const auto is_elsewhere = [this](const std::string& name) {
    for (std::size_t s = 0; host_plan_ && s < plant_.subsystems.size(); ++s)
      if (name == plant_.subsystems[s].name) return host_plan_->placement[s] != host_plan_->own;
    return false;
  };
  for (const foreign::HostStats& stats : hosts_->stats()) {
    if (is_elsewhere(stats.name)) continue;  // it was not asked here
    results_.fmus.push_back({.name = stats.name,
                             .answers = stats.calls.count(),
                             .late = stats.late,
                             .call_us = percentiles(stats.calls, 1e-3),
                             .exchange_us = percentiles(stats.exchanges, 1e-3)});
    results_.digest_void = results_.digest_void || stats.late > 0;
  }
}

}  // namespace takt
