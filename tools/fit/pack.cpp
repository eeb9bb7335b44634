#include "tools/fit/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/toolchain.hpp"
#include "codegen/stability/divisors.hpp"
#include "codegen/text/hash.hpp"
#include "measure_script.hpp"  // of measure.sh, by CMake
#include "runtime/io/record/text_file.hpp"
#include "tools/fit/measured.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/plan_variants.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

PlanTimes times_of(const Plan& plan) {
  PlanTimes times;
  for (const SyncGroup& group : plan.groups) times.period_ns.push_back(group.period_ns);
  for (const PlanSubsystem& subsystem : plan.subsystems) times.step_ns.push_back(subsystem.step_ns);
  return times;
}

/// Nothing where a time has no such part in whole nanoseconds.
std::optional<PlanTimes> finer_times(const Plan& plan, const FitVariant& variant) {
  PlanTimes times = times_of(plan);
  for (std::int64_t& period : times.period_ns) {
    if (!variant.times) continue;
    if (period % variant.factor != 0) return std::nullopt;
    period /= variant.factor;
  }
  for (std::size_t k = 0; k < times.step_ns.size(); ++k) {
    const std::int64_t period = times.period_ns[plan.subsystems[k].group];
    const std::int64_t step = variant.times ? std::min(times.step_ns[k], period) : times.step_ns[k] / variant.factor;
    times.step_ns[k] = nearest_divisors(period, std::max<std::int64_t>(step, 1)).below;
  }
  return times;
}

void note_times(const Plan& plan, FitVariant& variant) {
  variant.step_ns = variant.period_ns = std::numeric_limits<std::int64_t>::max();
  for (const SyncGroup& group : plan.groups) variant.period_ns = std::min(variant.period_ns, group.period_ns);
  for (const PlanSubsystem& subsystem : plan.subsystems)
    if (!subsystem.method->is_sampled()) variant.step_ns = std::min(variant.step_ns, subsystem.step_ns);
  variant.step_ns = std::min(variant.step_ns, variant.period_ns);
}

/// @return false where that is no plan
bool build_variant(const BuiltPlant& plain, FitVariant& variant) {
  const std::optional<PlanTimes> times = finer_times(plain.checked.plan, variant);
  if (!times) return false;
  std::optional<BuiltPlant> built =
      built_by_plan(plain, plan_settings(plain.checked, {.title = variant.name, .times = *times}));
  if (!built) return false;
  variant.plant = std::move(*built);
  note_times(variant.plant.checked.plan, variant);
  return true;
}

std::string shell_list(const std::vector<FitVariant>& variants, bool times) {
  std::string names;
  for (const FitVariant& variant : variants)
    if (variant.times == times) names += (names.empty() ? "" : " ") + variant.name;
  return names;
}

std::string whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Of /proc/cpuinfo, that tell of the processors that a target needs.
std::string flags_of(const PlantBuild& request) {
  if (!request.target) return {};
  if (request.target->name == "linux-x86_64-v3") return "avx2 fma bmi2";
  if (request.target->name == "linux-x86_64-v4") return "avx2 fma bmi2 avx512f avx512vl avx512bw avx512dq";
  return request.target->machine == "x86_64" ? "ssse3 sse4_2" : "";
}

std::string machine_of(const PlantBuild& request) {
  return request.target ? std::string(request.target->machine) : this_machine();
}

bool rig_has_cpus(const BuiltPlant& plan) {
  return plan.checked.rig && (plan.checked.rig->cpu >= 0 || plan.checked.rig->cores.count > 0);
}

/// Long enough to be seen, and no more than a little even where the plant is a thousand times too slow.
double trial_seconds(const Plan& plan) { return 20.0 * static_cast<double>(plan.groups.front().period_ns) * 1e-9; }

std::string pack_settings(const FitPlants& plants, const FitWish& wish, const std::string& id) {
  const BuiltPlant& plan = plants.plan;
  std::string skip;
  for (const std::string& part : wish.skip) skip += (skip.empty() ? "" : ",") + part;
  return fmt::format(
      "# Of this pack; read by measure.sh.\n"
      "ID={} MACHINE={} FLAGS=\"{}\"\n"
      "SECONDS_PLAN={:.9g} SECONDS_OTHER={:.9g} SECONDS_TRIAL={:.9g} LATE={}\n"
      "CPUS=\"{}\" RIG_HAS_CPUS={} SKIP=\"{}\" MOST_COPIES={}\n"
      "STEPS=\"{}\" TIMES=\"{}\"\n",
      id, machine_of(plan.request), flags_of(plan.request), wish.plan_seconds, wish.seconds,
      trial_seconds(plan.checked.plan), wish.late, wish.cpus, rig_has_cpus(plan) ? "yes" : "no", skip, wish.most_copies,
      shell_list(plants.variants, false), shell_list(plants.variants, true));
}

/// What a reader of the results needs to know of the plan.
Json plan_json(const Plan& plan) {
  Json groups = Json::array(), subsystems = Json::array();
  for (const SyncGroup& group : plan.groups)
    groups.push_back({{"name", group.name}, {"period_s", static_cast<double>(group.period_ns) * 1e-9}});
  for (const PlanSubsystem& s : plan.subsystems) {
    Json row = {{"name", s.name},
                {"method", s.method->name},
                {"sampled", s.method->is_sampled()},
                {"step_s", static_cast<double>(s.step_ns) * 1e-9}};
    for (const PlanStability::Limit& limit : s.stability.limits)
      if (limit.method == s.method && limit.step_s) row["stable_step_s"] = *limit.step_s;
    subsystems.push_back(std::move(row));
  }
  return {{"groups", std::move(groups)}, {"subsystems", std::move(subsystems)}};
}

Json pack_json(const FitPlants& plants, const FitWish& wish, const std::string& id) {
  const BuiltPlant& plan = plants.plan;
  FitVariant own;
  note_times(plan.checked.plan, own);
  Json variants = Json::array();
  for (const FitVariant& v : plants.variants)
    variants.push_back({{"name", v.name},
                        {"kind", v.times ? "times" : "steps"},
                        {"factor", v.factor},
                        {"step_s", static_cast<double>(v.step_ns) * 1e-9},
                        {"period_s", static_cast<double>(v.period_ns) * 1e-9}});
  return {{"format", pack_format},
          {"takt", TAKT_VERSION},
          {"id", id},
          {"plant", plan.checked.network.name},
          {"machine", machine_of(plan.request)},
          {"rig", plan.checked.rig.has_value()},
          {"plan_seconds", wish.plan_seconds},
          {"seconds", wish.seconds},
          {"late", wish.late},
          {"skip", wish.skip},
          {"most_copies", wish.most_copies},
          {"step_s", static_cast<double>(own.step_ns) * 1e-9},
          {"period_s", static_cast<double>(own.period_ns) * 1e-9},
          {"plan", plan_json(plan.checked.plan)},
          {"variants", std::move(variants)},
          {"not_possible", plants.not_possible}};
}

std::string read_me(const FitPlants& plants) {
  return fmt::format(
      "What a board ({}, Linux) can hold of the plant {}.\n\n"
      "1. Copy this folder to the board.\n"
      "2. There, as root or with CAP_SYS_NICE and CAP_IPC_LOCK, with nothing else to do for the board: sh measure.sh\n"
      "3. Copy the folder results back, into this folder.\n"
      "4. Here: takt fit --read THIS_FOLDER\n",
      machine_of(plants.plan.request), plants.plan.checked.network.name);
}

/// A pack that was there is replaced, its results go.
void clear(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw std::runtime_error(folder.string() + " is a file, not a folder");
  if (fs::is_empty(folder)) return;
  if (!fs::exists(folder / "pack.json"))
    throw std::runtime_error(folder.string() + " holds something else than a pack; name an empty folder, or a new one");
  for (const char* ours : {"bin", "results", "pack.json", "pack.sh", "measure.sh", "README.txt"})
    fs::remove_all(folder / ours);
}

}  // namespace

std::optional<FitPlants> build_for_fit(const PlantBuild& request, bool finer) {
  std::optional<BuiltPlant> plan = build_planned(request);
  if (!plan) return std::nullopt;
  FitPlants plants{.plan = std::move(*plan)};
  if (request.rig) {
    PlantBuild without = plants.plan.request;
    without.rig.reset();
    without.quiet = true;
    plants.own = build_plant(without);
    if (!plants.own) return std::nullopt;
  }
  for (const bool times : {false, true}) {
    for (const int factor : {2, 4, 8}) {
      if (!finer) break;
      FitVariant variant{
          .name = (times ? "times" : "steps") + std::to_string(factor), .times = times, .factor = factor};
      if (build_variant(plants.plain(), variant))
        plants.variants.push_back(std::move(variant));
      else
        plants.not_possible.push_back(variant.name);
    }
  }
  return plants;
}

void write_pack(const FitPlants& plants, const FitWish& wish, const fs::path& folder) {
  clear(folder);
  fs::create_directories(folder / "bin");
  std::string all;
  const auto put = [&](const std::string& name, const BuiltPlant& plant) {
    fs::copy_file(plant.executable, folder / "bin" / name);
    all += hash_text(whole(plant.executable));
  };
  put("plan", plants.plan);
  put("plain", plants.plain());
  for (const FitVariant& variant : plants.variants) put(variant.name, variant.plant);
  const std::string id = hash_text(all + pack_settings(plants, wish, "") + std::string(measure_script));
  write_whole(folder / "pack.sh", pack_settings(plants, wish, id));
  write_whole(folder / "measure.sh", std::string(measure_script));
  fs::permissions(folder / "measure.sh", fs::perms::owner_exec | fs::perms::group_exec, fs::perm_options::add);
  write_whole(folder / "README.txt", read_me(plants));
  write_whole(folder / "pack.json", pack_json(plants, wish, id).dump(2) + "\n");
}

}  // namespace takt::tools
