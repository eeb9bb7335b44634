#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// The element library and control blocks. Letters C, L.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"C001", "control block without period",
     "Control blocks are computed at fixed instants. Write every = \"1 ms\" in the line of the "
     "block, or once for the section [control]."},
    {"C010", "loop without delay across control blocks",
     "The outputs of these control blocks depend on each other within the same instant, so none "
     "can be computed first. Give one of them a delay (sample_hold, filter) or another period. In "
     "a part a name means what is the part's own before what is the plant's: a block that names "
     "itself hides a parameter, an input or a block of the plant."},
    {"C020", "unknown state",
     "`start` and the keys of `to` name states of the same machine, [control.MACHINE] state.NAME = "
     "{ ... }; there is at least one."},
    {"C021", "state that cannot be reached",
     "No chain of transitions leads from the start to this state. Mostly a transition to it was "
     "forgotten."},
    {"C022", "state machine without start",
     "start = \"STATE\" names the state in which the machine is before its first transition."},
    {"C023", "outputs of states do not agree",
     "Every state of a machine gives every output its value; where `output` lists them with their "
     "units, there are no others."},
    {"L001", "unknown section of elements",
     "Elements are defined in the sections electric, solid, rotational, translational, fluid, gas "
     "and control."},
    {"L002", "element defined twice",
     "Two definitions have the same section and name. A plant cannot replace an element of the "
     "library: give it another name."},
    {"L003", "unknown key in a definition",
     "The key has no meaning in an element definition; "
     "config/manual/plant_files/element_definitions.md lists the keys. Mostly it is misspelt."},
    {"L004", "something is missing in a definition",
     "A branch needs kind and law, a state its derivative, a control block an output; "
     "config/manual/plant_files/element_definitions.md shows them all."},
    {"L005", "name clash in a definition",
     "Terminals, nodes, branches, states, lets, outputs and parameters of one element share their "
     "names with nothing "
     "else in it, and some names are reserved (is, at, n, heat, start, every, self)."},
    {"L006", "wrong kind of branch",
     "Branches are of kind A (across source), C (across storage), R (dissipator), L (through "
     "storage), T (through source) or P (side of one two-port)."},
    {"L007", "wrong end of a branch",
     "A branch runs from one terminal or internal node of its element to another of the same "
     "domain, or to the domain's reference where the second is left out."},
    {"L008", "law does not fit the branch",
     "The left side of a law is a variable of its branch that the kind allows: A gives the across "
     "variable, T the through variable, R either or 0, C and L relate the stored quantity to the "
     "across or through variable."},
    {"L009", "unknown name in a definition",
     "Expressions of an element name its parameters, branch variables, states, lets and t (with a "
     "heat port); start "
     "values and defaults only parameters. Other parts of the plant are named by their full path."},
    {"L010", "malformed parameter",
     "A parameter is described as \"UNIT [structural] [CONSTRAINT] [= DEFAULT]\", for instance "
     "\"Ohm > 0 = 1 mOhm\" or \"table(1 -> V)\", \"table2(rad/s, 1 -> N*m)\"."},
    {"L011", "a let depends on itself",
     "The values of lets and outputs are put in place of their names, so they must not run in a "
     "circle. What feeds back needs a state."},
    {"L012", "wrong dimension in a definition",
     "A law, a let, a derivative or an energy has another dimension than its left side or its "
     "unit. Mostly a factor is missing."},
    {"L013", "edge of something that does not switch",
     "edge.NAME = { of = ... } names a mode of the element or a parameter of kind gate: what turns "
     "on and off at instants."},
    {"L014", "wrong gate block",
     "A control block with `gates` makes signals whose edges are located in time. Its kind fixes "
     "its inputs, parameters and outputs, and it has no states."},
    {"L015", "free equations do not fit",
     "Free equations are written \"left = right\"; an element has one for each unknown.NAME and "
     "for each branch of kind R without a law."},
    {"L016", "wrong stream, content or medium",
     "stream = { at, q } names the mass flow that carries enthalpy between two terminals (with t: "
     "between one and the world outside); content = { t } or { mass } belongs to an element that "
     "is a node. A medium has cp, a number plus a number times t, and rho (a liquid) or r (an "
     "ideal gas)."},
    {"L017", "wrong range",
     "range.NAME = { of = \"EXPRESSION\", unit = \"UNIT\", min = \"...\", max = \"...\", at_min = "
     "\"WORD\", at_max = "
     "\"WORD\" }: at least one end; the words are left, empty, full, overflows."},
    {"L018", "wrong fault",
     "fault.NAME = { doc = \"...\", PARAMETER = VALUE, ... }: while the fault is injected, each "
     "parameter has the value given: a quantity with its unit (\"10 MOhm\"), another parameter "
     "(\"r_on\") or a number times a parameter (\"1e3*r\"), of the same dimension and within the "
     "limits of the parameter. Tables, texts, gates, inputs and structural parameters cannot be "
     "changed while a plant runs."},
    {"L020", "wrong delay",
     "delay.NAME = { unit, of, by, power, start }: NAME is what the expression `of` was `by` "
     "seconds ago. It cuts the element in two: write joins_circuit = false, and let each law read "
     "its own end and what arrives there."},
    {"L021", "wrong event",
     "at.NAME = { when = \"CONDITION\", set = { x = \"VALUE\" }, priority = 1 }: at the instant at "
     "which the condition comes true, states, modes and what branches store take these values; "
     "names mean the values just before. A condition is a comparison or a number that comes to be "
     "above zero, of something that moves. A mode beside free equations or events follows its on "
     "and off, or events set it."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> library_codes() { return rows; }

}  // namespace takt::codegen
