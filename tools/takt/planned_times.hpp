#pragma once
// The search for a plan's times with the executable of the plant.

#include <memory>
#include <string>
#include <vector>

#include "codegen/accuracy/plan_search.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct PlanWish {
  double error = codegen::usual_error;  ///< RMS over the range of each recorded signal
  double duration_s = 0.0;              ///< simulated in each trial, at most; 0: the plant's, or 1 s
  bool keep = false;                    ///< the estimate alone
  std::vector<std::string> inputs{};    ///< options of the executable: what plant inputs do; none: they are moved
  double patience = 1.0;                ///< times the work that trials usually take at most
  bool always_lengthen = false;         ///< times become longer also where later inputs might need the shorter ones
};

struct PlannedTimes {
  PlanWish wish;
  codegen::PlanSearch search;
  std::shared_ptr<const BuiltPlant> variant;  ///< the plant with other groups or methods, whose plan it is; null: that
                                              ///< of the plant itself
  bool inputs_moved = false;                  ///< in trials, as moved_inputs() says
  std::vector<double> later{};  ///< known instants that trials did not reach, s: codegen::later_instants()
  std::string when_moved;       ///< why there is no estimate with inputs moved, but one at their start values
};

/// In planned_text() where PlannedTimes::when_moved says something.
inline constexpr const char* not_known_moved = "but with its inputs moved the error is unknown";
/// In the last line of planned_text() where trials saw a part of the run.
inline constexpr const char* not_all_seen = "what comes later is not in the estimate";
/// In that line where something is known to happen there that nothing before was like.
inline constexpr const char* not_reached = "out of reach of trials:";

/// Shows on a terminal what is being tried.
[[nodiscard]] PlannedTimes planned_times(const BuiltPlant& plant, const PlanWish& wish);

/// Simulated in each trial, at most, s: what is wished, else the plant's duration, else 1 s.
[[nodiscard]] double duration_of(const PlanWish& wish, const codegen::Network& network);

/// What the times that were found are those of.
[[nodiscard]] const codegen::Checked& checked_of(const BuiltPlant& plant, const PlannedTimes& planned);

/// "rc: planned for an error of 0.001: estimated 4.2e-4 (electric.c.v), over 0.05 s": a line without its end, or more.
[[nodiscard]] std::string planned_text(const BuiltPlant& plant, const PlannedTimes& planned);
/// What was found, a file for --solve, that text as its first comment.
[[nodiscard]] std::string planned_file(const BuiltPlant& plant, const PlannedTimes& planned);
/// "4.2e-4 (electric.c.v)", or why it is no estimate.
[[nodiscard]] std::string estimate_text(const codegen::PlanEstimate& estimate);

}  // namespace takt::tools
