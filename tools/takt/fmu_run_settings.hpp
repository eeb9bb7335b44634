#pragma once
// The command line of `takt fmu run`, and what it means for one FMU.

#include <optional>
#include <string>
#include <vector>

#include "tools/takt/fmu_open.hpp"
#include "tools/takt/fmu_simulation.hpp"

namespace takt::command_line {
class App;
}

namespace takt::tools {

struct FmuRunArguments {
  std::string file, kind, duration, step, interval, method, input, out;
  std::vector<std::string> set, output;
  std::optional<double> tolerance;
  bool record_events = false, logging = false, json = false;
};

void declare_fmu_run(command_line::App& app, FmuRunArguments& arguments);

/// "10 ms" in s.
/// @throw UsageError  naming the option, where it is no time above 0
[[nodiscard]] double run_seconds(const std::string& text, const char* option);

/// What is not asked for comes from the FMU's default experiment: start, stop, step, tolerance; else a thousandth of
/// the duration as step. At most some 10 000 rows are recorded where no interval is given.
/// @throw UsageError  where they do not fit together or not the FMU
[[nodiscard]] SimulationSettings run_settings(const OpenFmu& fmu, const FmuRunArguments& arguments);

}  // namespace takt::tools
