#pragma once
// Scenario files run by the built plant, each in a process and a run directory of its own, and what became of them.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/stats/scenario_result.hpp"

namespace takt::tools {

struct ScenarioExpectation {
  std::string name, text, place, verdict, values, because;  ///< verdict: passed, failed, undecided
  double from_s = -1.0, time_s = -1.0;                      ///< below zero: never
  std::vector<std::string> paths{};
  std::optional<ExpectedBand> band{};
};

struct ScenarioRun {
  std::filesystem::path file, folder;  ///< of the scenario; of the run
  std::string title{};
  std::string plant{}, started{}, host{}, digest{};  ///< as the run says; empty where it left no summary
  std::string verdict{};  ///< passed, failed, no expectation; "not run" where the executable left no summary
  std::string because{};  ///< what failed besides expectations, or what the executable said
  bool ok = false;        ///< exit code 0
  int exit_code = 0;      ///< of the executable: runtime/io/record/run_outcome.hpp
  std::string outcome{};  ///< passed, failed, late, interrupted, not run
  std::string trouble{};  ///< of the run itself, whatever its scenario says: not trusted, stopped
  double simulated_s = 0.0, wall_s = 0.0, macro_step_s = 0.0;
  std::vector<ScenarioExpectation> expectations{};
  [[nodiscard]] std::size_t count(const std::string& wanted) const;
};

struct ScenarioJobs {
  std::vector<std::string> command{};  ///< the executable and its options
  std::vector<std::filesystem::path> files;
  std::filesystem::path out;  ///< a folder for each run is made there
  std::size_t at_once = 1;
  std::function<void(const ScenarioRun&)> done{};  ///< called as they end, one at a time
};

/// In the order of the files.
[[nodiscard]] std::vector<ScenarioRun> run_scenarios(const ScenarioJobs& jobs);

}  // namespace takt::tools
