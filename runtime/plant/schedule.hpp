#pragma once
// The plan's windows, expanded over one macro-step.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// One macro-step as a list of slots in order of execution: where groups nest, a group runs all its H that fit into one
/// H of the group around it when its turn comes.
class Schedule {
 public:
  struct Slot {
    void (*run)(std::byte* own, const Window&) noexcept;
    std::byte* own;         ///< memory of the subsystem
    std::int64_t start_ns;  ///< after the start of the macro-step
    std::int64_t step_ns;
    std::int32_t steps;
    std::uint16_t subsystem;
    std::uint32_t touched = 0;  ///< bytes of its memory
    bool last = true;           ///< of the subsystem's in the macro-step
  };

  /// @throw std::invalid_argument  what in the plan contradicts itself
  explicit Schedule(const PlantDescription& plant);
  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }

 private:
  void expand(const PlantDescription& plant, std::span<const GroupPlan> groups, std::span<const WindowPlan> windows,
              std::uint16_t group, std::int64_t start_ns);
  void add_slot(const PlantDescription& plant, const WindowPlan& window, std::int64_t start_ns);

  std::vector<Slot> slots_;
};

}  // namespace takt
