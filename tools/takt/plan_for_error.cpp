#include "tools/takt/plan_for_error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "codegen/emit/build/build.hpp"
#include "codegen/model/load_plant.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/planned_times.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
namespace fs = std::filesystem;

/// That of --error, else that of the plant file; mistakes in it are told when it is built.
std::optional<double> error_asked_for(const PlantBuild& request) {
  if (request.error) return request.error;
  Diagnostics told_later;
  const auto network = load_plant(
      request.plant, {.library = {find_home().library}, .overrides = request.overrides, .solve = request.solve},
      told_later);
  return network ? network->error : std::nullopt;
}

/// What the search depends on: what the plant computes, and how far it is simulated.
std::string key_of(const BuiltPlant& built, double error) {
  std::string all = fmt::format("{} {:.17g}\n", TAKT_VERSION, error);
  for (const SourceFile& file : plant_sources(built.checked)) all += file.text;
  for (const auto& [name, value] : built.tunable) all += name + "=" + value + "\n";
  return hash_text(all);
}

/// The first lines of a file that begin with '#', without it.
std::string head_of(const fs::path& file) {
  std::ifstream input(file);
  std::string text, line;
  while (std::getline(input, line) && line.starts_with("# ")) text += line.substr(2) + "\n";
  return text;
}

void tell(const std::string& head, bool met) {
  if (met)
    fmt::print(stderr, "takt: {}", head);
  else
    fmt::print(stderr, "warning[S046]: {}", head);
}

}  // namespace

bool plan_for_error(PlantBuild& request) {
  const std::optional<double> error = error_asked_for(request);
  if (!error) return true;
  PlantBuild own = request;
  own.publish = false;
  const std::optional<BuiltPlant> built = build_plant(own);
  if (!built) return false;
  const fs::path file = built->directory / "plans" / (key_of(*built, *error) + ".toml");
  if (!fs::exists(file)) {
    const PlannedTimes planned = planned_times(*built, {.error = *error});
    if (!planned.search.problem.empty()) {
      fmt::print(stderr, "warning[S046]: {}: the error is not known: {}\n", built->checked.network.name,
                 planned.search.problem);
      return true;
    }
    fs::create_directories(file.parent_path());
    write_whole(file, planned_file(built->checked, planned));
  }
  const std::string head = head_of(file);
  tell(head, head.find("is not met") == std::string::npos);
  request.solve = file;
  return true;
}

}  // namespace takt::tools
