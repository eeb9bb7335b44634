#include "runtime/program/run_scenario.hpp"

#include <algorithm>

#include "runtime/scenario/load_scenario.hpp"

namespace takt {
namespace {

constexpr std::uint64_t most_rows = 200'000;  // of a recording; a longer run is recorded less often

}  // namespace

RunScenario::RunScenario(const PlantDescription& plant, const CommandLine& options)
    : program_(load_scenario(options.scenario.string(), plant)),
      records_signals_(options.scenario_signals),
      judge_only_(!options.replay.empty()),
      no_expectation_is_fine_(options.no_expectation_is_fine) {
  if (judge_only_) program_.parameters.clear();
}

void RunScenario::add_records(PlantDescription& plant, std::uint64_t macro_steps) {
  rows_ = program_.rows(plant);
  if (!records_signals_ || rows_.empty()) return;
  const auto every = static_cast<std::int64_t>(std::max<std::uint64_t>(1, macro_steps / most_rows));
  records_.assign(plant.records.begin(), plant.records.end());
  records_.push_back({plant.macro_step_ns * every, rows_});
  plant.records = records_;
}

void RunScenario::begin(const PlantDescription& plant, std::uint64_t macro_steps) {
  const SimTime end = SimTime{} + SimDuration{plant.macro_step_ns} * static_cast<std::int64_t>(macro_steps);
  scenario_.emplace(program_, plant, Scenario::Options{.judge_only = judge_only_, .end = end});
}

ScenarioResult RunScenario::result() const {
  ScenarioResult result = scenario_->result();
  result.no_expectation_is_fine = no_expectation_is_fine_;
  return result;
}

}  // namespace takt
