#pragma once
// takt run --verify: the plant beside `takt reference` and beside itself at half the steps.

#include <string>
#include <vector>

#include "tools/takt/plant_arguments.hpp"

namespace takt::tools {

struct VerifyOptions {
  std::string duration;       ///< empty: the plant's own
  double limit = 1e-2;        ///< of a signal's RMS error over its range
  double reference_s = 60.0;  ///< wall time that the reference may take; it is compared as far as it came
  bool json = false;
  std::vector<std::string> extras;  ///< options of the executable
};

/// Runs, compares, prints.
/// @return ExitCode: exit_failed where a signal is off by more than the limit, or a run failed
/// @throws UsageError
[[nodiscard]] int verify_run(const PlantArguments& arguments, const VerifyOptions& options);

}  // namespace takt::tools
