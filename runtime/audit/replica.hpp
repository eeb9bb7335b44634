#pragma once
// The plant of a run once more, in memory of its own, by the same plan or a finer one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/audit/refined_plan.hpp"
#include "runtime/executive/plant_copies.hpp"
#include "runtime/plant/input_latch.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/plant/schedule.hpp"

namespace takt {

/// Emitted functions get the memory they work on, so a second plant can be computed beside the first.
/// Phases: construct, load(), advance() from the copy's macro-step on. Not real-time.
class Replica {
 public:
  /// @param script  what drove the run, from its beginning on
  Replica(const PlantDescription& plant, RefinedPlan plan, InputScript script);
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  /// What the run was at this copy. Where the plan exchanges more often the histories of couplings begin there.
  void load(const PlantCopy& copy);
  /// One macro-step of the run.
  void advance();
  /// Multiplies every state by this; not those of control blocks, which may count, nor of FMUs.
  void scale_states(double factor) noexcept;
  /// Signals at the end of the last macro-step.
  void observe() noexcept;
  [[nodiscard]] std::uint64_t macro_step() const noexcept { return macro_step_; }
  [[nodiscard]] double value_at(std::size_t offset) const noexcept {
    return *reinterpret_cast<const double*>(plan_.plant.memory + offset);
  }
  [[nodiscard]] const RefinedPlan& plan() const noexcept { return plan_; }

 private:
  void take_steps_over();
  void take_inputs(std::uint32_t number, SimTime macro_step) noexcept;

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory_;
  RefinedPlan plan_;
  InputScript from_start_, script_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<Exchanges> exchanges_;
  std::unique_ptr<InputLatch> latch_;
  std::uint64_t macro_step_ = 0;
};

}  // namespace takt
