#include "tools/takt/plan_run.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/emit/build/process.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

using namespace takt::codegen;

nlohmann::json run_plan(const BuiltPlant& plant, const PlanRunWish& wish, const std::filesystem::path& out) {
  const TemporaryFile file(wish.settings);
  PlantBuild request = plant.request;
  request.solve = file.path();
  request.directory = plant.directory;  // not one named after the temporary file
  request.quiet = true;
  request.publish = false;
  const std::optional<BuiltPlant> built = build_plant(request);
  if (!built) return "it is not accepted";
  std::vector<std::string> command{built->executable.string(),
                                   "--pace",
                                   wish.pace,
                                   "--for",
                                   fmt::format("{:.9f}s", wish.duration_s),
                                   "--out",
                                   out.string(),
                                   "--no-report",
                                   "--quiet",
                                   "--audit",
                                   "off"};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  command.insert(command.end(), wish.inputs.begin(), wish.inputs.end());
  const WaitLine line("running " + plant.checked.network.name);
  const ProcessResult done = run_process(command);
  auto said = json_file_or_none<nlohmann::json>(out / "summary.json");
  if (said.is_object()) return said;
  return done.output.empty() ? "the run left no summary" : done.output;
}

}  // namespace takt::tools
