#include "tools/takt/command_table.hpp"

#include <array>

#include "tools/takt/import_command.hpp"
#include "tools/takt/view_command.hpp"

namespace takt::tools {
namespace {

// A command is listed once its file is in tools/CMakeLists.txt.
constexpr auto commands = std::to_array<CommandEntry>({
    {"new", "a folder to begin with: plant, scenario, rig, DBC file, ECU in Python", new_command},
    {"check", "analyse a plant: circuits, index, couplings, steps; every mistake with its line", check_command},
    {"build", "compile a plant into one executable", build_command},
    {"run", "build a plant where needed, then run it", run_command},
    {"plan", "steps and synchronisation times for an error, by runs of the built plant", plan_command},
    {"sweep", "run a plant over values of parameters and inputs; one table of all runs", sweep_command},
    {"scenario", "run a plant through test scenarios: verdicts, JUnit XML", scenario_command},
    {"bench", "what a plant costs here: real-time factors, and the executive's own time", bench_command},
    {"fit", "what a board can hold of a plant: verdict, margin, copies, what to change", fit_command},
    {"compare", "how far the signals of two runs are apart: max, RMS and normalised error of each", compare_command},
    {"report", "recorded signals of one or more runs on one page, over each other", report_command},
    {"reference", "the whole plant as one system, solved tightly by SUNDIALS: what a run is compared with",
     reference_command},
    {"can", "frames on CAN buses and in logs, with the names of a database", can_command},
    {"fmu", "Functional Mock-up Units: look at them, run them, test them, make one of a plant", fmu_command},
    {"ssp", "system structure packages: a plant of one, one of a plant that consists of FMUs", ssp_command},
    {"import", "a plant of a model in another language: Modelica", import_command},
    {"tap", "look at a run that is under way, and act on it: values, inputs, faults, pause", tap_command},
    {"top", "how a run that is under way is, twice a second", top_command},
    {"view", "runs that are under way in a browser: plots, inputs, faults, times", view_command},
    {"explain", "tell about an element of the library or a diagnostic code", explain_command},
    {"signals", "what rigs, scenarios, [record] and `takt tap` can name in a plant, with units", signals_command},
    {"host", "audit this machine as a host of a real-time plant", host_command},
    {"schema", "JSON schemas of plant, rig and scenario files, for editors", schema_command},
    {"clean", "take away what builds have left", clean_command},
    {"completion", "completion of commands and options in bash, zsh and fish", completion_command},
    {"man", "manual pages", man_command},
});

}  // namespace

std::span<const CommandEntry> all_commands() { return commands; }

}  // namespace takt::tools
