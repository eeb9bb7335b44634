#pragma once
// One run of an FMU, or one thing that is tried with it, as data: written by `takt fmu`, read by the host that computes
// it. Neither of them knows more of it than this.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "runtime/fmu/table.hpp"
#include "runtime/fmu/tableau.hpp"

namespace takt::fmu_host {

/// Times that differ by less than rounding makes of them.
[[nodiscard]] inline bool same_time(double a, double b) noexcept {
  return a == b ||
         (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)));
}

/// Times start + k * step, from integers: no time is summed up.
struct Grid {
  double start = 0.0, stop = 1.0, step = 1e-3;  ///< s
  std::uint64_t every = 1;                      ///< steps from one recorded row to the next
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] double at(std::uint64_t k) const;  ///< s; the last is stop where it lies within rounding
};

struct SimulationSettings {
  Grid grid;
  const fmu::Tableau* method = &fmu::tableaus[0];  ///< of a model exchange
  bool chooses = false;                            ///< another one, where that is not stable
  std::optional<double> tolerance;
  bool variable_step = true;  ///< the FMU may be stepped to jumps of inputs between points of the grid
  bool record_events = false;
  bool logging = false;  ///< its messages go to standard error
};

/// What is set before initialisation: rows with their values, texts apart.
struct StartValues {
  struct Text {
    std::uint32_t reference = 0;
    fmu::Use use{};
    std::string value;
  };
  std::vector<fmu::Row> rows;
  std::vector<double> values;
  std::vector<std::string> names;  ///< of the rows
  std::vector<Text> texts;
};

/// Variables that are recorded: a column per element.
struct Observed {
  std::vector<fmu::Row> rows;
  std::vector<std::string> names, units;  ///< of the columns; a unit is empty where there is none
};

/// Inputs over time, a column for each element.
struct InputTable {
  struct Column {
    std::size_t value = 0;  ///< index among the values of the rows
    bool continuous = false;
    std::vector<double> samples;
  };
  std::vector<double> time;  ///< s
  std::vector<Column> columns;
  std::vector<fmu::Row> continuous, discrete;
  std::vector<std::uint32_t> slope_references;  ///< of continuous ones whose derivatives are handed over, too
};

/// Inputs that are held at one value.
struct HeldInputs {
  std::vector<fmu::Row> continuous, discrete;
  std::size_t values = 0;
  std::optional<double> value;  ///< nothing: they are not set
};

struct TrialPlan {
  std::string work;    ///< "run", or what probe_runs.hpp tries
  std::string folder;  ///< where the FMU is unpacked
  std::string name;    ///< of the instance
  fmu::Table table;
  SimulationSettings settings;
  StartValues start;
  Observed observed;
  InputTable inputs;              ///< of a run
  HeldInputs held;                ///< of everything else
  std::uint64_t steps = 0;        ///< of the long run
  std::uint64_t short_steps = 0;  ///< of all others
  double at_most_s = 60.0;        ///< wall time of the long run
};

/// Written by the host, seen by who has started it, also after its death.
struct TrialProgress {
  std::atomic<std::uint64_t> step{0};  ///< steps that were begun
  std::atomic<std::uint32_t> changes{0};
  std::array<char, 64> doing{};
  std::atomic<std::uint32_t> came_back{0};  ///< copies of the host (runtime/fmu/own_process.hpp)
  void begin(const char* what) noexcept {
    std::strncpy(doing.data(), what, doing.size() - 1);
    changes.fetch_add(1);
  }
};

/// Files of the host of a trial: TrialProgress; rows of a run, time and columns as doubles; what it has found, CBOR.
enum TrialFile : int { progress_file = 3, rows_file = 4, found_file = 5 };

/// Doubles keep their bits, also those that are no numbers.
[[nodiscard]] std::vector<std::uint8_t> packed(const TrialPlan& plan);
/// Without paths of the table.  @throw std::exception  it is of another version
[[nodiscard]] TrialPlan unpacked_plan(const std::vector<std::uint8_t>& bytes);

}  // namespace takt::fmu_host
