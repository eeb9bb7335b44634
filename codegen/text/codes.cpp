#include "codegen/text/codes.hpp"

#include <algorithm>
#include <array>

namespace takt::codegen {
namespace {

// Sorted by code. Explanation: what it means, why it is refused, how to mend it.
constexpr std::array codes = std::to_array<CodeEntry>({
    {"C010", "loop without delay across control blocks",
     "The outputs of these control blocks depend on each other within the same instant, so none can be computed first. Give one of them a delay (sample_hold, filter) or another period."},
    {"E001", "expression expected", "The text of an expression is empty. Write a number with its unit, or a formula."},
    {"E002", "character not allowed in an expression",
     "Expressions are made of numbers with units, names, + - * / ^, comparisons, and, or, not, commas and "
     "parentheses. Assignments, strings and braces have no meaning there."},
    {"E003", "operand expected",
     "An operator, a comma or an opening parenthesis is not followed by a number, a name, a call or '('."},
    {"E004", "parenthesis not closed", "Every '(' needs its ')' and every '[' of an index its ']'."},
    {"E005", "text after the end of an expression",
     "The expression is complete but more text follows. Mostly an operator is missing: products are written a*b."},
    {"E006", "expression too large",
     "The expression is longer, or nested deeper, than the limits that keep the parser safe on any input (65536 "
     "characters, 200 nested parentheses, 2000 operators in a chain). Name intermediate quantities with `let`."},
    {"E007", "comparisons do not chain", "a < b < c would compare the result 0 or 1 with c. Write a < b and b < c."},
    {"E008", "malformed number", "The number cannot be read or does not fit a double."},
    {"E009", "number followed by something that is no unit",
     "A word behind a number is its unit. Units are case-sensitive: mOhm, MW, degC. If a product was meant, write *."},
    {"E010", "unknown name",
     "The name is no parameter, variable, signal or function visible here. Names of other elements are written with "
     "their section: electric.smooth.v, solid.chip.t, control.regulator.out."},
    {"E011", "unknown function",
     "Functions are sin cos tan asin acos atan atan2 exp log sqrt abs sign min max tanh floor mod pow clamp if step, "
     "and the table parameters of the element."},
    {"E012", "wrong number of arguments", "The function takes another number of arguments than it was given."},
    {"E013", "dimensions do not agree",
     "Both sides of a sum, a difference, a comparison, min, max, clamp or if must have the same dimension. A literal "
     "without unit has dimension 1; only the literal 0 fits every dimension. Give the literal a unit, or mend the "
     "formula."},
    {"E014", "dimension 1 expected",
     "exp, log, trigonometric functions, conditions and exponents need arguments of dimension 1. Divide by a "
     "reference quantity first."},
    {"E015", "power of a quantity with a dimension",
     "A quantity with a dimension can be raised only to a constant power that gives whole exponents: v^2, or sqrt of "
     "an area."},
    {"E016", "wrong dimension in a table look-up", "The argument of a table must have the dimension of its x column."},
    {"L001", "unknown section of elements",
     "Elements are defined in the sections electric, solid, rotational, translational and control."},
    {"L002", "element defined twice",
     "Two definitions have the same section and name. A plant cannot replace an element of the library: give it another "
     "name."},
    {"L003", "unknown key in a definition",
     "The key has no meaning in an element definition; config/README.md lists the keys. Mostly it is misspelt."},
    {"L004", "something is missing in a definition",
     "A branch needs kind and law, a state its derivative, a control block an output; config/README.md shows them all."},
    {"L005", "name clash in a definition",
     "Terminals, nodes, branches, states, lets, outputs and parameters of one element share their names with nothing "
     "else in it, and some names are reserved (is, at, n, heat, start, every, time, dt, param, self)."},
    {"L006", "wrong kind of branch",
     "Branches are of kind A (across source), C (across storage), R (dissipator), L (through storage), T (through "
     "source) or P (side of a two-port)."},
    {"L007", "wrong end of a branch",
     "A branch runs from one terminal or internal node of its element to another of the same domain, or to the "
     "domain's reference where the second is left out."},
    {"L008", "law does not fit the branch",
     "The left side of a law is a variable of its branch that the kind allows: A gives the across variable, T the "
     "through variable, R either or 0, C and L relate the stored quantity to the across or through variable."},
    {"L009", "unknown name in a definition",
     "Expressions of an element name its parameters, branch variables, states, lets and t (with a heat port); start "
     "values and defaults only parameters. Other parts of the plant are named by their full path."},
    {"L010", "malformed parameter",
     "A parameter is described as \"UNIT [structural] [CONSTRAINT] [= DEFAULT]\", for instance \"Ohm > 0 = 1 mOhm\" or "
     "\"table(1 -> V)\"."},
    {"L011", "a let depends on itself",
     "The values of lets and outputs are put in place of their names, so they must not run in a circle. What feeds "
     "back needs a state."},
    {"M001", "TOML syntax",
     "The file is no valid TOML; keys given twice count as well. The parser stops at the first such mistake, so there "
     "may be more."},
    {"M002", "file cannot be read", "The file or folder does not exist or may not be read."},
    {"M003", "unknown section",
     "A plant file has the sections plant, input, parameters, electric, solid, rotational, translational, control, "
     "parts, part, element, solve, sync and record."},
    {"M004", "wrong kind of value", "A text, a number, a switch, an array or a table stands where another is expected."},
    {"M005", "unknown key", "The key has no meaning in this place; config/README.md lists what can be set. Mostly it is misspelt."},
    {"M006", "malformed name", "Names are lower-case letters, digits and _, beginning with a letter."},
    {"M007", "something is missing", "A key that the entry needs is not there."},
    {"S001", "step does not divide the synchronisation time",
     "A subsystem computes a whole number of equal micro-steps between two exchanges. Choose one of the nearest "
     "divisors, or change the period in [sync]."},
    {"S002", "unknown name in [solve]",
     "A key of [solve] is the name of a circuit, a domain, an element or a control block, or a pattern with '*'."},
    {"S003", "unknown integration method", "Methods with a fixed step are euler, heun, rk3 and rk4."},
    {"S004", "control period does not fit the synchronisation time",
     "Control blocks run at synchronisation times: their period is a multiple of it, or a divisor (then several "
     "executions fall into one window)."},
    {"S005", "unknown member of a synchronisation group",
     "Members are circuits, domains, elements, control blocks, or patterns with '*'."},
    {"S006", "order of inter- and extrapolation not available", "Order 0 holds the value, order 1 is linear."},
    {"S007", "more than one synchronisation group",
     "This version exchanges all coupled values at one synchronisation time."},
    {"S008", "unknown name in [record]",
     "Recorded are quantities by their path, such as electric.smooth.v, or patterns such as \"solid.*.t\"."},
    {"S009", "recording period does not fit the synchronisation time",
     "Quantities are recorded where they are consistent with each other: at synchronisation times."},
    {"S010", "step or method for control", "Control blocks are sampled, not integrated; their period is `every`."},
    {"S011", "cycle of couplings without storage",
     "The coupled values depend on each other at the same instant across subsystems. A computation that never "
     "iterates cannot converge there, however small the synchronisation time. Put a storage into the cycle."},
    {"S090", "symbol without definition", "A defect of the generator: a subsystem reads what nothing defines."},
    {"T001", "loop of across sources",
     "Voltage sources (speed sources, temperature boundaries) that form a loop contradict each other or leave the current in the loop undetermined. Put a resistance into the loop or remove one."},
    {"T002", "cutset of through sources",
     "Current sources (torque, force, heat sources) are the only connection of a part of the circuit: what flows in cannot flow out. Add a storage or a resistance beside them."},
    {"T003", "potential undetermined",
     "Nothing ties this part of the circuit to a reference: ground, a storage, a temperature boundary, the frame. Its potential (temperature, speed) could be anything."},
    {"T004", "two-ports lock each other",
     "The ratio of this two-port (gear, wheel) is implied or contradicted by others around it, so the through variable in the loop is undetermined. Put an elastic or dissipative element between them."},
    {"T010", "circuit does not determine its variables",
     "After sorting, some variables have no equation left: a controlled source fixes what another element fixes already, or a law does not name the variable of its own branch."},
    {"T011", "start value of a dependent storage contradicts the circuit",
     "This storage is tied to others (a loop of capacitors and sources, inertias on one shaft, inductors in a cutset), so its start value follows from theirs. Leave it out or make it agree."},
    {"T012", "rate of a dependent storage not available",
     "The current of a dependent capacitor (voltage of a dependent inductor) needs a time derivative through a nonlinear block, which is not formed. The states are not affected."},
    {"U001", "unknown unit",
     "Units are SI units with prefixes (m u n p k M G ...), products, quotients and powers: mOhm, J/kg/K, kg*m^2, "
     "1/s, %, rpm, km/h, degC."},
    {"U002", "quantity expected", "A value is written as a number with its unit, for instance \"5 mOhm\"."},
    {"U003", "duration expected",
     "A duration is a number with s, ms, us, ns, min or h and must be a whole number of nanoseconds, for instance "
     "\"50 us\". Simulated time is integer nanoseconds so that the time grid never drifts."},
    {"U004", "wrong dimension",
     "The value has another dimension than the place where it stands. A value without unit has dimension 1."},
});

constexpr bool sorted = std::is_sorted(codes.begin(), codes.end(),
                                       [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
static_assert(sorted, "keep the table sorted by code");

}  // namespace

std::span<const CodeEntry> all_codes() { return codes; }

const CodeEntry* find_code(std::string_view code) {
  const auto entry = std::lower_bound(codes.begin(), codes.end(), code,
                                      [](const CodeEntry& a, std::string_view wanted) { return a.code < wanted; });
  return entry != codes.end() && entry->code == code ? entry : nullptr;
}

}  // namespace takt::codegen
