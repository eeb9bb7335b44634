#pragma once
// The command line of a built plant.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executive/distorted_clock.hpp"
#include "runtime/executive/executive.hpp"
#include "runtime/io/record/record_formats.hpp"
#include "runtime/program/plant_main.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

struct CommandLine {
  bool paced = false;
  SimDuration duration;       ///< 0: the plant's own, or what the replayed log says
  std::filesystem::path out;  ///< empty: runs/PLANT-N
  std::vector<std::string> set, input;
  std::filesystem::path replay;
  std::filesystem::path resume;      ///< a checkpoint
  std::vector<std::string> actions;  ///< "5 s: tune electric.link.c 2 mF"
  std::filesystem::path scenario;    ///< empty: none
  bool scenario_signals = false;     ///< what it reads and sets is recorded, too
  bool no_expectation_is_fine = false;
  std::vector<std::pair<std::string, std::string>> bus;
  RigSettings rig{};
  std::vector<int> cpus;      ///< of the plant's threads, one and up; -1: the system chooses
  std::vector<int> fmu_cpus;  ///< of the processes that compute FMUs; empty: those that the plant leaves
  bool processes = false;     ///< a process for each of them
  std::string host;           ///< of the rig's that this is; empty: the first
  bool late_given = false;    ///< --late, which goes before that of a scenario and of the rig
  bool accept_late = false;   ///< the network between hosts may be too slow for what crosses
  DistortedClock::Settings distort_clock{};
  bool one_host = false;            ///< all is computed here, whatever hosts the rig names
  std::size_t propose_hosts = 0;    ///< > 0: instead of a run, say what so many hosts might compute
  SimDuration round_trip{500'000};  ///< between them
  std::filesystem::path placement;  ///< which subsystem on which of them; empty: computed
  std::optional<bool> steady;       ///< --start; else what the replayed log or the plant says
  bool strict = false, report = true, tap = true, hold = false, list = false, list_faults = false,
       list_recorded = false, json = false, quiet = false, results = true;
  std::vector<const RecordFormat*> formats{record_formats().front()};  ///< of recorded signals, a file each
  bool compress = false;                                               ///< where they do
  std::vector<std::string> attach;                                     ///< files that go into them
  std::string network;  ///< file of a picture of the plant, for the report
  std::string trigger;  ///< recording waits for it; empty: for nothing
  SimDuration before_trigger{1'000'000'000}, after_trigger{1'000'000'000};  ///< that are kept
  std::vector<std::string> tolerate;  ///< codes of verdicts that are accepted knowingly
  bool sample_fluxes = false;
  bool one_by_one = false;  ///< copies of a part are not computed at once
  double ledger_alarm = 1e-9;
  bool audit = true;  ///< the run's steps, after it
  double audit_seconds =
      0.0;  ///< of computing time at most; 0: as much as the run took, 1 s to 10 s; below 0: as long as it takes
  SimDuration
      record_states;       ///< > 0: every state, plant input and output at this period, in place of the plant's records
  bool sheet = false;      ///< before a paced run
  SimDuration trace_last;  ///< of the end, > 0: the run leaves a trace
  std::vector<Injection> injections;
  std::filesystem::path trials;  ///< plans to try instead of a run
  RunOrigin origin{};
};

/// Options over the rig's settings.
/// @return nothing where the program has to end here with exit_code: after --help (0) or a wrong option (2)
[[nodiscard]] std::optional<CommandLine> parse_command_line(const PlantProgram& program, int argc, char** argv,
                                                            int& exit_code);

}  // namespace takt
