#include "runtime/scenario/scenario.hpp"

#include <cmath>

namespace takt {
namespace {

using Verdict = ExpectationResult::Verdict;
using Trigger = ScenarioStep::Trigger;

constexpr SimTime never{-1};

/// Whether a step may begin at the boundary at which the one before is done.
bool at_once(const ScenarioStep& step) { return step.trigger != Trigger::after || step.time == SimDuration{}; }

bool observes(const ScenarioProgram& program, const ScenarioStep& step) {
  const auto of = [&](std::uint32_t expression) {
    return expression != no_expression && program.expressions[expression].observes;
  };
  bool any = of(step.when);
  for (const std::uint32_t index : step.expectations)
    any = any || of(program.expectations[index].expression) || of(program.expectations[index].until);
  for (const std::uint32_t index : step.waveforms) any = any || of(program.waveforms[index].until);
  return any;
}

}  // namespace

Scenario::Scenario(const ScenarioProgram& program, const PlantDescription& plant, const Options& options)
    : program_(program),
      plant_(plant),
      options_(options),
      memory_(plant.memory),
      judged_(program.expectations.size()),
      running_(program.waveforms.size()),
      taken_(program.steps.size()),
      begun_(program.steps.size(), never),
      looks_(program.steps.size()) {
  for (std::size_t index = 0; index < judged_.size(); ++index) {
    judged_[index].values = values_.size();
    values_.resize(values_.size() + program.expressions[program.expectations[index].expression].rows.size());
  }
  for (std::size_t step = program.steps.size(); step-- > 0;) {
    const ScenarioStep& it = program.steps[step];
    const bool joined = step + 1 < program.steps.size() && at_once(program.steps[step + 1]);
    taken_[step].assign(it.actions.size(), never);
    looks_[step] = observes(program, it) || (joined && looks_[step + 1]);
  }
}

/// Inputs that the first steps set have their values from the start.
void Scenario::start(ActionSink& sink) {
  if (options_.judge_only) return;
  for (const ScenarioStep& step : program_.steps) {
    const bool now = step.trigger == Trigger::at_once || (step.trigger != Trigger::when && step.time == SimDuration{});
    if (!now) return;
    for (const Action& action : step.actions)
      if (action.verb == Action::Verb::set) (void)sink.act(action, 0);
    for (const std::uint32_t index : step.waveforms) {
      const Waveform& it = program_.waveforms[index];
      const double from = it.from.value_or(plant_.plant_inputs[it.input].start);
      (void)sink.act({.verb = Action::Verb::set, .target = it.input, .value = it.at({}, from)}, 0);
    }
    for (const std::uint32_t index : step.expectations)
      if (program_.expectations[index].waited) return;
  }
}

void Scenario::settled(const Action&, SimTime, const char* refused) noexcept {
  refused_ += refused != nullptr ? 1U : 0U;
}

std::string Scenario::name_of(std::uint16_t) const { return "scenario"; }

void Scenario::direct(SimTime now, ActionSink& sink) noexcept {
  if (over_) return;
  judge_all(now);
  while (next_ < program_.steps.size() && waited_ == 0 && may_begin(now)) begin(now, sink);
  if (over_) {
    if (!options_.judge_only) sink.stop("a step of the scenario did not begin in time");
    return;
  }
  go_on(now, sink);
  if (options_.end > SimTime{} || !is_complete()) return;
  finish(now);
  if (!options_.judge_only) sink.stop("the scenario has ended");
}

/// Whether the next step begins now. Where its condition has not held in time, the scenario is over.
bool Scenario::may_begin(SimTime now) noexcept {
  const ScenarioStep& step = program_.steps[next_];
  switch (step.trigger) {
    case Trigger::at_once:
      return true;
    case Trigger::at:
      return now >= SimTime{} + step.time;
    case Trigger::after:
      return now >= base_ + step.time;
    case Trigger::when:
      break;
  }
  if (holds(step.when, now)) return true;
  if (now - base_ < step.timeout) return false;
  timed_out_ = over_ = true;
  ended_ = now;
  return false;
}

void Scenario::begin(SimTime now, ActionSink& sink) noexcept {
  const ScenarioStep& step = program_.steps[next_];
  // The step before was done at the first boundary of this time or later: an earlier time could not be kept.
  if (step.trigger == Trigger::at && base_ > SimTime{} + step.time &&
      base_ - (SimTime{} + step.time) >= SimDuration{plant_.macro_step_ns} && !late_)
    late_ = true, late_at_ = now;
  begun_[next_] = now;
  base_ = now;
  for (std::size_t index = 0; index < step.actions.size(); ++index)
    act(step.actions[index], sink, taken_[next_][index]);
  begin_waveforms(step, now);
  ++next_;
  for (const std::uint32_t index : step.expectations) {
    judged_[index].begun = true;
    judged_[index].from = now;
    waited_ += program_.expectations[index].waited ? 1U : 0U;
    open_ += program_.expectations[index].ends() ? 1U : 0U;
    judge(index, now);
  }
}

void Scenario::act(const Action& action, ActionSink& sink, SimTime& taken) noexcept {
  if (options_.judge_only) return;
  taken = sink.act(action, 0);
  lost_ += taken < SimTime{} ? 1U : 0U;
}

void Scenario::begin_waveforms(const ScenarioStep& step, SimTime now) noexcept {
  for (const std::uint32_t input : step.frees)
    for (std::size_t index = 0; index < running_.size(); ++index)
      if (program_.waveforms[index].input == input) running_[index].on = false;
  for (const std::uint32_t index : step.waveforms) {
    const Waveform& waveform = program_.waveforms[index];
    running_[index] = {.on = true, .from = now, .from_value = waveform.from.value_or(value_at(waveform.offset))};
  }
}

void Scenario::go_on(SimTime now, ActionSink& sink) noexcept {
  for (std::size_t index = 0; index < running_.size(); ++index) {
    Running& running = running_[index];
    const Waveform& waveform = program_.waveforms[index];
    if (!running.on) continue;
    if (waveform.until != no_expression && holds(waveform.until, now)) {
      running.on = false;
      continue;
    }
    const SimDuration since = now - running.from;
    const double value = waveform.at(since, running.from_value);
    if (!running.sent || value != running.last) {
      SimTime taken;
      act({.verb = Action::Verb::set, .target = waveform.input, .value = value}, sink, taken);
      running.sent = true;
      running.last = value;
    }
    if (waveform.over > SimDuration{} && since >= waveform.over) running.on = false;
  }
}

/// Nothing is left that ends by itself.
bool Scenario::is_complete() const noexcept {
  if (next_ < program_.steps.size() || open_ > 0) return false;
  for (std::size_t index = 0; index < running_.size(); ++index)
    if (running_[index].on && program_.waveforms[index].over > SimDuration{}) return false;
  return true;
}

/// What holds to the end has held.
void Scenario::finish(SimTime now) noexcept {
  for (std::uint32_t index = 0; index < judged_.size(); ++index)
    if (judged_[index].begun && !program_.expectations[index].ends() && judged_[index].verdict == Verdict::undecided)
      decide(index, true, Why::compared, now);
  over_ = true;
  ended_ = now;
}

void Scenario::end(SimTime now) noexcept {
  has_ended_ = true;
  if (over_) return;
  ended_ = now;
  cut_ = options_.end == SimTime{} || now < options_.end;
  if (!cut_ && next_ == program_.steps.size()) finish(now);
}

bool Scenario::could_begin(SimTime now) const noexcept {
  if (over_ || next_ == program_.steps.size()) return false;
  const ScenarioStep& step = program_.steps[next_];
  if (step.trigger == Trigger::at) return now >= SimTime{} + step.time;
  if (step.trigger == Trigger::after && waited_ == 0) return now >= base_ + step.time;
  return true;
}

bool Scenario::looks_at(SimTime now) const noexcept {
  if (over_) return false;
  if (could_begin(now) && looks_[next_]) return true;
  for (std::size_t index = 0; index < judged_.size(); ++index) {
    const Expectation& it = program_.expectations[index];
    const bool reads = program_.expressions[it.expression].observes ||
                       (it.until != no_expression && program_.expressions[it.until].observes);
    if (reads && judged_[index].begun && judged_[index].verdict == Verdict::undecided) return true;
  }
  for (std::size_t index = 0; index < running_.size(); ++index)
    if (const std::uint32_t until = program_.waveforms[index].until;
        running_[index].on && until != no_expression && program_.expressions[until].observes)
      return true;
  return false;
}

bool Scenario::may_act_at(SimTime now) const noexcept {
  if (over_) return false;
  if (could_begin(now)) return true;
  for (const Judged& judged : judged_)
    if (judged.begun && judged.verdict == Verdict::undecided) return true;
  for (const Running& running : running_)
    if (running.on) return true;
  return false;
}

}  // namespace takt
