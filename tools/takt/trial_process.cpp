#include "tools/takt/trial_process.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "codegen/emit/build/process.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
using Json = nlohmann::json;

constexpr double most_seconds =
    300.0;  // of computing time: beyond what PlanSearch asks for on any machine, which else would decide

std::string request(const std::vector<PlanTimes>& plans, double duration_s) {
  Json asked{{"duration_s", duration_s}, {"seconds", most_seconds}, {"plans", Json::array()}};
  for (const PlanTimes& plan : plans)
    asked["plans"].push_back({{"step_ns", plan.step_ns}, {"period_ns", plan.period_ns}, {"nudge", plan.nudge}});
  return asked.dump();
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) values.push_back(value.is_number() ? value.get<double>() : HUGE_VAL);
  return values;
}

/// Warnings of the plant stand before the answer, which is its last line.
TrialAnswer answer_in(const std::string& output, const std::vector<std::string>& subsystems) {
  TrialAnswer answer;
  const std::size_t brace = output.rfind("\n{");
  const auto said = json_or_none<Json>(brace == std::string::npos ? output : output.substr(brace + 1));
  if (!said.is_object()) return answer.problem = "the plant did not answer: " + output, answer;
  if (said.at("subsystems").get<std::vector<std::string>>() != subsystems)
    return answer.problem = "the executable is that of another plan", answer;
  answer.covered_s = said.at("covered_s");
  if (!said.contains("signals")) return answer.problem = "the plant records nothing that could be compared", answer;
  for (const Json& signal : said.at("signals")) {
    answer.signals.push_back(signal.at("path"));
    answer.subsystems.push_back(signal.at("subsystem"));
  }
  for (const Json& plan : said.at("plans")) {
    answer.to_first.push_back(numbers(plan.at("to_first")));
    answer.to_last.push_back(numbers(plan.at("to_last")));
    answer.compute_s.push_back(plan.at("compute_s"));
    answer.verdicts.push_back(plan.at("verdict"));
  }
  return answer;
}

}  // namespace

TryPlans trials_of(const BuiltPlant& plant, const std::vector<std::string>& inputs) {
  std::vector<std::string> subsystems;
  for (const PlanSubsystem& subsystem : plant.checked.plan.subsystems) subsystems.push_back(subsystem.name);
  return [&plant, inputs, subsystems = std::move(subsystems)](const std::vector<PlanTimes>& plans, double duration_s) {
    const TemporaryFile file(request(plans, duration_s));
    std::vector<std::string> command{plant.executable.string(), "--trials", file.path().string()};
    for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
    command.insert(command.end(), inputs.begin(), inputs.end());
    const ProcessResult done = run_process(command);
    if (done.exit_code == 0) return answer_in(done.output, subsystems);
    TrialAnswer answer;
    answer.problem = done.output.empty() ? fmt::format("the plant ended with {}", done.exit_code) : done.output;
    while (answer.problem.ends_with('\n')) answer.problem.pop_back();
    return answer;
  };
}

}  // namespace takt::tools
