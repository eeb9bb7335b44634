#pragma once
// Inside of CanPort: steps before time 0 and after the end of a run. They run on an ordinary thread, which stands where
// the real-time thread stands in between: it hands messages over at their periods and takes what has come.

#include <span>
#include <string>
#include <vector>

#include "runtime/io/can/can_port.hpp"
#include "runtime/io/can/line.hpp"

namespace takt::can {

class CanPort::Stage {
 public:
  /// @param title  "start" or "stop", for messages
  Stage(CanPort& port, const StepSurroundings& around, const char* title);

  /// All signals as the plant in its start state has them, and a first frame of each message.
  void show_start(const std::byte* memory);
  /// What has come before is no answer to the steps of the end.
  void forget_received();
  /// @param to_the_end  what fails holds up nothing, and the user cannot end it
  /// @return what failed first; empty: nothing
  std::string take(std::span<const StepPlan> steps, bool to_the_end);
  /// What steps have set, the last first.  @param lasting_only  but what the plant or a safe value has replaced since
  /// @return what has not left; empty: nothing
  std::string undo(bool lasting_only);
  /// Safe values, and time for them to leave.
  void leave_safe();
  /// Time 0 comes: the grid of messages begins anew.
  void clear();

 private:
  std::string take(const StepPlan& step, bool to_the_end);
  std::string set(const StepPlan& step);
  void put(const SetPlan& set);
  std::string let_leave(std::span<const SetPlan> sets);
  [[nodiscard]] bool is_fulfilled(const StepPlan& step, WallTime since) const;
  void cycle();
  void cycle_for(WallDuration time);
  void receive(Line& line);
  void say(const std::string& text);
  [[nodiscard]] SimTime stage_time() const;  // messages are paced by it
  [[nodiscard]] std::uint64_t bus_errors() const;
  [[nodiscard]] std::string signal_text(const SetPlan& set) const;

  CanPort& port_;
  const StepSurroundings& around_;
  std::string title_;
  WallTime began_;
  std::optional<WallTime> last_set_;  // by the step before
  WallDuration settle_;               // after which the I/O threads have sent what was handed over
};

}  // namespace takt::can
