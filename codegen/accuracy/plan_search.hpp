#pragma once
// Steps and synchronisation times for an error, by runs of the built plant: what a run cannot show,
// the search does not know.
//
// The error of a plan is its difference to the same plan with all times a tenth as long, which has
// itself at most a tenth of that error where the method's order holds; a plan with times a fifth as
// long says whether it does. Each time's share is what changes when it alone is halved. Times are
// shortened in proportion to their shares until the error is met, then those that cost most are
// made longer as long as it stays met over all of the time asked for. Limits: methods, orders and
// groups stay what they are. Plant inputs do what the trials make them do. Only what is recorded
// counts for the error asked for, over the time that is run; states and energies by the limit of
// the audit.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/accuracy/plan_times.hpp"

namespace takt::codegen {

/// What a run of several plans beside each other gives (runtime/audit/plan_trials.hpp).
struct TrialAnswer {
  std::vector<std::string> signals, subsystems;  ///< paths; who computes each
  std::vector<std::vector<double>> to_first,
      to_last;                    ///< of plans, then signals; infinite where a plan left all bounds
  std::vector<double> compute_s;  ///< of plans
  std::vector<std::string>
      verdicts;  ///< of plans: what a run is not to be trusted for, "X004: ..."; empty: nothing
  double covered_s = 0.0;
  std::string problem;  ///< why there is none
};
/// The last plan is the finest.
using TryPlans = std::function<TrialAnswer(const std::vector<PlanTimes>& plans, double duration_s)>;

/// Of the time asked for: who has seen less knows nothing.
inline constexpr double least_seen = 1e-4;

/// Known instants that trials go further for; more of them are corners that a table has all along.
inline constexpr std::size_t few_instants = 64;

struct SearchOptions {
  double error = 1e-3;      ///< RMS over the scale of a recorded signal
  double duration_s = 0.0;  ///< of a run, at most
  bool may_lengthen =
      true;  ///< runs show all that the plant will do; else times only become shorter
  double work =
      3e8;  ///< evaluations of equations in all trials of one round, at most: some seconds
  double last_work = 1.2e9;  ///< the same of the last estimate, which looks as far as it can
  std::function<void(const std::string&)> progress;
  /// Known instants of the run after this one, s, ascending; estimates reach further for a few of
  /// them.
  std::function<std::vector<double>(double after_s)> later{};
  /// Whether the generator takes such a plan: it sees what recorded samples do not. Left out: it
  /// takes all.
  std::function<bool(const PlanTimes&)> accepts{};
};

/// The error of a plan.
struct PlanEstimate {
  double error = 0.0;  ///< of the signal that is worst; infinite: it left all bounds
  std::string signal;
  bool converges =
      true;  ///< finer plans come nearer to the finest; where not, `error` is no estimate
  double covered_s = 0.0;  ///< simulated
  double compute =
      0.0;  ///< computing time over simulated time on this machine: the windows alone, run freely
  double finer = 0.0;  ///< the same error of the plan with times a fifth as long
  std::string
      verdict;  ///< a run by this plan is not to be trusted, one by the finest is: "X004: ..."
  std::string finest_verdict;  ///< a run by the finest is not: what is tried is beyond what the
                               ///< plant can do
  std::string problem;         ///< why there is none
};

/// What becomes of states that differ by a billionth part.
struct Sensitivity {
  double moved = 0.0;  ///< of the signal that it moves most: RMS over its scale
  std::string signal;
};
inline constexpr double nudged = 1e-9;

struct ShareOfError {
  FreeTime time;
  double share = 0.0;  ///< of the error, over the scale of the signal it moves most
};

/// The same plan with one time longer or shorter.
struct PlanMove {
  FreeTime time;
  double factor = 1.0;
  double error = 0.0, work = 0.0;
};

/// What to change next: nullopt where nothing that was tried does it.
struct NextPlans {
  std::optional<PlanMove> cheaper, finer;
};

struct PlanSearch {
  PlanTimes times;            ///< found; those of the plan where nothing better was
  PlanEstimate given, found;  ///< of the plan as it was, of `times`
  double given_work = 0.0, found_work = 0.0;
  std::vector<ShareOfError> shares;  ///< of `times`, the largest first
  NextPlans next;                    ///< of `times`
  bool met = false;                  ///< the error asked for
  /// Where it is not met, and what differs by a billionth part grows a thousandfold and more.
  std::optional<Sensitivity> sensitive{};
  std::string problem;  ///< why there is no estimate at all
  int rounds = 0;
};

/// Where the generator refuses the plan that trials find: the one with times that only became
/// shorter, then the same with all times shorter, then the plan as it was.
/// @param plan  a plan that runs
[[nodiscard]] PlanSearch search_times(const PlantEquations& plant, const Plan& plan,
                                      const TryPlans& try_plans, const SearchOptions& options);

/// The plan run twice, the second time with states that are off by a billionth part from the first
/// sample on. Nothing where that grows less than a thousandfold.
[[nodiscard]] std::optional<Sensitivity> sensitivity(const PlanTimesSpace& space,
                                                     const PlanTimes& times,
                                                     const TryPlans& try_plans,
                                                     const SearchOptions& options);

/// The estimate alone.
[[nodiscard]] PlanEstimate estimate(const PlanTimesSpace& space, const PlanTimes& times,
                                    const TryPlans& try_plans, const SearchOptions& options);

/// One trial of every free time twice and half as long.
/// @param found  of `times`
[[nodiscard]] NextPlans next_plans(const PlanTimesSpace& space, const PlanTimes& times,
                                   const PlanEstimate& found, const TryPlans& try_plans,
                                   const SearchOptions& options);

}  // namespace takt::codegen
