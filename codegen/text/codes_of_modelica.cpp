#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Models in Modelica. Letter D.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"D001", "file that is no flat Modelica model",
     "Taken are the flat JSON of the front end rumoca (of the version that the manual names) and "
     "Base Modelica text. A class that is partial has no complete set of equations."},
    {"D002", "construct of Modelica that the import does not know",
     "Nothing is left out in silence: what is not known is refused."},
    {"D003", "name that is not declared",
     "Names of a flat model are complete: every component is declared in it."},
    {"D004", "sizes, fields or arguments that do not fit",
     "Arrays that meet have equal sizes, records equal fields, and a call gives each argument "
     "once."},
    {"D005", "function that is not there, or not written in Modelica",
     "Functions are written out where they are called. External functions (C, Fortran) cannot be; "
     "the front end may also have left a body out."},
    {"D006", "function that cannot be written out",
     "Loops over ranges that are known are unrolled, branches on variables become choices. While "
     "loops, calls in circles, and leaving a function on a variable are not taken."},
    {"D007", "value that must be known before the plant is made",
     "Sizes, subscripts, ranges and what chooses between equations are numbers or parameters, and "
     "numbers are finite."},
    {"D008", "parameter without a value",
     "A parameter has a binding, or a start value that stands for it, or the start determines it "
     "(fixed = false): by initial equations and fixed start values."},
    {"D009", "equations that were counted differently",
     "The scalar equations that are made of an equation are as many as the front end says, and "
     "branches of an if-equation have the same number: nothing is made of a part of a model."},
    {"D010", "not as many equations as variables",
     "A model determines each of its variables. Inputs of the model itself are given from "
     "outside."},
    {"D020", "when-equation that cannot be an event of the plant",
     "An event sets variables and states to values of what was just before. A when-equation may "
     "read what it sets itself, but neither what another one may set at the same instant, nor an "
     "unknown that depends on what changes there: pre says which value is meant. When in "
     "algorithms, choices and loops, and terminate, are not imported."},
    {"D021", "operator that needs events or memory",
     "pre is taken of what events set, edge, change, sample and initial in conditions of "
     "when-equations, reinit in their bodies. Clocks are taken that have an interval or are made "
     "of such clocks, with equations that give each variable explicitly; clocks of conditions, "
     "those with a method of integration, delay and streams are not imported yet."},
    {"D022", "relation on a variable at which an equation jumps",
     "An if whose branches agree where the condition changes is taken as it is, and so is one in "
     "noEvent or smooth. One that jumps where a variable is below or above another becomes an "
     "event, and relations of the time are cut by the solver. What jumps where two are equal, by "
     "floor and its kin, or in what a model gives to circuits, is refused."},
    {"D023", "truth value or whole number without an equation of its own",
     "A variable of type Boolean or Integer is taken where an equation says what it is, not where "
     "several are to be solved for it."},
    {"D024", "algorithm section",
     "An algorithm of assignments, branches and loops over known ranges is taken where it needs no "
     "memory: every variable is given a value before it is read. `when` in an algorithm is not."},
    {"D025", "initial equations that have no solution here",
     "Fixed start values and initial equations determine the start; they are solved when the model "
     "is imported."},
    {"D026", "equations that contradict each other",
     "Two equations set the same variable, or two start values of what is one variable differ."},
    {"D028", "text that changes",
     "Texts are known when the plant is made, or they are not needed."},
    {"D029", "rate of an input", "An input of a plant has values, not rates."},
    {"D030", "what the model checks and the plant does not",
     "Assertions, terminate, and min and max of variables end a simulation in Modelica. They are "
     "not taken over yet: a run that leaves them goes on, and its results are outside of what the "
     "model is valid for. import.json has them."},
    {"D031", "connector that cannot join a circuit",
     "In [model] a connector of the model itself becomes a terminal: one with one potential and "
     "one flow, in the units of the node, which nothing inside of the model connects. Connectors "
     "with streams, and those of fluids and gases, do not join circuits yet. Flat JSON of the "
     "front end says what flows; Base Modelica text does not."},
    {"D032", "start of a model that joins circuits",
     "What is beside the model belongs to its start. States begin with their start values, the "
     "plant solves for the rest; initial equations are not taken there. Flanges of several models "
     "at one node have to begin at one angle or position."},
    {"D033", "equations that may have several solutions",
     "An amplifier with positive feedback has three: at either limit, and one between them, which "
     "it does not stay at. The equations do not tell which is meant; the one nearest to the start "
     "values is taken. At the start the slopes on both sides of each relation are compared."},
    {"D034", "start that is not determined",
     "Start values that are not fixed are wishes. Where constraints tie states, and the wishes do "
     "not fit, those nearest to them are taken; another tool may take others, which fit as well."},
    {"D040", "folder that is there already", "Nothing is overwritten."},
    {"D041", "front end that is not there",
     "A class in Modelica is made flat by the front end rumoca, a program of its own: a Python "
     "package, in the version that tools/install_packages.sh modelica installs. Flat JSON and Base "
     "Modelica text need none."},
    {"D042", "front end that does not end", "It is stopped after the time of --at-most."},
    {"D043", "class that the front end refuses",
     "What it says stands in the message. Libraries that the class uses are found in --path and "
     "MODELICAPATH."},
    {"D044", "front end that fails",
     "It has ended without a flat model and without saying why the class has none. Nothing is made "
     "of it."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> modelica_codes() { return rows; }

}  // namespace takt::codegen
