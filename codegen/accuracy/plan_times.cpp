#include "codegen/accuracy/plan_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "codegen/plan/travel_delays.hpp"
#include "codegen/stability/divisors.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_alone = 12;
constexpr double of_window = 30.0, of_coupling = 10.0,
                 of_step = 10.0;  // evaluations that they cost as much as

/// Explicit methods by what they evaluate, so that small and large circuits compare; matrices by
/// what they take.
double evaluations_of_step(const PlanSubsystem& s) {
  const auto counted = static_cast<double>(s.method->evaluations_of(s.stages));
  return s.method->solves || s.method->needs_linear ? std::max(counted, s.step_evaluations)
                                                    : counted;
}

/// Commands for gates, from blocks.
bool gates_follow_control(const DaeResult& dae) {
  bool gates = false, control = false;
  for (const Surrogate& surrogate : dae.subsystems)
    by_kind(
        surrogate.kind, [](const SmoothCircuit&) {}, [&](const SwitchedCircuit&) { gates = true; },
        [&](const ControlTask&) { control = true; }, [](const ForeignTask&) {});
  return gates && control;
}

}  // namespace

PlanTimesSpace::PlanTimesSpace(const PlantEquations& plant, const Plan& plan) : plan_(plan) {
  periods_divide_ = !gates_follow_control(plant.dae);
  for (const PlanRecord& record : plan.records) record_ns_ = std::gcd(record_ns_, record.period_ns);
  std::vector<bool> holds_given(plan.groups.size(), false);
  sampled_in_.resize(plan.groups.size());
  travel_ns_.assign(plan.groups.size(), std::numeric_limits<std::int64_t>::max());
  for (const PlanCoupling& coupling : plan.couplings)
    if (coupling.delay) travel_ns_[coupling.group] = shortest_travel_ns(plant.network);
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k) {
    const PlanSubsystem& s = plan.subsystems[k];
    const double equations = static_cast<double>(plant.dae.subsystems[k].equations) + of_step;
    step_work_.push_back(equations * evaluations_of_step(s) + of_step);
    window_work_.push_back(equations + of_window +
                           of_coupling * static_cast<double>(s.inputs.size() + s.outputs.size()));
    sampled_.push_back(s.method->is_sampled());
    if (s.method->is_sampled()) sampled_in_[s.group].push_back(s.every_ns);
    whole_.push_back(s.method->needs_linear && s.step_ns == s.period_ns && !s.step_given);
    for (std::optional<std::size_t> group = s.group; s.step_given && group;
         group = plan.groups[*group].parent)
      holds_given[*group] = true;
  }
  const auto moves = [&](std::size_t k) {
    return !plan.subsystems[k].step_given && !sampled_[k] && !whole_[k];
  };
  std::size_t steps = 0;
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k) steps += moves(k) ? 1 : 0;
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k)
    if (moves(k)) add_step(k, steps > most_alone);
  for (std::size_t k = 0; periods_divide_ && k < plan.groups.size(); ++k)
    if (plan.groups[k].proposed && !holds_given[k])
      free_.push_back(
          {FreeTime::Kind::period, {k}, 1, "the synchronisation time of " + plan.groups[k].name});
}

void PlanTimesSpace::add_step(std::size_t subsystem, bool by_domain) {
  const PlanSubsystem& s = plan_.subsystems[subsystem];
  if (by_domain)
    for (FreeTime& known : free_) {
      const PlanSubsystem& first = plan_.subsystems[known.members.front()];
      if (first.domain != s.domain || first.group != s.group || first.method != s.method ||
          first.step_ns != s.step_ns)
        continue;
      known.members.push_back(subsystem);
      known.name = "the steps of " + std::to_string(known.members.size()) + " " +
                   text_of(s.domain) + " circuits, " + first.name + " among them";
      return;
    }
  free_.push_back({FreeTime::Kind::step, {subsystem}, s.method->order, "the step of " + s.name});
}

PlanTimes PlanTimesSpace::times() const {
  PlanTimes times;
  for (const PlanSubsystem& s : plan_.subsystems) times.step_ns.push_back(s.step_ns);
  for (const SyncGroup& group : plan_.groups) times.period_ns.push_back(group.period_ns);
  return times;
}

/// The longest part of `whole` that is at most `most` and suits the control blocks: what they
/// sample reaches them in time, unless the plan was already slower.
std::int64_t PlanTimesSpace::fitted_period(std::size_t group, std::int64_t whole,
                                           std::int64_t most) const {
  most = std::min(most, travel_ns_[group]);
  const auto suits = [&](std::int64_t period) {
    return std::all_of(
        sampled_in_[group].begin(), sampled_in_[group].end(), [&](std::int64_t every) {
          const bool slower = period % every == 0 && period <= plan_.groups[group].period_ns;
          return every % period == 0 || slower;
        });
  };
  std::int64_t period = nearest_divisors(whole, std::max<std::int64_t>(1, most)).below;
  while (period > 1 && !suits(period)) period = nearest_divisors(whole, period - 1).below;
  return period;
}

PlanTimes PlanTimesSpace::fitted(PlanTimes wished) const {
  std::vector<std::int64_t>& periods = wished.period_ns;
  const std::int64_t outermost = record_ns_ > 0 ? record_ns_ : plan_.macro_step_ns;
  periods.front() = fitted_period(0, outermost, std::min(periods.front(), outermost));
  for (std::size_t k = 1; k < periods.size(); ++k)
    periods[k] = fitted_period(k, periods[*plan_.groups[k].parent], periods[k]);
  for (std::size_t k = 0; k < wished.step_ns.size(); ++k) {
    const std::int64_t window = periods[plan_.subsystems[k].group];
    wished.step_ns[k] =
        whole_[k] ? window
                  : nearest_divisors(window, std::max<std::int64_t>(1, wished.step_ns[k])).below;
  }
  return wished;
}

void PlanTimesSpace::scale(PlanTimes& times, const FreeTime& which, double factor) {
  std::vector<std::int64_t>& all =
      which.kind == FreeTime::Kind::step ? times.step_ns : times.period_ns;
  for (const std::size_t k : which.members)
    all[k] = std::max<std::int64_t>(1, std::llround(static_cast<double>(all[k]) * factor));
}

PlanTimes PlanTimesSpace::moved(PlanTimes from, const FreeTime& which, double factor) const {
  scale(from, which, factor);
  return fitted(std::move(from));
}

PlanTimes PlanTimesSpace::divided(const PlanTimes& from, std::int64_t divisor) const {
  PlanTimes parts = from;
  for (std::int64_t& step : parts.step_ns) step = std::max<std::int64_t>(1, step / divisor);
  if (periods_divide_)
    for (std::int64_t& period : parts.period_ns)
      period = std::max<std::int64_t>(1, period / divisor);
  // The outermost time divides what it was, so that plans meet again soon.
  parts.period_ns.front() = fitted_period(0, from.period_ns.front(), parts.period_ns.front());
  return fitted(std::move(parts));
}

double PlanTimesSpace::work_of_steps(const PlanTimes& times, std::size_t subsystem) const {
  const std::int64_t window = times.period_ns[plan_.subsystems[subsystem].group];
  return 1e9 * step_work_[subsystem] /
         static_cast<double>(sampled_[subsystem] ? window : times.step_ns[subsystem]);
}

double PlanTimesSpace::work(const PlanTimes& times, std::size_t subsystem) const {
  const std::int64_t window = times.period_ns[plan_.subsystems[subsystem].group];
  return work_of_steps(times, subsystem) +
         1e9 * window_work_[subsystem] / static_cast<double>(window);
}

double PlanTimesSpace::work(const PlanTimes& times) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < times.step_ns.size(); ++k) sum += work(times, k);
  return sum;
}

}  // namespace takt::codegen
