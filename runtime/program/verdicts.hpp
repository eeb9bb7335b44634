#pragma once
// Whether a run that went on to its end can be trusted.

#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// Collects the verdicts of a run: events that void its results, ledgers that do not close, energy [J] that is missing.
/// @param tolerated  codes that were accepted knowingly: named, but the run does not fail by them.   Real-time: no,
/// after run() only.
/// @param late  deadlines that may be missed
void judge_results(RunResults& results, const std::vector<std::string>& tolerated, const LateTolerance& late);

/// Adds one; the run has failed, unless the code is tolerated or it was late only.   Real-time: no.
void add_verdict(RunResults& results, Verdict verdict, const std::vector<std::string>& tolerated);

}  // namespace takt
