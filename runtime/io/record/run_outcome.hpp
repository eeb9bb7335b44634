#pragma once
// What a run comes to: the one place from which exit code, console, summary, report and JUnit take it.
// Real-time: no, after the run.

#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// The number is the exit code. Of several the first counts: failed, late, interrupted.
enum class Outcome : int {
  passed = 0,       ///< as asked for: to its end, results that can be trusted, in real time where that was asked for
  failed = 1,       ///< it ended for a reason of its own, its results are not to be trusted, or its scenario failed
  usage = 2,        ///< nothing was run: command line, rig or files are wrong
  late = 3,         ///< results are right, but more deadlines were missed than tolerated: it was not real time
  interrupted = 4,  ///< right up to where somebody ended it before its time: Ctrl-C, SIGTERM, a client of the tap
};

[[nodiscard]] Outcome outcome_of(const RunResults& results);
/// "passed", "failed", "late", "interrupted"
[[nodiscard]] const char* outcome_word(Outcome outcome) noexcept;

/// A missed deadline as a verdict, X043; nothing where none was missed, or as many as tolerated.
/// "missed 500 deadlines in 500 macro-steps, the worst by 33 ms: 4.3 times too slow for real time"
[[nodiscard]] std::string too_late_text(const RunResults& results, const LateTolerance& tolerance);

}  // namespace takt
