#pragma once
// Who computes what, and what must have been computed before.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/schedule.hpp"

namespace takt {

/// By subsystem, the worker that computes it, counted from 0; every worker has something to do.
using Placement = std::vector<std::uint16_t>;

/// A window that must have been computed before another one: because its values are read there, or because the ring
/// that carries them has no more room.
struct Precedence {
  std::uint32_t before = 0, after = 0;  ///< slots of the schedule
  std::uint32_t earlier = 0;            ///< `before` is of so many macro-steps earlier
  bool carries_values = true;
};

/// Between different subsystems; where a subsystem follows itself is left to its worker.
[[nodiscard]] std::vector<Precedence> precedences(const PlantDescription& plant, const Schedule& schedule);

/// The schedule shared out. Each worker computes its slots in the order of the schedule; every precedence goes forward
/// in that order, so nobody waits for ever, whoever computes what.
class WorkPlan {
 public:
  /// Before a slot: worker `worker` has computed that many of its slots since the start, and those of all macro-steps
  /// before this one. Below zero: of one before.
  struct Wait {
    std::uint16_t worker = 0;
    std::int64_t slots = 0;
  };
  struct Part {  // of one worker
    std::vector<Schedule::Slot> slots;
    std::vector<std::uint32_t> first_wait;  ///< by slot, and one more
    std::vector<Wait> waits;
    /// By instant, and at last for the end of the macro-step: slots of the macro-step that must have been computed when
    /// it comes.
    std::vector<std::uint32_t> due;
    /// By instant: of what this worker begins there, the earliest end that is due.
    std::vector<SimDuration> deadlines;
    std::vector<std::uint32_t> order;  ///< by slot: its place in the schedule
    std::vector<std::uint16_t> subsystems;
  };

  /// @throw std::invalid_argument  a placement that is not of this plant
  WorkPlan(const PlantDescription& plant, const Schedule& schedule, const Placement& placement);
  [[nodiscard]] std::span<const Part> parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint16_t worker_of(std::uint16_t subsystem) const noexcept { return placement_[subsystem]; }
  [[nodiscard]] std::span<const std::uint16_t> placement() const noexcept { return placement_; }

 private:
  void share_out(const Schedule& schedule, const std::vector<Precedence>& all);
  void add_waits(const std::vector<Precedence>& all, const Schedule& schedule);

  Placement placement_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> place_of_;  // by slot of the schedule: among those of its worker
};

}  // namespace takt
