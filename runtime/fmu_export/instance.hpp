#pragma once
// One instance of an exported plant: what FMI 2 and FMI 3 have in common. Which call is allowed when follows FMI 2.0.4,
// figures 11 and 12, and FMI 3.0.2, figures 7 and 15.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu_export/exported_plant.hpp"
#include "runtime/fmu_export/status.hpp"
#include "runtime/fmu_export/stepped_plant.hpp"

namespace takt::fmu_export {

enum class Phase : std::uint8_t { instantiated, initializing, running, terminated, failed };

/// What getFMUState gives.
struct InstanceState {
  Phase phase = Phase::instantiated;
  bool started = false;       ///< there is a plant
  std::vector<double> given;  ///< by row of the table: parameters and plant inputs as they have been set
  PlantState plant;
};

/// Phases: construct, then what the standard allows. Every call ends with a status; what is not OK has been logged.
/// Throws nothing but std::bad_alloc, which guarded() (guarded.hpp) turns into a status.
class Instance {
 public:
  /// Takes a message; category: "logStatusWarning" and so on, of FMI.
  using Log = std::function<void(Status, const char* category, const std::string& text)>;

  Instance(const ExportedPlant& exported, Log log);

  Status enter_initialization(double start_time);
  Status exit_initialization();
  Status terminate();
  Status reset();

  Status get(std::span<const std::uint32_t> references, double* values);
  Status set(std::span<const std::uint32_t> references, const double* values);
  /// From `now` over `length`, s: a multiple of the macro-step.
  Status step(double now, double length);
  /// End of the last step, s.
  [[nodiscard]] double time() const noexcept;

  Status get_state(std::unique_ptr<InstanceState>& state);
  Status set_state(const InstanceState& state);

  /// A call that is not served, or not allowed now.
  Status refuse(const std::string& why, Status status = Status::error) const;
  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  [[nodiscard]] const ExportedPlant& exported() const noexcept { return exported_; }

 private:
  [[nodiscard]] bool is_time(std::uint32_t reference) const noexcept {
    return reference == exported_.plant.table.size();
  }
  [[nodiscard]] std::string name_of(std::uint32_t reference) const;
  [[nodiscard]] std::string not_settable(std::uint32_t reference) const;
  void take_start_values();
  Status start();
  Status fail(const std::string& why);
  Status tell_events();
  Status steps_of(double length, std::int64_t& steps) const;

  const ExportedPlant exported_;
  const Log log_;
  Phase phase_ = Phase::instantiated;
  std::vector<double> given_;            // by row of the table
  std::vector<std::uint32_t> input_of_;  // by row: index of the plant input
  std::unique_ptr<SteppedPlant> plant_;  // from the first value that is asked for in initialisation
  std::vector<std::uint64_t> told_;      // events that have been logged, by subsystem and event
  std::uint64_t told_ledgers_ = 0;
};

}  // namespace takt::fmu_export
