#pragma once
// Plant inputs that come from a list instead of from outside: a replayed log, or --input on the command line.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

struct ScriptedInput {
  SimTime time;             ///< from the first release on that takes inputs at or after it
  std::uint32_t input = 0;  ///< index of the plant input
  double value = 0.0;
};

/// A scripted value stays in force, also against values latched from outside, until the script changes it.
/// Real-time: apply() is bounded by the number of changes due and of inputs.
class InputScript {
 public:
  InputScript() = default;
  InputScript(std::vector<ScriptedInput> changes, std::size_t plant_inputs);
  void apply(SimTime now, std::span<double> plant_inputs) noexcept;
  [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }
  /// Something changes before this time that has not been applied yet.
  [[nodiscard]] bool changes_before(SimTime time) const noexcept {
    return next_ < changes_.size() && changes_[next_].time < time;
  }

 private:
  std::vector<ScriptedInput> changes_;  // by time
  std::size_t next_ = 0;
  std::vector<double> values_;
  std::vector<bool> in_force_;
};

/// What inputs.csv of an earlier run holds.
struct InputLog {
  std::vector<ScriptedInput> changes;
  std::uint64_t macro_steps = 0;   ///< of the run; where it was not finished, those that the log is known to hold
  bool finished = true;            ///< false: the run goes on yet, was killed, or its disk was full
  bool ended = false;              ///< in order: it says so
  std::int64_t macro_step_ns = 0;  ///< that all steps here are counted in
  std::vector<std::pair<std::string, std::string>> parameters_set;
  bool steady = false;  ///< the run began in the steady state
  /// More than plant inputs was changed, or may have been: actions.csv beside it says how, the inputs alone do not.
  bool acted_on = false;
  bool had_actions = false;  ///< so the log says, wherever it stands now
  std::vector<std::string> warnings;

  [[nodiscard]] SimTime end() const noexcept { return SimTime{static_cast<std::int64_t>(macro_steps) * macro_step_ns}; }
};

/// Of a log whose macro-steps have another length than those of the plant: a run can only replay its own.
enum class OtherSteps : std::uint8_t { refused, accepted };

/// @param path  inputs.csv or the run directory that holds it
/// @throw std::runtime_error  "file:line: cause"
[[nodiscard]] InputLog read_input_log(const std::filesystem::path& path, const PlantDescription& plant,
                                      OtherSteps other_steps = OtherSteps::refused);

/// "name=value@time", value with an optional unit, time optional (0).  @throw std::runtime_error
[[nodiscard]] ScriptedInput parse_scripted_input(const std::string& text, const PlantDescription& plant);

}  // namespace takt
