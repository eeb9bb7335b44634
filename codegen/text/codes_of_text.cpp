#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Plant files: text, expressions, units, the model they describe. Letters E, M, U.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"E001", "expression expected",
     "The text of an expression is empty. Write a number with its unit, or a formula."},
    {"E002", "character not allowed in an expression",
     "Expressions are made of numbers with units, names, + - * / ^, comparisons, and, or, not, "
     "commas and parentheses. Assignments, strings and braces have no meaning there."},
    {"E003", "operand expected",
     "An operator, a comma or an opening parenthesis is not followed by a number, a name, a call "
     "or '('."},
    {"E004", "parenthesis not closed",
     "Every '(' needs its ')' and every '[' of an index its ']'."},
    {"E005", "text after the end of an expression",
     "The expression is complete but more text follows. Mostly an operator is missing: products "
     "are written a*b."},
    {"E006", "expression too large",
     "The expression is longer, or nested deeper, than the limits that keep the parser safe on any "
     "input (65536 characters, 200 nested parentheses, 2000 operators in a chain). Name "
     "intermediate quantities with `let`."},
    {"E007", "comparisons do not chain",
     "a < b < c would compare the result 0 or 1 with c. Write a < b and b < c."},
    {"E008", "malformed number", "The number cannot be read or does not fit a double."},
    {"E009", "number followed by something that is no unit",
     "A word behind a number is its unit. Units are case-sensitive: mOhm, MW, degC. If a product "
     "was meant, write *."},
    {"E010", "unknown name",
     "The name is no parameter, variable, signal or function visible here. Names of other elements "
     "are written with their section: electric.smooth.v, solid.chip.t, control.regulator.out."},
    {"E011", "unknown function",
     "Functions are sin cos tan asin acos atan atan2 exp log sqrt abs sign min max tanh floor mod "
     "pow clamp if step, and the table parameters of the element."},
    {"E012", "wrong number of arguments",
     "The function takes another number of arguments than it was given."},
    {"E013", "dimensions do not agree",
     "Both sides of a sum, a difference, a comparison, min, max, clamp or if must have the same "
     "dimension. A literal without unit has dimension 1; only the literal 0 fits every dimension. "
     "Give the literal a unit, or mend the formula."},
    {"E014", "dimension 1 expected",
     "exp, log, trigonometric functions, conditions and exponents need arguments of dimension 1. "
     "Divide by a reference quantity first."},
    {"E015", "power of a quantity with a dimension",
     "A quantity with a dimension can be raised only to a constant power that gives whole "
     "exponents: v^2, or sqrt of an area."},
    {"E016", "wrong dimension in a table look-up",
     "The argument of a table must have the dimension of its x column."},
    {"E017", "name taken for a unit",
     "A unit literal goes on over * and /: 4 W/K*t is 4 watts per kelvin times a tonne, whatever t "
     "means elsewhere. To multiply by a quantity write (4 W/K)*t or t*4 W/K."},
    {"E018", "quantities of two kinds",
     "Dimensions do not tell a temperature from a difference of temperatures (K), nor a frequency "
     "(Hz, which counts turns) from an angular velocity (rad/s, rpm). A literal in degC is a "
     "temperature: compare differences with \"1 K\", not with \"1 degC\", which is 274.15 K. \"50 "
     "Hz\" turns at \"2*pi*50 Hz\", which is \"3000 rpm\"."},
    {"M001", "TOML syntax",
     "The file is no valid TOML; keys given twice count as well. The parser stops at the first "
     "such mistake, so there may be more."},
    {"M002", "file cannot be read", "The file or folder does not exist or may not be read."},
    {"M003", "unknown section",
     "A plant file has the sections plant, input, parameters, electric, solid, rotational, "
     "translational, fluid, gas, control, parts, part, element, medium, solve, sync and record."},
    {"M004", "wrong kind of value",
     "A text, a number, a switch, an array or a table stands where another is expected."},
    {"M005", "unknown key",
     "The key has no meaning in this place; config/README.md lists what can be set. Mostly it is "
     "misspelt."},
    {"M006", "malformed name",
     "Names are lower-case letters, digits and _, beginning with a letter."},
    {"M007", "something is missing", "A key that the entry needs is not there."},
    {"M010", "unknown element",
     "No element of this name is in the library or in [element] of the plant. Elements belong to a "
     "section: an inertia "
     "stands in [rotational], a resistor in [electric]. `takt explain` lists them all."},
    {"M011", "unknown parameter",
     "The element or part has no parameter of this name. `takt explain ELEMENT` lists them."},
    {"M012", "parameter missing", "A parameter without default must be given."},
    {"M013", "wrong number of terminals",
     "Every terminal of an element needs its node: at = [...] names them in order, at = { p = "
     "\"in\", n = \"gnd\" } by name."},
    {"M014", "unknown terminal", "The element or part has no terminal of this name."},
    {"M015", "node of another domain",
     "A terminal connects to nodes of its own domain; a node of another section than the line's "
     "carries its section: rotational.shaft."},
    {"M016", "heat port cannot be connected",
     "heat = \"solid.chip\" names a wall of the solid section, and only elements with a heat port "
     "have one."},
    {"M017", "nothing to start",
     "start = { ... } gives start values of storages (their across or through variable) and of "
     "internal states."},
    {"M018", "node used only once",
     "No current, torque or force can flow through a node that only one branch touches. Mostly the "
     "name is misspelt."},
    {"M019", "name clash",
     "The name means something already: two things that expressions of one place name alike (a "
     "parameter and a control "
     "block, an input and a control block, an element and a part) have names of their own."},
    {"M020", "unknown part", "Parts are defined in [part.NAME]."},
    {"M021", "part contains itself",
     "An instance of a part inside itself, directly or through others, would never end."},
    {"M022", "wrong whole number", "A whole number in certain limits belongs here."},
    {"M023", "plant too large",
     "Arrays and nested parts multiply; the limit guards against mistakes."},
    {"M024", "malformed node name",
     "Nodes are named like elements, with an index in the lines of arrays: tap[3], tap[i], "
     "tap[i+1]."},
    {"M026", "table cannot be read",
     "The CSV file does not exist, may not be read, or is too large. Paths are relative to the "
     "plant file."},
    {"M027", "table of wrong shape",
     "x of a table (and y of one with two arguments) increases from point to point, there is at "
     "least one point, and z has a row for each x with a value for each y."},
    {"M028", "table is not numeric", "Every value of the two columns is a finite number."},
    {"M029", "unknown column", "The CSV file has no column of this name in its first line."},
    {"M030", "value must be constant",
     "Start values, structural parameters, periods, array lengths and [parameters] cannot depend "
     "on time or signals."},
    {"M031", "values in a circle",
     "Parameters that depend on each other in a circle have no value."},
    {"M032", "--set does not fit",
     "--set name=value names a parameter of the plant or of an element (electric.smooth.c)."},
    {"M033", "empty plant", "The plant file has no elements."},
    {"M034", "unknown word",
     "A text parameter takes one of certain words; `takt explain ELEMENT` lists them."},
    {"M035", "has no effect",
     "Nothing depends on this: a leg of which no gate takes an output switches nothing, and a "
     "block whose edges are located in time has no period."},
    {"M036", "gate signal reads a circuit",
     "Gates, the duty of a leg and timed gates follow control outputs, inputs and time: their "
     "edges are known before the circuit is computed. What depends on voltages or currents is a "
     "mode of an element, or goes through a control block, which samples."},
    {"M037", "two media in one circuit",
     "What is connected by pipes holds one medium. Separate two by walls: heat transfers between "
     "them cross, mass does not."},
    {"M038", "no medium",
     "Fluid and gas circuits need a medium: `medium = \"water\"` below [fluid] holds for all "
     "circuits of the section, on the line of an element for its circuit. The library has some "
     "(media.toml), [medium.NAME] of a plant adds others."},
    {"M039", "medium of the wrong kind",
     "Fluid circuits hold liquids (with rho), gas circuits ideal gases (with r)."},
    {"M040", "node without temperature",
     "A node of a fluid or gas circuit has a temperature where mass flows through it or is stored "
     "in it. Mostly the name is misspelt; nodes inside of elements have none."},
    {"M041", "no coupling paradigm",
     "paradigm = 1 computes a heat transfer between a wall and a medium in the solid circuit, 2 in "
     "the medium's, 3 in both, which then exchange temperatures; \"joint\" solves the two circuits "
     "as one. Between two media there is nothing to choose: the heat is computed where an end is "
     "lumped."},
    {"M042", "heat transfer cannot be moved",
     "A heat transfer to a node without volume is computed in the medium's circuit, which needs it "
     "as one branch h = ... over its temperature difference."},
    {"M043", "two circuits are solved as one",
     "Where neither end of a heat transfer stores energy, each temperature answers the other "
     "without delay, and two circuits that exchange them would not converge however small the "
     "synchronisation time is. So the solid circuit and the medium's are one subsystem with one "
     "step. To keep them apart give the wall a heat capacity or the junction a volume."},
    {"M044", "coupling paradigm that diverges",
     "The chosen paradigm makes a temperature and a heat flow answer each other across the cut "
     "without delay. The automatic choice computes the heat transfer where its end is lumped."},
    {"M045", "medium lacks a property",
     "An element computes with a property, such as the viscosity mu, that the medium of its "
     "circuit does not give."},
    {"M046", "property of a medium not positive",
     "cp, rho, mu, lambda, r, p_vap, and cp - r of a gas, are above 0 wherever a medium is used: "
     "between its t_min and t_max, or at 20 degC where it gives none. With a negative heat "
     "capacity heat would cool."},
    {"M047", "wall that nothing ties to a temperature, part that nothing ties to a speed",
     "A wall without heat capacity has the temperature at which its heat flows balance. Where no "
     "way of heat transfers that conduct leads from it to a wall that stores heat or a given "
     "temperature, there is none: what joins a group of such walls among themselves ties them to "
     "nothing. So it is with massless parts of drive lines whose dampers do not damp."},
    {"M048", "element from a node to itself",
     "An element with both ends at one node has no voltage, pressure or speed across it, and what "
     "flows through it flows nowhere. Mostly one of the nodes is misspelt."},
    {"M049", "nothing that can fail",
     "`faults` of [plant] names elements whose faults need parameters of their own, and control "
     "blocks that can be frozen: by paths, with * for any characters. `takt explain faults` lists "
     "the elements that have faults. Blocks that make gate signals (pwm_leg, gate_edge) cannot be "
     "frozen: name the block that gives the duty."},
    {"M050", "predefined name",
     "Some names have a meaning in every expression: pi, time, the words and, or, not, if, the "
     "index i of arrays, dt. A parameter, an input, a control block or a table of the same name "
     "would hide it for all that stands beside it."},
    {"U001", "unknown unit",
     "Units are SI units with prefixes (m u n p k M G ...), products, quotients and powers: mOhm, "
     "J/kg/K, kg*m^2, 1/s, %, rpm, km/h, degC."},
    {"U002", "quantity expected",
     "A value is written as a number with its unit, for instance \"5 mOhm\"."},
    {"U003", "duration expected",
     "A duration is a number with s, ms, us, ns, min or h and must be a whole number of "
     "nanoseconds, for instance "
     "\"50 us\". Simulated time is integer nanoseconds so that the time grid never drifts."},
    {"U004", "wrong dimension",
     "The value has another dimension than the place where it stands. A value without unit has "
     "dimension 1."},
    {"U005", "unit missing",
     "A value with a dimension carries its unit: \"5 mOhm\". Only 0 needs none."},
    {"U006", "value out of range",
     "The value is outside of what the element allows; `takt explain ELEMENT` shows the limits."},
    {"U007", "value of another kind",
     "The value has the dimension of the place where it stands, but is another quantity: a "
     "frequency in Hz, which counts turns, for an angular velocity in rad/s or rpm, or a "
     "difference of temperatures for a temperature. A turn is 2*pi: \"50 Hz\" turns at \"2*pi*50 "
     "Hz\", which is \"3000 rpm\"; back it is w/(2*pi)."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> text_codes() { return rows; }

}  // namespace takt::codegen
