#pragma once
// The plan's windows, expanded over one macro-step.

#include <cstdint>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// One macro-step as a list of slots in order of execution: where groups nest, a group runs all its H that fit into one
/// H of the group around it when its turn comes. Every group is released on its own grid: a slot waits for the instants
/// up to that at which its window begins, and for those that slots before it have waited for.
class Schedule {
 public:
  /// A moment of the macro-step at which windows begin.
  struct Instant {
    SimDuration start;          ///< after the start of the macro-step
    SimDuration until_next;     ///< or until the end of the macro-step
    bool takes_inputs = false;  ///< of the plant: some window that begins here reads one; the first always does
  };
  struct Slot {
    void (*run)(std::byte* own, const Window&) noexcept = nullptr;
    std::byte* own = nullptr;  ///< memory of the subsystem
    SimDuration start;         ///< after the start of the macro-step
    SimDuration step;
    std::int32_t steps = 0;
    std::uint16_t subsystem = 0;
    std::uint32_t touched = 0;  ///< bytes of its memory
    std::uint32_t instant = 0;  ///< at which its window begins
    std::uint32_t opens = 1;    ///< so many instants have come when it runs
    bool reads_inputs = false;  ///< of the plant
    SimDuration due;            ///< after the start of the macro-step: its end, or the release after that it waits for
    bool last = true;           ///< of the subsystem's in the macro-step
    bool foreign = false;       ///< another process computes it

    /// Of the macro-step that starts then.
    [[nodiscard]] Window window_of(SimTime macro_step) const noexcept {
      return {.start_ns = (macro_step + start).ns(), .step_ns = step.ns(), .steps = steps};
    }
    [[nodiscard]] SimTime end_of(SimTime macro_step) const noexcept { return macro_step + start + step * steps; }
  };

  /// @throw std::invalid_argument  what in the plan contradicts itself
  explicit Schedule(const PlantDescription& plant);
  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
  /// In the order of time, the first at the start of the macro-step.
  [[nodiscard]] const std::vector<Instant>& instants() const noexcept { return instants_; }
  /// The first instant at or after this time at which plant inputs are taken.
  [[nodiscard]] SimTime next_taking(SimTime time) const noexcept;
  /// When a window must have been computed that runs after so many instants have come: at its end, or at the release
  /// after that which it waits for. After the start of the macro-step.
  [[nodiscard]] SimDuration due_of(const Slot& slot, std::uint32_t opened) const noexcept;

 private:
  void find_instants(const PlantDescription& plant);

  std::vector<Slot> slots_;
  std::vector<Instant> instants_;
};

}  // namespace takt
