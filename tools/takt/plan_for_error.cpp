#include "tools/takt/plan_for_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/emit/build/build.hpp"
#include "codegen/model/load_plant.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/trust/ours.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/plan_report.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
namespace fs = std::filesystem;

/// What is wanted of the plan's error.
struct Asked {
  double error = 0.0;  ///< 0: nothing
  bool keep = false;   ///< the times are the user's: estimated, not sought
};

Asked asked_for(const PlantBuild& request, const Network& network) {
  if (request.error) return {*request.error, false};
  if (network.error == 0.0) return {};
  if (!network.foreign.empty() && !network.error) return {};  // no other plan can be tried: its FMUs keep their past
  if (const double error = network.error_to_plan_for(); error > 0.0) return {error, false};
  return {usual_error, true};
}

/// Mistakes in the plant file are told when it is built.
Asked asked_for(const PlantBuild& request) {
  if (request.error) return {*request.error, false};
  Diagnostics told_later;
  const auto network = load_plant(
      request.plant, {.library = {find_home().library}, .overrides = request.overrides, .solve = request.solve},
      told_later);
  return network ? asked_for(request, *network) : Asked{};
}

/// Nobody asked, and its methods choose their steps themselves: there is nothing to say.
bool has_its_own(const BuiltPlant& built, const PlantBuild& request) {
  const auto& subsystems = built.checked.plan.subsystems;
  return !request.error && !built.checked.network.error &&
         std::any_of(subsystems.begin(), subsystems.end(),
                     [](const PlanSubsystem& s) { return s.method->is_offline(); });
}

constexpr int generation = 9;  ///< of the search: counts up where it finds something else for the same plant

/// What the search depends on: what the plant computes, by which plan, with which runtime, and what is set.
std::string key_of(const Checked& checked, const std::vector<std::pair<std::string, std::string>>& set,
                   const Asked& asked) {
  std::string all = fmt::format("{} {} {:.17g}\n", build_identity(), generation, asked.error);
  for (const SourceFile& source : plant_sources(checked)) all += source.name + "\n" + source.text.bytes();
  for (const auto& [name, value] : set) all += name + "=" + value + "\n";
  return hash_text(all) + (asked.keep ? "-kept" : "");
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

/// Writes the plan that was found, and beside it what is known of it.
void search_into(const fs::path& file, const BuiltPlant& built, const Asked& asked) {
  const KeptFromOthers kept;
  fs::create_directories(file.parent_path());
  const PlannedTimes planned = planned_times(built, {.error = asked.error, .keep = asked.keep});
  const std::string& why = planned.search.problem;
  if (!why.empty())
    return write_whole(file, fmt::format("# {}: {}: {}\n", built.checked.network.name, not_known,
                                         why.substr(why.find_last_of('\n') + 1)));  // the last line says most
  write_whole(fs::path(file).replace_extension(".json"), plan_report(built, planned).dump(2) + "\n");
  write_whole(file, planned_file(built, planned));
}

/// The file of what was found, made where there is none yet.
fs::path plan_of(const BuiltPlant& built, const Asked& asked) {
  fs::path file = built.directory / "plans" / (key_of(built.checked, built.tunable, asked) + ".toml");
  if (const std::string why = why_not_built_in(built.directory); !why.empty()) throw std::runtime_error(why);
  if (!fs::exists(file)) search_into(file, built, asked);
  return file;
}

/// What trials did not see is a note of its own.
void tell(std::string head, bool only_warnings) {
  std::string unseen;
  if (const std::size_t at = head.find(not_all_seen); at != std::string::npos) {
    const std::size_t line = head.rfind('\n', at) + 1;
    unseen = head.substr(line);
    head.resize(line);
  }
  const bool warns = says(head, not_known) || says(head, "is not met") || says(head, not_known_moved);
  if (warns || !only_warnings) fmt::print(stderr, "{}: {}", warns ? "warning[S046]" : "takt", head);
  if (!unseen.empty()) fmt::print(stderr, "{}[S046]: {}", says(unseen, not_reached) ? "warning" : "note", unseen);
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

/// On this machine: plans are tried here, and compute the same bits elsewhere.
static std::optional<BuiltPlant> build_planned_here(PlantBuild& request) {
  const Asked asked = asked_for(request);
  if (!put_plan(request, asked)) return std::nullopt;
  std::optional<BuiltPlant> built = build_plant(request);
  if (built && asked.keep && !has_its_own(*built, request)) tell(head_of(plan_of(*built, asked)), true);
  return built;
}

std::optional<BuiltPlant> build_planned(PlantBuild request) {
  if (!request.target) return build_planned_here(request);
  PlantBuild here = request;
  here.target.reset();
  here.march.clear();
  if (!request.directory.empty()) here.directory = request.directory / "here";
  here.publish = false;
  if (asked_for(request).error > 0.0 && !build_planned_here(here)) return std::nullopt;
  request.solve = here.solve;
  return build_plant(request);
}

std::string too_long(const BuiltPlant& built, double span_s) {
  if (!built.request.solve || built.request.solve->parent_path().filename() != "plans") return {};
  const auto report =
      json_file_or_none<nlohmann::ordered_json>(fs::path(*built.request.solve).replace_extension(".json"));
  return report.is_object() && report.contains("found") ? too_long_text(report, span_s) : std::string();
}

std::string known_accuracy(const PlantBuild& request, const Checked& checked) {
  const Asked asked = asked_for(request, checked.network);
  if (asked.error == 0.0) return {};
  const fs::path found = build_directory(request, checked.network.name) / "plans";
  nlohmann::ordered_json report;
  if (const std::string why = fs::exists(found) ? why_not_ours(found) : std::string(); !why.empty())
    return "the error of the plan is not read from " + found.string() + ": " + why + "\n";
  if (fs::exists(found))  // else the key, for which all sources are emitted, tells nothing
    report = json_file_or_none<nlohmann::ordered_json>(found / (key_of(checked, {}, asked) + ".json"));
  if (!report.is_object())
    return "the error of the plan is not known yet: `takt build` or `takt run` finds it, `takt plan` tells more\n";
  return report.at("text").get<std::string>() + "\n" + steps_text(report);
}

}  // namespace takt::tools
