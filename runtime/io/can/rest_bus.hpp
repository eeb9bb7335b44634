#pragma once
// The rest bus: messages of simulated nodes that carry nothing of the plant. Their frames are whole in the rig's
// tables; the I/O thread alone says when they leave, each on a grid of its own.

#include <optional>
#include <span>
#include <vector>

#include "runtime/io/can/plan.hpp"

namespace takt::can {

class RestBus {
 public:
  explicit RestBus(const BusPlan& bus);

  /// It waits for a frame, or a signal: until begin() nothing is due.
  [[nodiscard]] bool waits() const { return !began_; }
  /// Whether a frame that has come is what it waits for.  @param frame  of anybody, after what goes wrong on the bus
  [[nodiscard]] bool is_called_by(const Frame& frame) const;
  /// The same for a frame that the plant takes.  @param frame  with its index of BusPlan::receive
  [[nodiscard]] bool is_allowed_by(const Frame& frame);
  /// Every message after its delay.
  void begin(WallTime now);
  /// When it began; nothing: it has not.
  [[nodiscard]] std::optional<WallTime> began() const { return began_; }
  /// The same for those of one node.
  void start_node(std::uint16_t node, WallTime now);
  [[nodiscard]] const RestPlan& plan(std::size_t message) const { return bus_.rest[message]; }
  [[nodiscard]] std::size_t size() const { return bus_.rest.size(); }
  [[nodiscard]] Frame frame(std::size_t message) const;
  /// Whether it is due; if so, its next one is a period later. Periods that have passed by meanwhile are left out.
  [[nodiscard]] bool take_due(std::size_t message, WallTime now);

 private:
  const BusPlan& bus_;
  std::vector<WallTime> due_;   // by message
  std::vector<double> values_;  // of the message of a condition, DBC units
  std::optional<WallTime> began_;
};

}  // namespace takt::can
