#pragma once
// The rest bus: messages of simulated nodes that carry nothing of the plant. Their frames are whole in the rig's
// tables; the I/O thread alone says when they leave, each on a grid of its own.

#include <span>
#include <vector>

#include "runtime/io/can/plan.hpp"

namespace takt::can {

class RestBus {
 public:
  explicit RestBus(std::span<const RestPlan> plans) : plans_(plans), due_(plans.size()) {}

  /// Every message after its delay.
  void start(WallTime now);
  /// The same for those of one node.
  void start_node(std::uint16_t node, WallTime now);
  [[nodiscard]] const RestPlan& plan(std::size_t message) const { return plans_[message]; }
  [[nodiscard]] std::size_t size() const { return plans_.size(); }
  [[nodiscard]] Frame frame(std::size_t message) const;
  /// Whether it is due; if so, its next one is a period later. Periods that have passed by meanwhile are left out.
  [[nodiscard]] bool take_due(std::size_t message, WallTime now);

 private:
  std::span<const RestPlan> plans_;
  std::vector<WallTime> due_;  // by message
};

}  // namespace takt::can
