// What the executive itself adds to the trace; windows and waits are added by the workers.

#include "runtime/executive/executive.hpp"

namespace takt {

/// Values have been handed over or taken.
void Executive::note_transfer(TraceKind kind, std::uint64_t macro_step, std::uint32_t number) noexcept {
  const std::uint64_t now = clock_.ticks_in_passing();
  leader().trace({.begin = now, .end = now, .macro_step = macro_step, .number = number, .kind = kind});
}

/// The surroundings of a new incident are kept.
void Executive::note_overrun(const StepTiming& timing) noexcept {
  const OverrunLog& log = judge_.log();
  const std::size_t listed = log.incidents.size();
  const bool is_new = listed > 0 && log.incidents.back().macro_step == timing.macro_step;
  if (is_new || listed == 0) trace_->places.note(timing.macro_step);
  leader().trace({.begin = static_cast<std::uint64_t>(timing.deadline.ns()),
                  .end = static_cast<std::uint64_t>(timing.finish.ns()),
                  .macro_step = timing.macro_step,
                  .number = judge_.is_listed() ? static_cast<std::uint32_t>(listed - 1) : TraceEvent::none,
                  .detail = timing.worker,
                  .kind = TraceKind::overrun});
}

}  // namespace takt
