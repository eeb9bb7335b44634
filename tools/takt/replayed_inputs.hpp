#pragma once
// Plant inputs of a reference run: those an earlier run logged, or given on the command line.

#include <string>
#include <vector>

#include "codegen/pipeline.hpp"
#include "codegen/reference/reference_run.hpp"

namespace takt::tools {

struct ReplayedInputs {
  std::vector<codegen::InputChange> changes;  ///< by time
  std::int64_t duration_ns = 0;               ///< of the logged run; 0: none
  bool steady = false;                        ///< it began with a steady state
  std::string unfinished{};                   ///< a sentence where duration_ns is all that is known of a longer run
};

/// Parameters that the logged run had set take their values in checked.network.
/// @param log     inputs.csv or the run directory that holds it; empty: none
/// @param inputs  "name=value@time"
/// @throw std::runtime_error  "file:line: cause"
[[nodiscard]] ReplayedInputs replayed_inputs(const std::string& log, const std::vector<std::string>& inputs,
                                             codegen::Checked& checked);

}  // namespace takt::tools
