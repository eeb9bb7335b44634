#include "runtime/program/trial_runs.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/audit/plan_trials.hpp"
#include "runtime/json/parse_json.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json());
  return list;
}

}  // namespace

std::string trial_runs(const PlantDescription& plant, const std::filesystem::path& file,
                       std::span<const ScriptedInput> inputs, bool (*goes_on)()) {
  std::vector<PlanTimes> plans;
  TrialSettings settings{.duration_s = 0.0, .seconds = 0.0, .goes_on = goes_on, .inputs = inputs};
  try {
    std::ifstream input(file);
    if (!input) throw std::runtime_error("cannot be opened");
    const auto asked = parse_json<Json>(std::string(std::istreambuf_iterator<char>(input), {}));
    settings.duration_s = asked.at("duration_s");
    settings.seconds = asked.at("seconds");
    for (const Json& plan : asked.at("plans"))
      plans.push_back(
          {.step_ns = plan.at("step_ns"), .period_ns = plan.at("period_ns"), .nudge = plan.value("nudge", 0.0)});
  } catch (const Json::exception&) {
    throw std::runtime_error("--trials " + file.string() +
                             ": is not of the form that `takt plan` writes: duration_s, seconds and plans, each with "
                             "step_ns and period_ns");
  } catch (const std::exception& error) {
    throw std::runtime_error("--trials " + file.string() + ": " + error.what());
  }
  const PlanTrials found = try_plans(plant, plans, settings);
  Json out{{"covered_s", found.covered_s}, {"samples", found.samples}};
  for (const SubsystemDescription& s : plant.subsystems) out["subsystems"].push_back(s.name);
  for (const TrialSignal& signal : found.signals)
    out["signals"].push_back(
        {{"path", signal.path}, {"unit", signal.unit}, {"subsystem", signal.subsystem}, {"scale", signal.scale}});
  for (const TrialErrors& plan : found.plans)
    out["plans"].push_back({{"compute_s", plan.compute_s},
                            {"verdict", plan.verdict},
                            {"to_first", numbers(plan.to_first)},
                            {"to_last", numbers(plan.to_last)}});
  return out.dump() + "\n";
}

}  // namespace takt
