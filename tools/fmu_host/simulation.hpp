#pragma once
// One run of an FMU on a grid of times.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/fmu/driver.hpp"
#include "runtime/fmu/growth.hpp"
#include "tools/fmu_host/table_inputs.hpp"
#include "tools/fmu_host/trial_plan.hpp"

namespace takt::fmu_host {

/// Where rows go: one write for each, so that a crash takes none of those before it.
class RowFile {
 public:
  explicit RowFile(int file) : file_(file) {}
  /// @return it has been kept
  [[nodiscard]] bool add(std::span<const double> row) noexcept;

 private:
  int file_;
};

struct SimulationEnd {
  fmu::Result result;                     ///< not done: what has ended the run
  double reached = 0.0;                   ///< s
  bool terminated = false;                ///< the FMU has ended it
  std::optional<std::size_t> not_finite;  ///< column that has ended it: NaN or infinite in the last row
  std::string said;                       ///< where it has: that, and what it said of it
  std::string unstable;                   ///< of the step with the method: has ended the run
  std::string chosen;                     ///< why the implicit method was taken
  double wall_s = 0.0;                    ///< of steps alone
  fmu::AdvanceCounts counts;
};

/// Brings an instance that was loaded through initialisation: start values, experiment, inputs at its start.
[[nodiscard]] fmu::Result initialise(fmu::Instance& instance, const StartValues& start,
                                     const SimulationSettings& settings, fmu::Inputs& inputs);

/// Steps an initialised instance to the end of the grid, or as far as it goes, and records.
class Simulation {
 public:
  Simulation(fmu::Instance& instance, const TrialPlan& plan, TableInputs& inputs, RowFile& rows);
  [[nodiscard]] SimulationEnd run(TrialProgress& progress);

 private:
  struct Watch final : fmu::EventWatch {
    Watch(fmu::Version version, const Observed& observed, RowFile& to);
    fmu::Result before(fmu::Instance& instance, double t) noexcept override { return record(instance, t); }
    fmu::Result after(fmu::Instance& instance, double t) noexcept override { return record(instance, t); }
    fmu::Result record(fmu::Instance& instance, double t) noexcept;
    fmu::RowSet rows;
    std::vector<double> values;  // the time before them
    RowFile& file;
    std::optional<std::size_t> not_finite;
    std::optional<fmu::Growth> growth;
  };
  fmu::Advanced step(double from, double to);
  /// Now and then: at the start, after 1, 2, 4, 8... steps, and often over the whole run.
  [[nodiscard]] bool is_judged(std::uint64_t steps_done) const;
  void judge(double t, SimulationEnd& end);
  fmu::Instance& instance_;
  const SimulationSettings& settings_;
  TableInputs& inputs_;
  fmu::Driver driver_;
  Watch watch_;
};

}  // namespace takt::fmu_host
