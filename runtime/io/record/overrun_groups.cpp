#include "runtime/io/record/overrun_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "runtime/stats/format.hpp"

namespace takt {
namespace {

struct Words {
  const char *meaning, *remedy;
};

/// In the order of OverrunCause.
constexpr Words words[overrun_cause_count] = {
    {"The kernel woke the thread after the release it had asked for.",
     "Run `takt host` and mend what it names: PREEMPT_RT kernel, isolated CPU, no deep sleep states, interrupts "
     "elsewhere."},
    {"The windows took longer than they usually do.",
     "Look at the computing time of the subsystem named. If all is slower: fixed CPU frequency, nobody else on the "
     "core. If it is this subsystem, what it does at that time takes longer: a longer step or synchronisation time, or "
     "another method. `takt plan PLANT --budget 0.5` finds a plan that leaves room."},
    {"It waited for a result of another core, or for an exchange, that came late.",
     "Look at the incidents of the worker it waited for; place the subsystems differently (--placement) or take fewer "
     "cores."},
    {"Somebody had stopped the process (SIGSTOP, a debugger, a suspended machine).",
     "Do not stop a plant in real time."},
    {"The thread was ready, but another one had its CPU.",
     "Keep the CPU free: isolate it (isolcpus, nohz_full), pin the plant to it (--cpu), a higher --priority than its "
     "rivals."},
    {"The kernel took the CPU away, because real-time threads had used up their share.",
     "Set sched_rt_runtime_us to -1, and lift cpu.max of the control group."},
    {"The hypervisor gave the CPU of this virtual machine to somebody else.",
     "Run on a machine of its own, or pin the virtual CPUs to cores that nobody shares."},
    {"Time passed between release and finish that belongs to no window: interrupts, page faults, or a machine that "
     "stood still.",
     "Run again with --trace \"10 s\" and look at the gap in ui.perfetto.dev; run `takt host`."}};

void add(OverrunGroup& group, const OverrunIncident& incident) {
  if (group.listed++ == 0) group.first = incident.start;
  group.first = std::min(group.first, incident.start);
  group.last = std::max(group.last, incident.start);
  group.misses += incident.windows_late - std::min(incident.windows_late, incident.inner_late);
  group.inner += incident.inner_late;
  group.dropped += incident.dropped;
  if (incident.is_overload()) {
    ++group.overload;
    group.overload_times = std::max(group.overload_times, incident.usual_compute.seconds() / incident.period.seconds());
  }
  const WallDuration late = std::max(incident.worst, incident.late);
  if (group.latest == nullptr || late > group.worst) group.worst = late, group.latest = &incident;
}

void add(OverrunGroup& group, const UnlistedIncidents& others) {
  if (others.incidents == 0) return;
  group.first = group.listed == 0 ? others.first : std::min(group.first, others.first);
  group.last = std::max(group.last, others.last);
  group.misses += others.windows_late - std::min(others.windows_late, others.inner_late);
  group.inner += others.inner_late;
  group.dropped += others.dropped;
  group.worst = std::max(group.worst, others.worst);
}

bool is_overload(const OverrunGroup& group) { return group.listed > 0 && 2 * group.overload > group.listed; }

/// Other cores take work off this one only where no subsystem has most of it.
constexpr double most_of_it = 0.8;

std::string remedy_of_overload(const RunResults& r) {
  const SubsystemResult* largest = nullptr;
  for (const SubsystemResult& s : r.subsystems)
    if (largest == nullptr || s.compute_s > largest->compute_s) largest = &s;
  std::string text = "`takt plan PLANT --budget 0.7` finds the most accurate steps and methods that keep up.";
  if (largest == nullptr) return text;
  const double share = r.solver_s > 0.0 ? largest->compute_s / r.solver_s : 1.0;
  text += " By hand: a longer step, a cheaper method ([solve]) or a longer synchronisation time ([sync])";
  if (r.subsystems.size() > 1)
    text += " for " + largest->name + ", which takes " + formatted("%.0f %%", 100.0 * share) + " of the computing";
  const bool shared_out = r.concurrency.asked > 1;  // as far as it goes
  if (r.subsystems.size() > 1 && share < most_of_it && !shared_out)
    text += "; or more cores (--cores), which several subsystems can share";
  return text + "; else a faster machine.";
}

}  // namespace

std::string meaning_of(const OverrunGroup& group) {
  if (!is_overload(group)) return words[static_cast<std::size_t>(group.cause)].meaning;
  return "There is more to compute than this machine can in the time: usually " +
         formatted("%.3g", group.overload_times) + " times as much.";
}

std::string remedy_of(const RunResults& results, const OverrunGroup& group) {
  return is_overload(group) ? remedy_of_overload(results) : words[static_cast<std::size_t>(group.cause)].remedy;
}

std::vector<OverrunGroup> overrun_groups(const RunResults& r) {
  std::vector<OverrunGroup> all(overrun_cause_count), met;
  std::map<std::pair<std::size_t, std::uint16_t>, std::uint64_t> named;
  for (const OverrunIncident& incident : r.overruns.incidents) {
    if (incident.in_grace) continue;
    const auto cause = static_cast<std::size_t>(incident.cause);
    add(all[cause], incident);
    const std::uint64_t times = ++named[{cause, incident.subsystem}];
    OverrunGroup& group = all[cause];
    if (times >= named[{cause, group.subsystem}]) group.subsystem = incident.subsystem;
  }
  for (std::size_t cause = 0; cause < overrun_cause_count; ++cause) {
    OverrunGroup& group = all[cause];
    group.cause = static_cast<OverrunCause>(cause);
    group.incidents = std::max(r.overruns.by_cause[cause], group.listed);
    add(group, r.overruns.unlisted[cause]);
    if (group.incidents > 0) met.push_back(group);
  }
  const auto weight = [](const OverrunGroup& group) { return std::tuple(group.misses, group.inner, group.incidents); };
  std::stable_sort(met.begin(), met.end(), [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
  return met;
}

std::string subsystem_name(const RunResults& r, std::uint16_t subsystem) {
  return subsystem < r.subsystems.size() ? r.subsystems[subsystem].name : "the executive";
}

std::string counted(std::uint64_t number, const std::string& one, const std::string& several) {
  return std::to_string(number) + " " + (number == 1 ? one : several.empty() ? one + "s" : several);
}

}  // namespace takt
