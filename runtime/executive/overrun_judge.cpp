#include "runtime/executive/overrun_judge.hpp"

#include <sched.h>

#include <algorithm>

namespace takt {

void OverrunJudge::explain(OverrunIncident& incident, const StepTiming& t, double usual_ns) noexcept {
  const std::int64_t allowed = t.deadline_ns - t.release_ns;
  const auto usual = static_cast<std::int64_t>(usual_ns);
  const std::int64_t wake = t.waited ? std::max<std::int64_t>(0, t.woken_ns - t.release_ns) : 0;
  const std::int64_t carried = t.waited ? 0 : std::max<std::int64_t>(0, t.woken_ns - t.release_ns);
  const std::int64_t excess = usual < allowed ? std::max<std::int64_t>(0, t.compute_ns - usual) : t.compute_ns;
  const std::int64_t rest =
      std::max<std::int64_t>(0, t.finish_ns - t.release_ns - wake - carried - t.blocked_ns - t.compute_ns);
  incident.wake_ns = wake;
  incident.blocked_ns = t.blocked_ns;
  incident.compute_ns = t.compute_ns;
  incident.usual_compute_ns = usual;
  incident.rest_ns = rest;
  const std::int64_t largest = std::max({wake, t.blocked_ns, excess, rest});
  if (largest == wake) {
    incident.cause = OverrunCause::woken_late;
  } else if (largest == t.blocked_ns) {
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
  incident.simulated_ns = t.simulated_ns;
  incident.release_ns = t.release_ns;
  incident.late_ns = t.finish_ns - t.deadline_ns;
  incident.period_ns = t.period_ns;
  incident.in_grace = t.in_grace;
  incident.cpu = sched_getcpu();  // no system call: vDSO on x86-64, restartable sequences on aarch64
  explain(incident, t, usual_ns_);
  const bool long_one = incident.cause == OverrunCause::computed_long;
  incident.subsystem = long_one ? t.longest : t.first_missed;
  incident.before = long_one ? t.before_longest : t.before_missed;
  open_ = true;
  listed_ = log_.incidents.size() < capacity_;
  if (!t.in_grace) ++log_.incident_count, ++log_.by_cause[static_cast<std::size_t>(incident.cause)];
  if (listed_) log_.incidents.push_back(std::move(incident));
}

}  // namespace takt
