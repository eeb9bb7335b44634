#pragma once
// One instance of a plant of co-simulation: what FMI 2 and FMI 3 have in common. Which call is allowed when follows
// FMI 2.0.4, figures 11 and 12, and FMI 3.0.2, figures 7 and 15.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu_export/exported_plant.hpp"
#include "runtime/fmu_export/stepped_plant.hpp"
#include "runtime/fmu_export/unit.hpp"

namespace takt::fmu_export {

/// Phases: construct, then what the standard allows.
class Instance final : public Unit {
 public:
  Instance(const PlantDescription& exported, Log log);

  Status enter_initialization(double start_time) override;
  Status exit_initialization() override;
  Status terminate() override;
  Status reset() override;

  Status get(std::span<const std::uint32_t> references, double* values) override;
  Status set(std::span<const std::uint32_t> references, const double* values) override;
  /// From `now` over `length`, s: a multiple of the macro-step.
  Status step(double now, double length);
  /// End of the last step, s.
  [[nodiscard]] double time() const noexcept;

  Status get_state(std::unique_ptr<InstanceState>& state) override;
  Status set_state(const InstanceState& state) override;

 private:
  [[nodiscard]] bool is_time(std::uint32_t reference) const noexcept { return reference == exported_.table.size(); }
  [[nodiscard]] std::string name_of(std::uint32_t reference) const;
  [[nodiscard]] std::string not_settable(std::uint32_t reference) const;
  void take_start_values();
  Status start();
  Status fail(const std::string& why);
  Status tell_events();
  Status steps_of(double length, std::int64_t& steps) const;

  const PlantDescription& exported_;
  Phase phase_ = Phase::instantiated;
  std::vector<double> given_;            // by row of the table
  std::vector<std::uint32_t> input_of_;  // by row: index of the plant input
  std::unique_ptr<SteppedPlant> plant_;  // from the first value that is asked for in initialisation
  std::vector<std::uint64_t> told_;      // events that have been logged, by subsystem and event
  std::uint64_t told_ledgers_ = 0;
};

}  // namespace takt::fmu_export
