#pragma once
// Who acts on a plant while it runs, between macro-steps: a scenario, the clients of the tap, a log of an earlier run.

#include <cstdint>
#include <string>

#include "runtime/plant/time.hpp"
#include "runtime/steering/action.hpp"

namespace takt {

class WindowCopies;

/// Where a director hands its actions to. Real-time: wait-free.
class ActionSink {
 public:
  ActionSink() = default;
  ActionSink(const ActionSink&) = delete;
  ActionSink& operator=(const ActionSink&) = delete;

  /// Takes effect at this boundary, set at time 0 as the next inputs are taken; tuning and faults of elements, whose
  /// coefficients are computed outside real time, a fixed number of macro-steps later (Steering::latency()). @param
  /// author  of the director's list, for the log
  /// @return when it takes effect; a negative time: there is no room, it does not
  virtual SimTime act(const Action& action, std::uint16_t author) noexcept = 0;
  /// The run ends in order after what has been computed.  @param because  static text
  virtual void stop(const char* because) noexcept = 0;
  /// Of windows, for who wants to see inside of them; nullptr: there are none.
  [[nodiscard]] virtual WindowCopies* window_copies() noexcept { return nullptr; }

 protected:
  ~ActionSink() = default;
};

/// Phases: construct (may allocate and throw), start(), then direct() at the boundaries before macro-steps that
/// looks_at() or may_act_at() have named, at time 0 and once more at the end of the run; then what it has found is
/// read.
class Director {
 public:
  virtual ~Director() = default;
  /// Before the plant is initialised: plant inputs that are set here have these values from the start. Nothing else may
  /// be acted here, and values in plant memory mean nothing yet. Not real-time.
  virtual void start(ActionSink& sink) { (void)sink; }
  /// Outputs, states, inputs and signals in plant memory are those of this time: everything has been observed where
  /// looks_at() said so before. Real-time: bounded, wait-free, no heap, no system call.
  virtual void direct(SimTime now, ActionSink& sink) noexcept = 0;
  /// Whether it reads signals at this time: then they are brought up to date, which costs. Asked before the windows
  /// that end then are computed. Real-time, as direct() and on its thread.
  [[nodiscard]] virtual bool looks_at(SimTime now) const noexcept = 0;
  /// It may act at this time: then nothing is computed ahead of it. Asked before now is reached, the answer may change
  /// from no to yes (a command has come). Real-time, as direct() and on its thread.
  [[nodiscard]] virtual bool may_act_at(SimTime now) const noexcept = 0;
  /// A tuning or a fault that it asked for has taken effect now, or has been refused. Real-time.
  /// @param refused  why; gone after the call. nullptr: it has taken effect
  virtual void settled(const Action& action, SimTime now, const char* refused) noexcept {
    (void)action, (void)now, (void)refused;
  }
  /// Plant inputs that it sets are noted one by one in the report: somebody sets them now and then, no waveform does.
  [[nodiscard]] virtual bool sets_by_hand() const noexcept { return false; }
  /// For the log. On an ordinary thread, while the run goes on.
  [[nodiscard]] virtual std::string name_of(std::uint16_t author) const {
    (void)author;
    return {};
  }
  /// The last boundary has passed, the last direct() was for it. Real-time.
  virtual void end(SimTime now) noexcept { (void)now; }
};

}  // namespace takt
