#pragma once
// The plan's windows, expanded over one macro-step.

#include <cstdint>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// One macro-step as a list of slots in order of execution: where groups nest, a group runs all its H that fit into one
/// H of the group around it when its turn comes.
class Schedule {
 public:
  struct Slot {
    void (*run)(std::byte* own, const Window&) noexcept = nullptr;
    std::byte* own = nullptr;  ///< memory of the subsystem
    SimDuration start;         ///< after the start of the macro-step
    SimDuration step;
    std::int32_t steps = 0;
    std::uint16_t subsystem = 0;
    std::uint32_t touched = 0;  ///< bytes of its memory
    bool last = true;           ///< of the subsystem's in the macro-step

    /// Of the macro-step that starts then.
    [[nodiscard]] Window window_of(SimTime macro_step) const noexcept {
      return {(macro_step + start).ns(), step.ns(), steps};
    }
    [[nodiscard]] SimTime end_of(SimTime macro_step) const noexcept { return macro_step + start + step * steps; }
  };

  /// @throw std::invalid_argument  what in the plan contradicts itself
  explicit Schedule(const PlantDescription& plant);
  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }

 private:
  std::vector<Slot> slots_;
};

}  // namespace takt
