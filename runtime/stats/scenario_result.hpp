#pragma once
// What a scenario did to a plant and what became of its expectations, as plain data.

#include <optional>
#include <string>
#include <vector>

namespace takt {

/// What a signal of plant memory had to keep to.
struct ExpectedBand {
  std::vector<double> time_s, reference;  ///< simulated time
  bool held = false;                      ///< the reference steps, else it is linear between its points
  double tolerance = 0.0;                 ///< in the unit of the signal, or a part of the reference
  bool relative = false;
};

struct ExpectationResult {
  enum class Verdict : unsigned char { passed, failed, undecided } verdict = Verdict::undecided;
  std::string name, text;
  std::string place;      ///< "file:line"
  double from_s = -1.0;   ///< simulated, when its step began; below zero: it did not
  double time_s = -1.0;   ///< of the decision; below zero: there was none
  double since_s = -1.0;  ///< what it saw from here on has decided it
  std::string values{};   ///< what was read then: "electric.link.v = 396.2 V"; both sides where they are computed
  std::string because{};  ///< why it failed or was not decided
  std::vector<std::string> paths{};    ///< of plant memory that it reads
  std::optional<double> threshold{};   ///< that one signal is compared with, in its unit
  std::optional<ExpectedBand> band{};  ///< where it is around one signal itself, and not around an expression
};

/// What a step did, when it took effect.
struct ScenarioAction {
  double time_s = 0.0;
  std::string step, text;
};

struct ScenarioResult {
  enum class Verdict : unsigned char { none, passed, failed, no_expectation } verdict = Verdict::none;
  std::string title, file;
  std::string because;  ///< what failed besides expectations; empty: nothing
  bool cut = false;     ///< the run ended before the scenario did, for no fault of the scenario
  double ended_s = 0.0;
  bool judged_only = false;  ///< a replay: the actions are those of the log
  std::vector<ExpectationResult> expectations{};
  std::vector<ScenarioAction> actions{};
  bool no_expectation_is_fine = false;  ///< --allow-no-expectation
  [[nodiscard]] bool failed() const noexcept {
    return verdict == Verdict::failed || (verdict == Verdict::no_expectation && !no_expectation_is_fine);
  }
};

}  // namespace takt
