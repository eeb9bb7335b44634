#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// FMUs as parts of a plant: [fmu]. Codes Y1xx; those of the FMU files themselves are Y0xx.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"Y100", "built without FMUs",
     "This takt was built without libzip or the headers of FMI. tools/install_packages.sh build installs both."},
    {"Y101", "FMU that cannot be used",
     "The file is no FMU, or one that breaks rules that matter. `takt fmu check FILE` lists them."},
    {"Y102", "no binary for this machine",
     "The FMU has libraries for other platforms only. Ask its maker for one for linux64 (FMI 2) or x86_64-linux (FMI "
     "3)."},
    {"Y103", "kind that the FMU does not offer",
     "kind = \"cs\" (co-simulation: it brings its own solver) or \"me\" (model exchange: Takt integrates it); `takt "
     "fmu info FILE` tells what it offers."},
    {"Y104", "FMU that needs its tool",
     "needsExecutionTool is true: without the tool that made it the FMU does nothing."},
    {"Y105", "step against the FMU's own", "fixedInternalStepSize of an FMI 3 FMU must divide the communication step."},
    {"Y106", "method of an FMU",
     "Model exchange is integrated by euler, heun, rk3 or rk4 with the step of its line; co-simulation brings its own "
     "method."},
    {"Y107", "what to do when an FMU fails",
     "on_error = \"stop\" ends the run, \"hold\" keeps its outputs, { OUTPUT = VALUE } gives them safe ones; the "
     "results "
     "are marked as not to be trusted."},
    {"Y108", "unknown variable of an FMU",
     "`takt fmu info FILE` lists them. An element of an array is written NAME[1] or NAME[1,2]."},
    {"Y109", "variable in a place where it cannot be",
     "inputs = { VARIABLE = \"expression of the plant\" }, outputs = [\"VARIABLE\"] or { NAME = \"VARIABLE\" }, "
     "parameters = { VARIABLE = value }. Texts, binaries and clocks cannot be connected."},
    {"Y110", "unit that nobody knows",
     "The FMU names a unit without base units, and Takt does not know its name either: values pass unchanged, "
     "unchecked."},
    {"Y111", "lag of an FMU",
     "lag = 1 (default): the FMU computes its window while the others compute theirs, both extrapolate. lag = 0: it "
     "takes its turn among them, in the order of their dependencies; paced, it needs a CPU of its own."},
});

}  // namespace

std::span<const CodeEntry> foreign_codes() { return rows; }

}  // namespace takt::codegen
