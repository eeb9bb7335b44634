#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// FMUs as parts of a plant: [fmu]. Codes Y1xx; those of the FMU files themselves are Y0xx.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"Y101", "FMU that cannot be used",
     "The file is no FMU, or one that breaks rules that matter. `takt fmu check FILE` lists them."},
    {"Y103", "kind that the FMU does not offer",
     "kind = \"cs\" (co-simulation: it brings its own solver) or \"me\" (model exchange: Takt "
     "integrates it); `takt fmu info FILE` tells what it offers."},
    {"Y104", "FMU that needs its tool",
     "needsExecutionTool is true: without the tool that made it the FMU does nothing."},
    {"Y105", "step against the FMU's own",
     "fixedInternalStepSize of an FMI 3 FMU must divide the communication step."},
    {"Y106", "method of an FMU",
     "Model exchange is integrated by euler, heun, rk3, rk4, or linearly implicit by ros1 or ros2, "
     "with the step of its line; auto is rk4, and ros2 where rk4 is not stable with that step. "
     "Co-simulation brings its own method. Joined FMUs are integrated by explicit ones. "
     "directional_derivatives = false takes Jacobians by differences where those that the FMU "
     "offers are wrong or crash."},
    {"Y107", "what to do when an FMU fails",
     "on_error = \"stop\" ends the run, \"hold\" keeps its outputs, { OUTPUT = VALUE } gives them "
     "safe ones; the results are marked as not to be trusted."},
    {"Y108", "unknown variable of an FMU",
     "`takt fmu info FILE` lists them. An element of an array is written NAME[1] or NAME[1,2]."},
    {"Y109", "variable in a place where it cannot be",
     "inputs = { VARIABLE = \"expression of the plant\" }, outputs = [\"VARIABLE\"] or { NAME = "
     "\"VARIABLE\" }, "
     "parameters = { VARIABLE = value }. Texts, binaries and clocks cannot be connected."},
    {"Y110", "unit that nobody knows",
     "The FMU names a unit without base units, and Takt does not know its name either: values pass "
     "unchanged, unchecked."},
    {"Y111", "lag of an FMU",
     "lag = 1 (default): the FMU computes its window while the others compute theirs, both "
     "extrapolate. lag = 0: it takes its turn among them, in the order of their dependencies; "
     "paced, it needs a CPU of its own."},
    {"Y120", "form of a join",
     "A line of [join] has two sides a and b, each with fmu, across (an output), through (an "
     "input), and sign where the through value counts out of the FMU."},
    {"Y121", "way of a join",
     "\"index\" (exact), \"implicit\" (order 1, stiff), \"loop\" and \"spring\" (approximate). A "
     "substitute variable needs the equations: write both storages as elements of one circuit."},
    {"Y122", "variable that cannot be joined",
     "Across is a continuous output, through a continuous input that nobody else feeds, both "
     "scalars of type Float64. `takt fmu info FILE` lists them."},
    {"Y123", "way that the FMUs do not offer",
     "All ways need model exchange (kind = \"me\"). Co-simulations can be joined by \"implicit\" "
     "where they save and restore their state (canGetAndSetFMUState)."},
    {"Y124", "joined FMUs that differ",
     "Joined FMUs are advanced as one: with the same step, method, lag and on_error."},
    {"Y125", "storages of different kinds",
     "Both across values have one dimension, both through values too, and their product is a "
     "power."},
    {"Y126", "join with a circuit",
     "Only FMUs are joined with each other so far. Between an FMU and a circuit, give the FMU a "
     "port ([fmu] `ports`) at an element of the circuit that is no storage of the same kind."},
    {"Y127", "settings of a join",
     "stiffness and damper belong to spring, gain to loop, iterations to index, implicit and loop. "
     "Joins that hang together share them. What is left out is proposed from 1/m_a + 1/m_b, "
     "measured at the start."},
    {"Y128", "way chosen for a join", "By what the FMUs offer; `way` chooses another."},
    {"Y130", "form of a port",
     "ports = { shaft = { at = \"rotational.crank\", across = \"w\", through = \"tau\" } }: a "
     "node, or two, and two "
     "variables of the FMU; sign = \"-\" where the through variable counts out of the FMU."},
    {"Y131", "place of a port",
     "A port is at a node of an electric, solid, rotational or translational circuit, written with "
     "its section, or between two nodes of one. The circuit must be there without it."},
    {"Y132", "variables of a port",
     "Of across and through one is a continuous output of the FMU, which the circuit follows, the "
     "other a continuous input that nobody else feeds. `takt fmu info FILE` lists them."},
    {"Y133", "units of a port",
     "The variables have the dimensions of the domain: V and A, K and W, rad/s and N*m, m/s and "
     "N."},
    {"Y134", "port that gives what a storage holds",
     "The FMU and a storage of the circuit would hold one value: the port gives the voltage of a "
     "capacitor (speed of an inertia, current of an inductor). Put an element between that is no "
     "storage of this kind, or join FMUs by [join]."},
});

}  // namespace

std::span<const CodeEntry> foreign_codes() { return rows; }

}  // namespace takt::codegen
