#include "runtime/fmu/co_simulation.hpp"

namespace takt::fmu {

Result CoSimulation::serve(double t, bool input, bool& terminate) noexcept {
  if (watch_ != nullptr)
    if (const Result seen = watch_->before(instance_, t); !seen.done()) return seen;
  if (const Result entered = instance_.enter_event_mode(); !entered.done()) return entered;
  if (input)
    if (const Result inputs = inputs_.all(instance_, t); !inputs.done()) return inputs;
  EventInfo info;
  if (const Result settled = instance_.settle(info); !settled.done()) return settled;
  terminate = info.terminate;
  if (terminate) return {};
  if (const Result left = instance_.leave_event_mode(); !left.done()) return left;
  return watch_ == nullptr ? Result{} : watch_->after(instance_, t);
}

Advanced CoSimulation::start(double t) noexcept {
  if (!instance_.event_mode_used()) return {{}, t};
  EventInfo info;
  if (const Result settled = instance_.settle(info); !settled.done()) return {settled, t};
  if (info.terminate) return {{}, t, true};
  return {instance_.leave_event_mode(), t};
}

Advanced CoSimulation::input_event(double t) noexcept {
  if (!instance_.event_mode_used()) return {{}, t};
  ++counts_.input_events;
  bool terminate = false;
  const Result result = serve(t, true, terminate);
  return {result, t, terminate};
}

Advanced CoSimulation::advance(double t, double end) noexcept {
  ++counts_.steps;
  for (int part = 0; part < most_parts; ++part) {
    const Result inputs = instance_.event_mode_used() ? inputs_.continuous(instance_, t) : inputs_.all(instance_, t);
    if (!inputs.done()) return {inputs, t};
    StepEnd step;
    const Result stepped = instance_.do_step(t, end - t, step);
    if (!stepped.done()) return {stepped, step.reached, step.terminate};
    if (step.early_return) ++counts_.early_returns;
    t = step.early_return && step.reached < end ? step.reached : end;
    if (step.terminate) return {{}, step.reached, true};
    if (step.event && instance_.event_mode_used()) {
      ++counts_.state_events;
      bool terminate = false;
      if (const Result served = serve(t, false, terminate); !served.done()) return {served, t};
      if (terminate) return {{}, t, true};
    }
    if (t >= end) return {{}, end};
  }
  return {{Status::refused, "DoStep", "more than 1000 early returns in one step"}, t};
}

}  // namespace takt::fmu
