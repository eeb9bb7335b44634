#include "runtime/executive/overrun_judge.hpp"

#include <sched.h>

#include <algorithm>

namespace takt {

void OverrunJudge::explain(OverrunIncident& incident, const StepTiming& t, double usual_ns) noexcept {
  const WallDuration allowed = t.deadline - t.release;
  const WallDuration usual{static_cast<std::int64_t>(usual_ns)}, none;
  const WallDuration wake = t.waited ? std::max(none, t.woken - t.release) : none;
  const WallDuration carried = t.waited ? none : std::max(none, t.woken - t.release);
  const WallDuration excess = usual < allowed ? std::max(none, t.compute - usual) : t.compute;
  const WallDuration rest = std::max(none, t.finish - t.release - wake - carried - t.blocked - t.compute);
  incident.wake = wake;
  incident.blocked = t.blocked;
  incident.waited_for = t.waited_for;
  incident.compute = t.compute;
  incident.usual_compute = usual;
  incident.rest = rest;
  const WallDuration largest = std::max({wake, t.blocked, excess, rest});
  if (largest == wake) {
    incident.cause = OverrunCause::woken_late;
  } else if (largest == t.blocked) {
    incident.cause = OverrunCause::blocked;
  } else if (largest == excess) {
    incident.cause = OverrunCause::computed_long;
  } else {
    incident.cause = OverrunCause::unexplained;
  }
}

void OverrunJudge::begin_incident(const StepTiming& t) noexcept {
  OverrunIncident incident;
  incident.macro_step = t.macro_step;
  incident.start = t.start;
  incident.release = t.release;
  incident.late = incident.worst = t.finish - t.deadline;
  incident.inner_late = t.inner ? 1 : 0;
  incident.period = t.period;
  incident.in_grace = t.in_grace;
  incident.worker = t.worker;
  if (t.worker == 0) incident.cpu = sched_getcpu();  // no system call: vDSO on x86-64, restartable sequences on aarch64
  explain(incident, t, usual_[t.instant].running_ns);
  incident.usual_of = usual_[t.instant].count < settled ? t.instant : OverrunIncident::at_that_time;
  const bool long_one = incident.cause == OverrunCause::computed_long;
  incident.subsystem = long_one ? t.longest : t.first_missed;
  incident.before = long_one ? t.before_longest : t.before_missed;
  open_ = true;
  listed_ = log_.incidents.size() < capacity_;
  if (!t.in_grace) ++log_.incident_count, ++log_.by_cause[static_cast<std::size_t>(incident.cause)];
  unlisted_ = overrun_cause_count;
  if (listed_)
    log_.incidents.push_back(std::move(incident));
  else if (!t.in_grace)
    begin_unlisted(incident, t);
}

void OverrunJudge::begin_unlisted(const OverrunIncident& incident, const StepTiming& t) noexcept {
  unlisted_ = static_cast<std::size_t>(incident.cause);
  UnlistedIncidents& all = log_.unlisted[unlisted_];
  if (all.incidents++ == 0) all.first = t.start;
  all.last = t.start;
  extend(all, t);
}

OverrunLog OverrunJudge::take() noexcept {
  for (OverrunIncident& incident : log_.incidents) {
    if (incident.usual_of >= usual_.size()) continue;
    const Usual& usual = usual_[incident.usual_of];
    incident.usual_compute = WallDuration{static_cast<std::int64_t>(usual.sum_ns / static_cast<double>(usual.count))};
  }
  return std::move(log_);
}

}  // namespace takt
