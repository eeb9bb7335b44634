#pragma once
// One run of an FMU on a grid of times start + k * step, from integers: no time is summed up.

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/fmu/driver.hpp"
#include "tools/takt/fmu_inputs.hpp"
#include "tools/takt/fmu_observed.hpp"
#include "tools/takt/fmu_start_values.hpp"

namespace takt::tools {

struct Grid {
  double start = 0.0, stop = 1.0, step = 1e-3;  ///< s
  std::uint64_t every = 1;                      ///< steps from one recorded row to the next
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] double at(std::uint64_t k) const;  ///< s; the last is stop where it lies within rounding
};

struct SimulationSettings {
  Grid grid;
  const fmu::Tableau* method = &fmu::tableaus[0];  ///< of a model exchange
  std::optional<double> tolerance;
  bool variable_step = true;  ///< the FMU may be stepped to jumps of inputs between points of the grid
  bool record_events = false;
  bool logging = false;
};

/// Rows of what was observed; as much as came until it ended.
struct Samples {
  std::vector<double> time;                 ///< s
  std::vector<std::vector<double>> values;  ///< [columns][rows]
};

struct SimulationEnd {
  fmu::Result result;       ///< not done: what has ended the run
  double reached = 0.0;     ///< s
  bool terminated = false;  ///< the FMU has ended it
  double wall_s = 0.0;      ///< of steps alone
  fmu::AdvanceCounts counts;
};

/// Brings an instance that was loaded through initialisation: start values, experiment, inputs at its start.
[[nodiscard]] fmu::Result initialise(fmu::Instance& instance, const StartValues& start,
                                     const SimulationSettings& settings, fmu::Inputs& inputs);

/// Steps an initialised instance to the end of the grid, or as far as it goes, and records.
class Simulation {
 public:
  Simulation(fmu::Instance& instance, const SimulationSettings& settings, CsvInputs& inputs, const Observed& observed);
  [[nodiscard]] SimulationEnd run();
  [[nodiscard]] const Samples& samples() const { return watch_.samples; }

 private:
  struct Watch final : fmu::EventWatch {
    Watch(fmu::Version version, const Observed& observed);
    fmu::Result before(fmu::Instance& instance, double t) noexcept override { return record(instance, t); }
    fmu::Result after(fmu::Instance& instance, double t) noexcept override { return record(instance, t); }
    fmu::Result record(fmu::Instance& instance, double t) noexcept;
    fmu::RowSet rows;
    std::vector<double> values;
    Samples samples;
  };
  fmu::Advanced step(double from, double to);
  fmu::Instance& instance_;
  SimulationSettings settings_;
  CsvInputs& inputs_;
  fmu::Driver driver_;
  Watch watch_;
};

}  // namespace takt::tools
