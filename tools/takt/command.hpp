#pragma once
// The commands of `takt`, one file each: tools/takt/takt_NAME.cpp. A command parses its own arguments, so that
// `takt NAME --help` says all about it; takt.cpp only finds the command, in
// the table of command_table.cpp.

namespace takt::tools {

/// Exit codes of every command; those of runs are the outcomes of runtime/io/record/run_outcome.hpp.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,       ///< the model or the run failed
  exit_usage = 2,        ///< wrong arguments, missing file
  exit_late = 3,         ///< in real time: deadlines missed
  exit_interrupted = 4,  ///< ended by somebody before its time
};

/// A command. argv[0] is "takt NAME", the rest its own arguments.
/// @return ExitCode
using Command = int (*)(int argc, char** argv);

int new_command(int argc, char** argv);         ///< a folder to begin with
int check_command(int argc, char** argv);       ///< analyse a plant, print what was found
int explain_command(int argc, char** argv);     ///< documentation of elements and diagnostic codes
int host_command(int argc, char** argv);        ///< audit of this machine
int build_command(int argc, char** argv);       ///< plant -> executable
int run_command(int argc, char** argv);         ///< build if needed, then run
int sweep_command(int argc, char** argv);       ///< runs over values of parameters and inputs
int scenario_command(int argc, char** argv);    ///< test scenarios with verdicts
int plan_command(int argc, char** argv);        ///< steps and times for an error
int bench_command(int argc, char** argv);       ///< what a plant costs here
int fit_command(int argc, char** argv);         ///< what a machine can hold of a plant
int compare_command(int argc, char** argv);     ///< how far two runs are apart
int report_command(int argc, char** argv);      ///< runs over each other on a page
int reference_command(int argc, char** argv);   ///< the whole plant as one system, by SUNDIALS
int tap_command(int argc, char** argv);         ///< looks at a run and acts on it
int top_command(int argc, char** argv);         ///< how a run is, again and again
int ssp_command(int argc, char** argv);         ///< system structure packages
int can_command(int argc, char** argv);         ///< buses, DBC files, frames
int fmu_command(int argc, char** argv);         ///< Functional Mock-up Units
int signals_command(int argc, char** argv);     ///< names in a plant
int schema_command(int argc, char** argv);      ///< for editors
int clean_command(int argc, char** argv);       ///< away with builds
int completion_command(int argc, char** argv);  ///< for shells
int man_command(int argc, char** argv);         ///< manual pages

}  // namespace takt::tools
