#pragma once
// A plant in memory of its own that computes macro-steps when it is told to: free, on one core, without threads, files
// and buses. It computes what Executive does, in the same order, to the same bits.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/executive/ledger_watch.hpp"
#include "runtime/executive/plant_digest.hpp"
#include "runtime/executive/result_watch.hpp"
#include "runtime/fmu_export/unit.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_latch.hpp"
#include "runtime/plant/schedule.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/steering/tuner.hpp"

namespace takt::fmu_export {

/// Value of a row of the table of plant memory.
struct Given {
  std::uint32_t row = 0;  ///< a parameter or plant input
  double value = 0.0;     ///< SI
};

/// Phases: construct (prepared and started; allocates, throws), then step(), tune() and the others in any order.
/// Not movable: what it is made of points into it.
class SteppedPlant {
 public:
  /// @param start  values in place of those of the plant
  /// @throw std::runtime_error  a parameter is out of its limits, a step is not stable with these parameters, there is
  /// no steady
  ///                            state, a value is not finite
  SteppedPlant(const PlantDescription& original, std::span<const Given> start);
  SteppedPlant(const SteppedPlant&) = delete;
  SteppedPlant& operator=(const SteppedPlant&) = delete;
  ~SteppedPlant() = default;

  [[nodiscard]] const PlantDescription& plant() const noexcept { return plant_; }
  [[nodiscard]] SimTime now() const noexcept {
    return SimTime{} + SimDuration{plant_.macro_step_ns} * static_cast<std::int64_t>(macro_steps_);
  }
  /// Path of a coupling that did not settle at the start; empty: all did.
  [[nodiscard]] const std::string& unsettled() const noexcept { return unsettled_; }

  /// For the next macro-step. @param input  index into the plant inputs
  void set_input(std::size_t input, double value) noexcept { inputs_[input] = value; }
  [[nodiscard]] double input(std::size_t input) const noexcept { return inputs_[input]; }
  /// A parameter of the running plant, as `tune` in a run.  @return why it was refused; empty: it was not
  [[nodiscard]] std::string tune(std::uint32_t row, double value);

  /// One macro-step.  @return false: values are not finite, or a block stays unsolved; problem() tells. It cannot go
  /// on. Real-time: bounded, no heap.
  [[nodiscard]] bool step() noexcept;
  /// What is computed only where somebody looks.  @return false: it is not finite
  [[nodiscard]] bool observe() noexcept;
  [[nodiscard]] std::string problem() const { return watch_.cause(); }
  /// Value of a row of the table of plant memory. @pre observe(), for signals
  [[nodiscard]] double value(std::size_t row) const noexcept {
    return *reinterpret_cast<const double*>(plant_.memory + plant_.table[row].offset);
  }

  /// Verdicts noted since the start.
  [[nodiscard]] std::uint64_t verdicts() const noexcept { return watch_.verdicts(); }
  [[nodiscard]] std::uint64_t ledger_alarms() const noexcept { return ledger_alarms_; }
  [[nodiscard]] std::vector<EventResult> events(std::size_t subsystem) const { return watch_.events(subsystem); }
  /// As `takt run` tells it for a run that ends now.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_.value(); }

  [[nodiscard]] PlantState state() const;
  /// @return false: it is of another plant
  [[nodiscard]] bool restore(const PlantState& state);

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static PlantDescription with_memory(const PlantDescription& original, std::vector<Line>& lines);
  void take(std::span<const Given> start);
  void begin();
  [[nodiscard]] bool compute(const Schedule::Slot& slot, SimTime begin, std::uint64_t& sum) noexcept;

  std::vector<Line> lines_;
  const PlantDescription plant_;
  const Schedule schedule_;
  const std::vector<std::uint16_t> all_;
  std::span<double> shown_;  // plant inputs in plant memory
  InputLatch latch_;
  Exchanges exchanges_;
  ResultWatch watch_;
  LedgerWatch ledgers_;
  PlantDigest digest_;
  std::unique_ptr<Tuner> tuner_;
  std::vector<double> inputs_;
  std::uint64_t macro_steps_ = 0, ledger_alarms_ = 0;
  std::string unsettled_;
  bool observed_ = false;
};

}  // namespace takt::fmu_export
