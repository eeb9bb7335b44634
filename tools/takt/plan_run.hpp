#pragma once
// The plant built by a plan that was tried, and run whole.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct PlanRunWish {
  std::string settings;  ///< of the plan, a file for --solve
  std::string pace = "free";
  double duration_s = 0.0;
  std::vector<std::string> inputs{};  ///< options of the executable
};

/// @param out  folder of its results; the run's own audit and report are left out
/// @return the summary of the run; a string where there is none: why
[[nodiscard]] nlohmann::json run_plan(const BuiltPlant& plant, const PlanRunWish& wish,
                                      const std::filesystem::path& out);

}  // namespace takt::tools
