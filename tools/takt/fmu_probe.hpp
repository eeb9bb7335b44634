#pragma once
// A host process in which an FMU is run or tried: a crash or a hang is a finding, not the end of the command.

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/fmu_host/trial_plan.hpp"
#include "tools/takt/fmu_open.hpp"

namespace takt::tools {

struct ProbeOutcome {
  enum class End : std::uint8_t { finished, crashed, hung, exited, copied };
  End end = End::finished;
  int signal = 0;          ///< of a crash
  int exit_code = 0;       ///< of its own end
  std::uint64_t step = 0;  ///< where it ended
  std::string doing;
  nlohmann::json found;      ///< what the host has found out; null where it did not finish
  std::vector<double> rows;  ///< of a run: time and columns, row by row; as many as came
  /// "crashed (SIGSEGV) at step 1000, stepping"
  [[nodiscard]] std::string text() const;
};

/// What all trials of an FMU share.
[[nodiscard]] fmu_host::TrialPlan trial_of(const OpenFmu& fmu);

/// Has a plan carried out and waits for what is found.
/// @param patience  without progress the host hangs, and is ended
/// @param silent    what the FMU prints goes nowhere
/// @throw std::runtime_error
[[nodiscard]] ProbeOutcome probe(const fmu_host::TrialPlan& plan, std::chrono::milliseconds patience, bool silent);

}  // namespace takt::tools
