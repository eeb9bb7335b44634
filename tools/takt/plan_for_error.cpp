#include "tools/takt/plan_for_error.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// What is wanted of the plan's error.
struct Asked {
  double error = 0.0;  ///< 0: nothing
  bool keep = false;   ///< the times are the user's: estimated, not sought
};

/// Mistakes in the plant file are told when it is built.
Asked asked_for(const PlantBuild& request) {
  if (request.error) return {*request.error, false};
  Diagnostics told_later;
  const auto network = load_plant(
      request.plant, {.library = {find_home().library}, .overrides = request.overrides, .solve = request.solve},
      told_later);
  if (!network || network->error == 0.0) return {};
  if (const double error = network->error_to_plan_for(); error > 0.0) return {error, false};
  return {usual_error, true};
}

/// Nobody asked, and its methods choose their steps themselves: there is nothing to say.
bool has_its_own(const BuiltPlant& built, const PlantBuild& request) {
  const auto& subsystems = built.checked.plan.subsystems;
  return !request.error && !built.checked.network.error &&
         std::any_of(subsystems.begin(), subsystems.end(),
                     [](const PlanSubsystem& s) { return s.method->is_offline(); });
}

constexpr int generation = 3;  ///< of the search: counts up where it finds something else for the same plant

/// What the search depends on: what the plant computes, by which plan, and what is set. The folder of an executable is
/// named by the hash of all that goes into it.
std::string key_of(const BuiltPlant& built, double error) {
  std::string all = fmt::format("{} {} {:.17g} {}\n", TAKT_VERSION, generation, error,
                                built.executable.parent_path().filename().string());
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

constexpr const char* not_known = "the error is not known";

bool says(const std::string& head, const char* words) { return head.find(words) != std::string::npos; }

std::string found_for(const BuiltPlant& built, const Asked& asked) {
  const PlannedTimes planned = planned_times(built, {.error = asked.error, .keep = asked.keep});
  const std::string& why = planned.search.problem;
  if (why.empty()) return planned_file(built, planned);
  return fmt::format("# {}: {}: {}\n", built.checked.network.name, not_known,
                     why.substr(why.find_last_of('\n') + 1));  // the last line says most
}

/// The file of what was found, made where there is none yet.
fs::path plan_of(const BuiltPlant& built, const Asked& asked) {
  fs::path file = built.directory / "plans" / (key_of(built, asked.error) + (asked.keep ? "-kept.toml" : ".toml"));
  if (!fs::exists(file)) {
    fs::create_directories(file.parent_path());
    write_whole(file, found_for(built, asked));
  }
  return file;
}

void tell(const std::string& head, bool only_warnings) {
  const bool warns = says(head, not_known) || says(head, "is not met") || says(head, not_known_moved);
  if (warns || !only_warnings) fmt::print(stderr, "{}: {}", warns ? "warning[S046]" : "takt", head);
}

/// @return false after errors
bool put_plan(PlantBuild& request, const Asked& asked) {
  if (asked.error == 0.0 || asked.keep) return true;
  PlantBuild own = request;
  own.publish = false;
  own.quiet = true;
  const std::optional<BuiltPlant> built = build_plant(own);
  if (!built) return false;
  if (has_its_own(*built, request)) return true;
  const fs::path file = plan_of(*built, asked);
  const std::string head = head_of(file);
  tell(head, false);
  if (!says(head, not_known)) request.solve = file;
  return true;
}

}  // namespace

bool plan_for_error(PlantBuild& request) { return put_plan(request, asked_for(request)); }

std::optional<BuiltPlant> build_planned(PlantBuild request) {
  const Asked asked = asked_for(request);
  if (!put_plan(request, asked)) return std::nullopt;
  std::optional<BuiltPlant> built = build_plant(request);
  if (built && asked.keep && !has_its_own(*built, request)) tell(head_of(plan_of(*built, asked)), true);
  return built;
}

}  // namespace takt::tools
