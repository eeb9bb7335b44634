#pragma once
// The command line of `takt fmu run`, and what it means for one FMU.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tools/fmu_host/trial_plan.hpp"
#include "tools/takt/fmu_open.hpp"

namespace takt::command_line {
class App;
}

namespace takt::tools {

using fmu_host::Grid;
using fmu_host::SimulationSettings;

struct FmuRunArguments {
  std::string file, kind, duration, step, interval, method, input, out, patience = "10s";
  std::vector<std::string> set, output;
  std::optional<double> tolerance;
  bool record_events = false, logging = false, json = false, strict = false, differences = false;
};

/// What --method takes.
[[nodiscard]] std::vector<std::string> method_names();
inline constexpr const char* method_words =
    "of a model exchange: euler, heun, rk3, rk4, and for stiff ones ros1, ros2 (default: auto, which is rk4, or ros2 "
    "where rk4 is not stable with the step)";

/// --no-directional-derivatives
void declare_differences(command_line::App& app, FmuRunArguments& arguments);
void declare_fmu_run(command_line::App& app, FmuRunArguments& arguments);

/// The FMU of the command line, with what of it is not to be asked for taken out.
[[nodiscard]] OpenFmu fmu_to_run(const FmuRunArguments& arguments);

/// "10 ms" in s.
/// @throw UsageError  naming the option, where it is no time above 0
[[nodiscard]] double run_seconds(const std::string& text, const char* option);
/// The same of --patience: how long an FMU may take for one step.
[[nodiscard]] std::chrono::milliseconds patience_of(const std::string& text);

/// What is not asked for comes from the FMU's default experiment: start, stop, step, tolerance; else a thousandth of
/// the duration as step. At most some 10 000 rows are recorded where no interval is given.
/// @throw UsageError  where they do not fit together or not the FMU
[[nodiscard]] SimulationSettings run_settings(const OpenFmu& fmu, const FmuRunArguments& arguments);

}  // namespace takt::tools
