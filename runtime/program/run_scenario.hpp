#pragma once
// The scenario of a run, as its command line asks for one.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/program/options.hpp"
#include "runtime/scenario/scenario.hpp"

namespace takt {

/// Phases: construct (reads the file), add_records(), begin(), then director() during the run, then report().
class RunScenario {
 public:
  /// @throw std::runtime_error  what is wrong with the file, with line and column
  RunScenario(const PlantDescription& plant, const CommandLine& options);
  RunScenario(const RunScenario&) = delete;
  RunScenario& operator=(const RunScenario&) = delete;

  /// Of the run; 0: the scenario ends it.
  [[nodiscard]] SimDuration duration() const noexcept { return program_.duration; }
  /// Deadlines that may be missed in real time; nothing: as many as the rig says.
  [[nodiscard]] const std::optional<LateTolerance>& late() const noexcept { return program_.late; }
  /// Messages "BUS.MESSAGE" that must come in real time; nothing: all that the rig maps.
  [[nodiscard]] const std::optional<std::vector<std::string>>& needs() const noexcept { return program_.needs; }
  /// To be set before the run, values in SI. None in a replay, whose log has them.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& parameters() const noexcept {
    return program_.parameters;
  }
  /// Where it was asked for, the plant also records what the scenario reads and sets.
  /// @param macro_steps  of the run; 0: not known
  void add_records(PlantDescription& plant, std::uint64_t macro_steps);
  /// @param macro_steps  of the run; 0: until the scenario ends it
  void begin(const PlantDescription& plant, std::uint64_t macro_steps);
  /// Plant memory has moved.
  void look_at(const std::byte* memory) noexcept { scenario_->look_at(memory); }
  [[nodiscard]] Director& director() noexcept { return *scenario_; }
  /// After the run.
  [[nodiscard]] ScenarioResult result() const;

 private:
  ScenarioProgram program_;
  bool records_signals_ = false, judge_only_ = false, no_expectation_is_fine_ = false;
  std::vector<std::uint32_t> rows_;
  std::vector<RecordPlan> records_;
  std::optional<Scenario> scenario_;
};

}  // namespace takt
