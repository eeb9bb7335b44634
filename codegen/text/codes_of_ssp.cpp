#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// System structure packages. Letter Y: 200 to 219. Their archives and XML have the codes of FMUs,
// Y001 to Y019.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"Y200", "package without a structure",
     "A package is a zip archive with SystemStructure.ssd at its top, which is the structure that "
     "is taken. Other .ssd files in it are variants, and are not read."},
    {"Y201", "file that is none of SSP 1.0 or 2.0",
     "The root, its namespace (http://ssp-standard.org/SSP1/...) and the attribute version say "
     "what a file is. One without any namespace is read with a warning."},
    {"Y202", "component that is no FMU of the package",
     "The source of a component is an FMU in the package, by its path from the top. Addresses in a "
     "network are not looked up, and packages in packages are not read."},
    {"Y203", "FMU of a package that cannot be used",
     "What is wrong with it is told before: see the codes below Y200."},
    {"Y204", "name that is empty or there twice",
     "Elements of a system have names that differ, connectors of an element as well."},
    {"Y205", "connector or element that is not there",
     "A connection names elements of its own system and their connectors; connectors of a "
     "component are variables of its FMU."},
    {"Y206", "connection whose ends do not fit",
     "What gives are outputs of elements and inputs of the system itself; what takes are inputs of "
     "elements and outputs of the system. A taker is fed once, by a number: texts, binaries, "
     "clocks and whole arrays have no place in a plant."},
    {"Y207", "transformation that is not taken over",
     "Linear transformations with finite numbers are, from the end that gives. Tables of booleans, "
     "whole numbers and enumerations are not: put them into an FMU."},
    {"Y208", "value for what is not there, or cannot be set",
     "Names of values are those of variables, or of connectors of the system; within a system "
     "after the element's name and a dot. SSP ignores what fits nothing, and entries of a mapping "
     "without a source. Plants set parameters and inputs that nothing feeds."},
    {"Y209", "value that a plant cannot hold",
     "Values are finite numbers, booleans, or items of an enumeration, in a unit that is defined "
     "under Units."},
    {"Y210", "source of parameters that is not read",
     "Sets (.ssv) and mappings (.ssm) lie in the package or in the binding itself. Those in a "
     "component, of another type or in a network are not read."},
    {"Y211", "signal dictionary",
     "Signal dictionaries are not read: connect the components with one another."},
    {"Y212", "part of a structure that is not taken over",
     "A plant has no place for it; the rest is taken."},
    {"Y213", "units that do not fit",
     "A value is converted between units of one dimension. What turns one dimension into another "
     "is an FMU."},
    {"Y214", "connectors that feed one another",
     "Connections from system to system end where they began."},
    {"Y215", "plant that is no structure of FMUs",
     "A package holds FMUs and connections: each input of an FMU is fed by a number, or by an "
     "output of an FMU or an input of the plant, times a number, plus a number. Make FMUs of "
     "everything else with takt fmu export."},
    {"Y216", "folder that is there already",
     "A package is imported into a folder that is not there, or is empty."},
    {"Y217", "package without FMUs",
     "None of its systems has a component. What would be made of it is a plant in which nothing "
     "computes, so nothing is made."},
    {"Y218", "structure that is no package",
     "What is imported is an SSP: a zip archive with SystemStructure.ssd and its FMUs. A structure "
     "alone has no FMUs; "
     "OspSystemStructure.xml of Open Simulation Platform is another format, which is not read."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> ssp_codes() { return rows; }

}  // namespace takt::codegen
