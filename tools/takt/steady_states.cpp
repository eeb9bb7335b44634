#include "tools/takt/steady_states.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/json/parse_json.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {

using namespace takt::codegen;

std::map<std::string, double> steady_states(const std::string& directory) {
  const std::filesystem::path file =
      existing_file((std::filesystem::path(directory) / "summary.json").string(), "summary of a run");
  const auto summary = json_file_or_none<nlohmann::json>(file);
  if (summary.is_discarded() || !summary.contains("start") || summary["start"].value("mode", "") != "steady")
    throw UsageError("--start: " + file.string() + " is not of a run that began with a steady state");
  std::map<std::string, double> states;
  for (const auto& state : summary["start"].at("states")) states[state.at("path")] = state.at("steady");
  return states;
}

double shortest_step_s(const Plan& plan) {
  std::int64_t shortest_ns = 1000;
  for (const PlanSubsystem& subsystem : plan.subsystems)
    if (subsystem.step_ns > 0) shortest_ns = std::min(shortest_ns, subsystem.step_ns);
  return static_cast<double>(shortest_ns) * 1e-9;
}

}  // namespace takt::tools
