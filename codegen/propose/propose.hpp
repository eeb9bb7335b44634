#pragma once
// `takt check --propose`: synchronisation times, groups, methods and steps for an error that is asked for, with the
// estimated error and cost of the proposal beside the alternatives.
//
// Every candidate is run on the equations of the plant inside the generator (plan_trial.hpp) and compared with a run of
// much smaller steps. The search is greedy: the longest synchronisation time for all, then cheaper methods, then longer
// times for one cluster after the other, as long as the error stays below the one asked for.

#include <functional>
#include <string>
#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/propose/clusters.hpp"

namespace takt::codegen {

struct ProposalOptions {
  double error = 1e-3;                               ///< RMS over the range of a recorded quantity
  std::int64_t duration_ns = 0;                      ///< 0: as much of the plant's own duration as is affordable
  std::function<void(const std::string&)> progress;  ///< what is being tried
};

struct Alternative {
  std::string name;
  Plan plan;
  double cost = 0.0;    ///< operations per simulated second, about
  double error = 0.0;   ///< of the worst recorded quantity
  std::string worst;    ///< that quantity
  std::string refused;  ///< why it cannot be planned; the rest is empty then
};

struct Proposal {
  std::vector<Cluster> clusters;
  std::vector<Alternative> alternatives;  ///< the last one is the proposal
  std::vector<SolveSetting> solve;        ///< of the proposal
  std::vector<SyncSetting> sync;          ///< innermost group first
  double reference_error = 0.0;           ///< of the reference itself, estimated with doubled steps
  std::int64_t duration_ns = 0;           ///< simulated in every trial, from each of `runs` points
  std::size_t runs = 1;
  std::string problem;  ///< why there is none
};

/// @param network  its [solve] and [sync] are replaced while candidates are planned, and put back
[[nodiscard]] Proposal propose(const PlantEquations& plant, const Plan& plan, const OperatingRange& range,
                               const ProposalOptions& options);

/// The clusters and the table of alternatives, for people.
[[nodiscard]] std::string text(const Proposal& proposal, const Network& network);
/// The proposal as a file for --solve.
[[nodiscard]] std::string parametrisation(const Proposal& proposal, const Network& network);

}  // namespace takt::codegen
