#include "codegen/text/codes.hpp"

#include <algorithm>
#include <array>

namespace takt::codegen {
namespace {

// Sorted by code. Explanation: what it means, why it is refused, how to mend it.
constexpr std::array codes = std::to_array<CodeEntry>({
    {"B001", "rig file cannot be read", "The path given with --rig does not exist or cannot be opened."},
    {"B002", "unknown key in a rig file",
     "The key has no meaning in this table, so it would be ignored in silence. config/rigs/README.md lists the keys."},
    {"B003", "wrong kind of value in a rig file",
     "A text was given where a number is needed, a table where a text is needed, or the like. Durations are texts with "
     "a unit: \"20 ms\"."},
    {"B004", "value out of range in a rig file", "The value cannot be used there; the message says what can."},
    {"B005", "unknown kind of bus", "A bus names its kind: kind = \"can\". Other kinds come with later versions."},
    {"B010", "CAN database cannot be read",
     "The DBC file does not exist or cannot be opened. The path in a rig file is relative to the rig file."},
    {"B011", "mistake in a CAN database",
     "The text does not follow the DBC format at this place. The statement is dropped and reading goes on with the "
     "next "
     "one, so that several mistakes are found at once."},
    {"B012", "second message or signal of the same name or id",
     "Of two messages with one id, or two signals of one name in a message, the first counts. Two messages with one "
     "name are both kept, but the name means the first."},
    {"B013", "signal that cannot be coded",
     "A signal has 1 to 64 bits inside its message, a float 32 and a double 64 bits, and a factor other than 0. The "
     "signal is kept but cannot be mapped."},
    {"B014", "CAN id without its mark, or too large",
     "A DBC marks 29-bit ids with bit 31. Ids above 0x7FF without the mark are taken as 29-bit ids; ids above "
     "0x1FFFFFFF do not exist."},
    {"B015", "multiplexing that makes no sense",
     "Signals marked m0, m1, ... need one multiplexer (M) in their message, or SG_MUL_VAL_ lines that name it; "
     "multiplexers are whole numbers and do not depend on each other in a circle."},
    {"B016", "statement about an unknown message or signal",
     "A comment, attribute or value table names a message or signal that the database does not have. It is ignored."},
    {"B017", "unknown section in a CAN database", "The keyword is not known; the statement is skipped."},
    {"B018", "message longer than a frame",
     "A classic frame has 8 bytes, a CAN FD frame 64. Longer messages are sent in parts by a transport protocol, which "
     "is not supported; the message cannot be mapped."},
    {"B019", "signals share bits",
     "Two signals that can be in the same frame overlap. Receiving both is harmless; sending both mixes their bits."},
    {"B020", "unknown node in `simulate`",
     "`simulate` lists nodes of the database (BU_) whose messages the plant sends."},
    {"B021", "unknown message or signal",
     "Keys of [bus.NAME.receive] and [bus.NAME.send] are \"Message.Signal\" as the database spells them."},
    {"B022", "unknown plant input or signal",
     "Received signals go to plant inputs ([input] of the plant file); sent signals come from any path of the plant: "
     "`takt check --show network` lists them."},
    {"B023", "units of bus and plant do not agree",
     "The unit in the database and the unit in the plant have different dimensions. Map another signal, name the right "
     "unit ({ to = ..., unit = \"...\" }), or scale by hand ({ to = ..., scale = ..., offset = ... })."},
    {"B024", "mapped twice", "A plant input has one source, and a bus signal one meaning."},
    {"B025", "message in the wrong direction",
     "The plant sends the messages of the nodes in `simulate` and receives those of all others."},
    {"B026", "signal of a sent message is not mapped",
     "It is sent as its start value (GenSigStartValue), else 0 or the end of its range nearest to 0."},
    {"B027", "period missing or not on the grid",
     "A cyclic message needs a period: GenMsgCycleTime in the database or { period = ... } in the rig. Frames leave at "
     "synchronisation times, so the period should be a multiple of it."},
    {"B028", "buses in each other's way", "Each bus has its own channel and its own port."},
    {"B029", "signal cannot be used",
     "The database describes this signal or its message in a way that cannot be coded."},
    {"B030", "unit in the database is not known",
     "The unit text of the signal is empty or not understood, so the value is taken as SI. Name the unit: { to = ..., "
     "unit = \"...\" }."},
    {"B031", "value outside the range of its signal", "The database gives the signal a range that the value leaves."},
    {"B032", "several multiplexers without a value",
     "One open multiplexer is sent in turns, one frame for each of its values with mapped signals. The others need a "
     "constant or a plant signal."},
    {"B033", "message of a simulated node is not sent",
     "None of its signals is mapped. An ECU that waits for it will report a missing message."},
    {"C001", "control block without period",
     "Control blocks are computed at fixed instants. Write every = \"1 ms\" in the line of the block, or once for the "
     "section [control]."},
    {"C010", "loop without delay across control blocks",
     "The outputs of these control blocks depend on each other within the same instant, so none can be computed first. "
     "Give one of them a delay (sample_hold, filter) or another period."},
    {"C020", "unknown state",
     "`start` and the keys of `to` name states of the same machine, [control.MACHINE] state.NAME = { ... }; there is "
     "at least one."},
    {"C021", "state that cannot be reached",
     "No chain of transitions leads from the start to this state. Mostly a transition to it was forgotten."},
    {"C022", "state machine without start",
     "start = \"STATE\" names the state in which the machine is before its first transition."},
    {"C023", "outputs of states do not agree",
     "Every state of a machine gives every output its value; where `output` lists them with their units, there are no "
     "others."},
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
    {"E017", "name taken for a unit",
     "A unit literal goes on over * and /: 4 W/K*t is 4 watts per kelvin times a tonne, whatever t means elsewhere. To "
     "multiply by a quantity write (4 W/K)*t or t*4 W/K."},
    {"F001", "element that a reference run does not follow",
     "`takt reference` integrates the plant as one system whose laws are as written, from one switching instant to the "
     "next. An element that is linearised "
     "about an operating point, such as diode_exponential, gives its law only where the solver has iterated that "
     "point. Use a piecewise linear one."},
    {"F002", "rate of a dependent storage not known",
     "A storage in a loop of capacitors and sources, or in a cutset of inductors and sources, follows from the others. "
     "Its rate takes the derivatives of the "
     "sources, which are known where these follow time, states, or what states determine directly."},
    {"F003", "reference run from a steady state",
     "`takt reference` does not look for a steady state. It begins with start values as given, or where a run of the "
     "plant began: `--start RUN`."},
    {"L001", "unknown section of elements",
     "Elements are defined in the sections electric, solid, rotational, translational, fluid, gas and control."},
    {"L002", "element defined twice",
     "Two definitions have the same section and name. A plant cannot replace an element of the library: give it "
     "another "
     "name."},
    {"L003", "unknown key in a definition",
     "The key has no meaning in an element definition; config/README.md lists the keys. Mostly it is misspelt."},
    {"L004", "something is missing in a definition",
     "A branch needs kind and law, a state its derivative, a control block an output; config/README.md shows them "
     "all."},
    {"L005", "name clash in a definition",
     "Terminals, nodes, branches, states, lets, outputs and parameters of one element share their names with nothing "
     "else in it, and some names are reserved (is, at, n, heat, start, every, time, dt, param, self)."},
    {"L006", "wrong kind of branch",
     "Branches are of kind A (across source), C (across storage), R (dissipator), L (through storage), T (through "
     "source) or P (side of one two-port)."},
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
     "\"table(1 -> V)\", \"table2(rad/s, 1 -> N*m)\"."},
    {"L011", "a let depends on itself",
     "The values of lets and outputs are put in place of their names, so they must not run in a circle. What feeds "
     "back needs a state."},
    {"L012", "wrong dimension in a definition",
     "A law, a let, a derivative or an energy has another dimension than its left side or its unit. Mostly a factor is "
     "missing."},
    {"L013", "edge of something that does not switch",
     "edge.NAME = { of = ... } names a mode of the element or a parameter of kind gate: what turns on and off at "
     "instants."},
    {"L014", "wrong gate block",
     "A control block with `gates` makes signals whose edges are located in time. Its kind fixes its inputs, "
     "parameters and "
     "outputs, and it has no states."},
    {"L015", "free equations do not fit",
     "Free equations are written \"left = right\"; an element has one for each unknown.NAME and for each branch of "
     "kind R without a law."},
    {"L016", "wrong stream, content or medium",
     "stream = { at, q } names the mass flow that carries enthalpy between two terminals (with t: between one and the "
     "world outside); "
     "content = { t } or { mass } belongs to an element that is a node. A medium has cp, a number plus a number times "
     "t, and rho "
     "(a liquid) or r (an ideal gas)."},
    {"L017", "wrong range",
     "range.NAME = { of = \"EXPRESSION\", unit = \"UNIT\", min = \"...\", max = \"...\", at_min = \"WORD\", at_max = "
     "\"WORD\" }: at least one end; the words are left, empty, full, overflows."},
    {"M001", "TOML syntax",
     "The file is no valid TOML; keys given twice count as well. The parser stops at the first such mistake, so there "
     "may be more."},
    {"M002", "file cannot be read", "The file or folder does not exist or may not be read."},
    {"M003", "unknown section",
     "A plant file has the sections plant, input, parameters, electric, solid, rotational, translational, fluid, gas, "
     "control, parts, part, element, medium, solve, sync and record."},
    {"M004", "wrong kind of value",
     "A text, a number, a switch, an array or a table stands where another is expected."},
    {"M005", "unknown key",
     "The key has no meaning in this place; config/README.md lists what can be set. Mostly it is misspelt."},
    {"M006", "malformed name", "Names are lower-case letters, digits and _, beginning with a letter."},
    {"M007", "something is missing", "A key that the entry needs is not there."},
    {"M010", "unknown element",
     "No element of this name is in the library or in [element] of the plant. Elements belong to a section: an inertia "
     "stands in [rotational], a resistor in [electric]. `takt explain` lists them all."},
    {"M011", "unknown parameter",
     "The element or part has no parameter of this name. `takt explain ELEMENT` lists them."},
    {"M012", "parameter missing", "A parameter without default must be given."},
    {"M013", "wrong number of terminals",
     "Every terminal of an element needs its node: at = [...] names them in order, at = { p = \"in\", n = \"gnd\" } by "
     "name."},
    {"M014", "unknown terminal", "The element or part has no terminal of this name."},
    {"M015", "node of another domain",
     "A terminal connects to nodes of its own domain; a node of another section than the line's carries its section: "
     "rotational.shaft."},
    {"M016", "heat port cannot be connected",
     "heat = \"solid.chip\" names a wall of the solid section, and only elements with a heat port have one."},
    {"M017", "nothing to start",
     "start = { ... } gives start values of storages (their across or through variable) and of internal states."},
    {"M018", "node used only once",
     "No current, torque or force can flow through a node that only one branch touches. Mostly the name is misspelt."},
    {"M019", "name clash", "The name means something already."},
    {"M020", "unknown part", "Parts are defined in [part.NAME]."},
    {"M021", "part contains itself",
     "An instance of a part inside itself, directly or through others, would never end."},
    {"M022", "wrong whole number", "A whole number in certain limits belongs here."},
    {"M023", "plant too large", "Arrays and nested parts multiply; the limit guards against mistakes."},
    {"M024", "malformed node name",
     "Nodes are named like elements, with an index in the lines of arrays: tap[3], tap[i], tap[i+1]."},
    {"M026", "table cannot be read",
     "The CSV file does not exist, may not be read, or is too large. Paths are relative to the plant file."},
    {"M027", "table of wrong shape",
     "x of a table (and y of one with two arguments) increases from point to point, there is at least one point, and z "
     "has a row for each x "
     "with a value for each y."},
    {"M028", "table is not numeric", "Every value of the two columns is a finite number."},
    {"M029", "unknown column", "The CSV file has no column of this name in its first line."},
    {"M030", "value must be constant",
     "Start values, structural parameters, periods, array lengths and [parameters] cannot depend on time or signals."},
    {"M031", "values in a circle", "Parameters that depend on each other in a circle have no value."},
    {"M032", "--set does not fit",
     "--set name=value names a parameter of the plant or of an element (electric.smooth.c)."},
    {"M033", "empty plant", "The plant file has no elements."},
    {"M034", "unknown word", "A text parameter takes one of certain words; `takt explain ELEMENT` lists them."},
    {"M035", "has no effect",
     "Nothing depends on this: a leg of which no gate takes an output switches nothing, and a block whose edges are "
     "located in "
     "time has no period."},
    {"M036", "gate signal reads a circuit",
     "Gates, the duty of a leg and timed gates follow control outputs, inputs and time: their edges are known before "
     "the circuit is "
     "computed. What depends on voltages or currents is a mode of an element, or goes through a control block, which "
     "samples."},
    {"M037", "two media in one circuit",
     "What is connected by pipes holds one medium. Separate two by walls: heat transfers between them cross, mass does "
     "not."},
    {"M038", "no medium",
     "Fluid and gas circuits need a medium: `medium = \"water\"` below [fluid] holds for all circuits of the section, "
     "on the line of an "
     "element for its circuit. The library has some (media.toml), [medium.NAME] of a plant adds others."},
    {"M039", "medium of the wrong kind", "Fluid circuits hold liquids (with rho), gas circuits ideal gases (with r)."},
    {"M040", "node without temperature",
     "A node of a fluid or gas circuit has a temperature where mass flows through it or is stored in it. Mostly the "
     "name is misspelt; "
     "nodes inside of elements have none."},
    {"M041", "no coupling paradigm",
     "paradigm = 1 computes a heat transfer between a wall and a medium in the solid circuit, 2 in the medium's, 3 in "
     "both, which then "
     "exchange temperatures; \"joint\" solves the two circuits as one. Between two media there is nothing to choose: "
     "the heat is computed where an end is lumped."},
    {"M042", "heat transfer cannot be moved",
     "A heat transfer to a node without volume is computed in the medium's circuit, which needs it as one branch h = "
     "... over its "
     "temperature difference."},
    {"M043", "two circuits are solved as one",
     "Where neither end of a heat transfer stores energy, each temperature answers the other without delay, and two "
     "circuits that exchange them would not "
     "converge however small the synchronisation time is. So the solid circuit and the medium's are one subsystem with "
     "one step. To keep them apart give the "
     "wall a heat capacity or the junction a volume."},
    {"M044", "coupling paradigm that diverges",
     "The chosen paradigm makes a temperature and a heat flow answer each other across the cut without delay. The "
     "automatic choice computes "
     "the heat transfer where its end is lumped."},
    {"M045", "medium lacks a property",
     "An element computes with a property, such as the viscosity mu, that the medium of its circuit does not give."},
    {"M046", "property of a medium not positive",
     "cp, rho, mu, lambda, r, p_vap, and cp - r of a gas, are above 0 wherever a medium is used: between its t_min and "
     "t_max, or at 20 degC where it gives none. With a negative heat "
     "capacity heat would cool."},
    {"M047", "wall that nothing ties to a temperature",
     "A wall without heat capacity has the temperature at which its heat flows balance. Where all conductances to its "
     "neighbours are 0, there is none."},
    {"M048", "element from a node to itself",
     "An element with both ends at one node has no voltage, pressure or speed across it, and what flows through it "
     "flows nowhere. Mostly one of the nodes is misspelt."},
    {"N001", "peer.toml cannot be used",
     "peer.toml maps signals of the plant to expressions of ngspice vectors under [signals]; [rms] names times for "
     "some of "
     "them, [reference] the step of the tight run. Paths stand in quotes."},
    {"N002", "peer.cir cannot be used",
     "The netlist needs one .tran with its times in numbers, and no control section: `takt bench --peers` adds what it "
     "needs."},
    {"N003", "compared signal is not recorded",
     "A signal of peer.toml is read from the record of the run, so [record] of the plant names it."},
    {"N004", "paper.toml cannot be used",
     "paper.toml lists the rows of a paper's table ([[row]] name, solve, cpu_s, rtf), a reference, signals of "
     "[accuracy], [[figure]]s and [[series]] of a "
     "work-precision diagram; see config/plants/bev/paper.toml."},
    {"R001", "parallel pipes or pumps",
     "Two pipes or pumps run between the same two junctions (assumption 1.2 of the papers). They are solved as they "
     "stand and share the flow. Members of one array "
     "(n = ...) are taken as meant."},
    {"R002", "several demands or heat sources at a junction",
     "Given flows of mass or heat at one junction add up (assumption 1.4). They are merged; one element with the sum "
     "of both says the same."},
    {"R003", "reservoir with several pipes or pumps",
     "The papers put a reservoir on one pipe or pump (assumption 1.5). Here its pressure and temperature hold for all "
     "of them, and nothing they do changes either."},
    {"R004", "parallel heat transfers between two walls",
     "Two heat transfers of one kind join the same walls (assumption 1.6); their conductances add up. Different kinds, "
     "such as conduction and radiation, are taken "
     "as meant."},
    {"R005", "several heat sources at a wall",
     "Given heat flows into one wall add up (assumption 1.8). They are merged; one element with the sum of both says "
     "the same. Losses that arrive by heat ports do not count."},
    {"R006", "parallel heat transfers between a wall and a junction",
     "Two heat transfers of one kind join the same wall and junction (assumption 1.10); their conductances add up."},
    {"R007", "cycle of pumps",
     "Pumps lead in a circle with nothing else between them (assumption 2.1). The flow around it is where the sum of "
     "their pressures vanishes: one value only where every "
     "curve falls with the flow, and it jumps when a speed does."},
    {"R008", "only pumps between two reservoirs",
     "A path of pumps joins two given pressures (assumption 2.2). The flow is where the curves add up to their "
     "difference: one value only where every curve falls with the "
     "flow, and it jumps when a speed does."},
    {"R010", "solid circuit without reference temperature",
     "A solid circuit needs a wall that stores heat, a temperature boundary, or a heat transfer to a medium that it "
     "computes itself (theorem 2 of the papers: solid walls + "
     "boundaries + boundary inputs > 0). Otherwise its temperatures could be anything."},
    {"R011", "fluid or gas circuit without reference pressure",
     "A circuit of a liquid needs a reservoir, an elastic volume, a tank or an expansion tank (theorems 1 and 3 of the "
     "papers), one of gas a plenum or a boundary. Closed "
     "loops of coolant have an expansion tank. Otherwise pressures could be anything."},
    {"R012", "coupling paradigm leaves a solid circuit without reference temperature",
     "Coupling paradigm 2 computes the heat transfer in the medium's circuit. Where it was the only tie of lumped "
     "walls, their circuit has no reference temperature any "
     "more (coupling paradigm 2 and figure 4 of the papers)."},
    {"R013", "volumes joined without resistance",
     "Storages of mass that nothing resists between have one pressure at all times. The circuit's index is 2; it is "
     "reduced to one state for their masses together, "
     "and start pressures must agree (T011)."},
    {"S001", "step does not divide the synchronisation time",
     "A subsystem computes a whole number of equal micro-steps between two exchanges. Choose one of the nearest "
     "divisors, or change the period in [sync]."},
    {"S002", "unknown name in [solve]",
     "A key of [solve] is the name of a circuit, a domain, an element or a control block, or a pattern with '*'."},
    {"S003", "unknown integration method",
     "Explicit methods are euler, heun, rk3, rk4 and rkc (with as many stages as the step needs), linearly implicit "
     "ones ros1 and ros2, for linear subsystems exact; auto takes the cheapest that is stable."},
    {"S004", "control period does not fit the synchronisation time",
     "Control blocks run at synchronisation times: their period is a multiple of it, or a divisor (then several "
     "executions fall into one window)."},
    {"S005", "unknown member of a synchronisation group",
     "Members are circuits, domains, elements, control blocks, patterns with '*', or other groups."},
    {"S007", "sync groups without a common group",
     "Each pair of coupled subsystems exchanges at the time of the innermost group that holds both. Groups nest to any "
     "depth, but one must hold them all: plant = { members = [\"fast\", \"slow\"], every = \"10 ms\" }."},
    {"S008", "unknown name in [record]",
     "Recorded are quantities by their path, such as electric.smooth.v, or patterns such as \"solid.*.t\"."},
    {"S009", "recording period does not fit the synchronisation time",
     "Quantities are recorded where they are consistent with each other: at synchronisation times."},
    {"S010", "step or method for control", "Control blocks are sampled, not integrated; their period is `every`."},
    {"S011", "cycle of couplings without storage",
     "The coupled values depend on each other at the same instant across subsystems. A computation that never "
     "iterates cannot converge there, however small the synchronisation time. Put a storage into the cycle."},
    {"S012", "duration must be positive", "Steps, periods and durations are longer than zero."},
    {"S013", "unknown scheme", "Schemes are fast-first, slow-first and decoupled."},
    {"S014", "sync group contains itself", "Sync groups nest, but not in a circle."},
    {"S015", "method does not fit a switched circuit",
     "Circuits with switches, diodes or thyristors are integrated by the linearly implicit trapezoidal rule on a "
     "companion "
     "network, with micro-steps cut at the edges; explicit methods would blow up in an inductive leg that floats."},
    {"S016", "unknown choice for a switched circuit",
     "edges are exact (located inside of micro-steps) or sampled (taken over at the next micro-step, for comparison); "
     "a network "
     "is eliminated (in every micro-step) or affine (one map per switch state)."},
    {"S017", "nothing switches here",
     "`edges` and `network` of [solve] are about circuits with gates, modes or operating points; others have none to "
     "treat."},
    {"S018", "no affine map per switch state",
     "Within a window and a switch state the across variables must be linear in what moves, with coefficients that do "
     "not: "
     "resistances that follow time, and nonlinear laws, have no such map."},
    {"S019", "member of two sync groups",
     "A subsystem belongs to the innermost group that names it. Two groups that name it must lie in each other."},
    {"S020", "unknown start",
     "A plant begins from its start values (start = \"given\") or in its steady state (start = \"steady\")."},
    {"S021", "nothing to keep fixed",
     "`fixed` of [plant] lists states that a steady start leaves at their start values: storages (electric.smooth, "
     "electric.smooth.v), internal "
     "states (electric.pack.soc), states of control blocks (control.regulator), or patterns of them (*.phi)."},
    {"S030", "times of nested sync groups do not fit",
     "A group computes a whole number of its own synchronisation times in one of the group around it."},
    {"S031", "history shorter than the order needs",
     "A polynomial of order q runs through q + 1 versions of a coupled value. Without `history` as many are kept."},
    {"S032", "unknown name in a sequence",
     "`sequence` lists subsystems and groups in the order in which they are evaluated; what it does not name comes "
     "later, "
     "in the order that the couplings suggest."},
    {"S033", "exchanged more slowly than sampled",
     "A control block computes every so often from what it was told at the last synchronisation, and what it answers "
     "is heard at the next: sampled every 50 us in a group that exchanges "
     "every 1 ms, its loop has a delay of 1 ms, and twenty samples see a straight line. Without [sync] blocks and what "
     "they act on exchange as often as the blocks are sampled."},
    {"S040", "unstable step",
     "A subsystem was linearised where it starts and at the points of its operating range, and one of its modes would "
     "grow with this method and step where the physics does not: "
     "|R(h*lambda)| > max(1, |exp(h*lambda)|), R the method's stability function. Take a smaller step, or a method "
     "with a larger region of stability."},
    {"S041", "stability not known",
     "The subsystem could not be linearised at its start values: a rate or one of its derivatives is no finite number "
     "there, or the eigenvalues did not settle. "
     "Its step is taken as it was given."},
    {"S042", "unstable coupling",
     "Subsystems that are stable alone exchange what they extrapolate one synchronisation late; where the loop they "
     "form has enough gain, that "
     "grows although the plant does not. The linearised plan was run to find out; the factor is its spectral radius "
     "over one outermost synchronisation."},
    {"S043", "operating range out of date",
     "A column of the operating range (operating.csv beside the plant, or --operating) names nothing the plant has. "
     "The other columns are used; what is not given is as at the start."},
    {"S044", "a source turns faster than the step",
     "A function of time in a circuit (sin, cos, tan, mod) has a period of which a step sees less than ten points; "
     "with less than two it is a function of another period "
     "that is integrated, without any sign of it. Take a step of a twentieth of the period, or leave it to the "
     "generator."},
    {"S045", "inaccurate step",
     "The circuit was run inside the generator, with this method and step and with steps that follow what happens: "
     "they differ by the given part of the range that the state covers. "
     "Take the step that the hint names, or leave it to the generator."},
    {"S050", "not linear",
     "Method exact multiplies by a matrix exponential: rates must be sums of states times what parameters and held "
     "inputs give, plus what follows inputs and "
     "time. A coefficient that follows time or a flux, a product of states, a diode, a limit are none of it."},
    {"S051", "too many states for a matrix exponential",
     "Method exact multiplies all states that hang together by a full matrix in every step, however few others each of "
     "them feels. Where coefficients follow inputs it "
     "computes that matrix in every window."},
    {"S080", "whole stands alone",
     "With [solve] whole = { ... } one solver integrates all circuits together; a second line of [solve] would be "
     "about a part of what it integrates."},
    {"S081", "tolerance out of place",
     "Methods adaptive and bdf of [solve] whole take a relative tolerance from 1e-13 to 0.1; fixed steps have none."},
    {"S082", "switches need a solver of their own",
     "Circuits with switches are integrated by a linearly implicit rule that cuts its steps at edges; [solve] whole "
     "has explicit methods, adaptive and bdf."},
    {"S083", "no order of evaluation",
     "The algebra of all circuits together contains a cycle: couplings without any storage (S011)."},
    {"S084", "steps without a bound",
     "Methods adaptive (ARKODE, explicit) and bdf (CVODE, implicit) allocate and take as many steps as their tolerance "
     "needs: no plant that must keep a deadline uses them."},
    {"S090", "symbol without definition", "A defect of the generator: a subsystem reads what nothing defines."},
    {"T001", "loop of across sources",
     "Voltage sources (speed sources, temperature boundaries) that form a loop contradict each other or leave the "
     "current in the loop undetermined. Put a resistance into the loop or remove one."},
    {"T002", "cutset of through sources",
     "Current sources (torque, force, heat sources) are the only connection of a part of the circuit: what flows in "
     "cannot flow out. Add a storage or a resistance beside them."},
    {"T003", "potential undetermined",
     "Nothing ties this part of the circuit to a reference: ground, a storage, the frame. Its potential (speed) could "
     "be anything. Solid circuits have R010, fluid and gas circuits R011."},
    {"T004", "two-ports lock each other",
     "The ratio of this two-port (gear, wheel) is implied or contradicted by others around it, so the through variable "
     "in the loop is undetermined. Put an elastic or dissipative element between them."},
    {"T010", "circuit does not determine its variables",
     "After sorting, some variables have no equation left: a controlled source fixes what another element fixes "
     "already, or a law does not name the variable of its own branch."},
    {"T011", "start value of a dependent storage contradicts the circuit",
     "This storage is tied to others (a loop of capacitors and sources, inertias on one shaft, inductors in a cutset), "
     "so its start value follows from theirs. Leave it out or make it agree."},
    {"T012", "rate of a dependent storage not available",
     "The current of a dependent capacitor (voltage of a dependent inductor) needs the time derivative of what is "
     "itself a time derivative, which is not formed. The states are not affected."},
    {"T013", "inductance matrix singular",
     "Windings coupled with k = 1 (to within 1e-12 of 1 - k^2), or more closely, are no coupled inductors: their flux "
     "linkages do not determine "
     "their currents. An ideal transformer with a magnetising inductance and, where needed, leakage inductors of their "
     "own is what is meant."},
    {"T020", "free equations do not determine the circuit",
     "However often its equations are differentiated, some variable of the circuit has no equation and some equation "
     "no variable of its own."},
    {"T021", "received value must be differentiated",
     "A constraint of a free equation is differentiated to find its force. What it reads from an input, a control "
     "block or another subsystem is known "
     "only as a value. Drive the mechanism by a force or torque, or through a spring."},
    {"T022", "no choice of states",
     "Of the variables tied by constraints some are integrated and the others follow. At the start values the "
     "constraints do not determine the others (a dead "
     "centre). Start elsewhere; the states an element names first are kept."},
    {"T023", "free equations in a switched circuit",
     "Circuits with switches are solved as a network of conductances, in which free equations have no place."},
    {"T024", "start value follows from constraints",
     "Of the states that free equations tie to each other some are integrated from their start values and the others "
     "solved for, with theirs as a guess. This one "
     "came out differently."},
    {"T025", "start value outside the law of its storage",
     "A storage with a law v = f(q) or i = f(lambda) begins where its law gives its start value. Laws that saturate, "
     "such as tables whose ends are held, do not reach every value."},
    {"T026", "start values in a circle",
     "Storages start in a certain order, each from numbers, parameters and what has started before it. Where a law "
     "reads another variable of its circuit, a start value can wait for one "
     "that waits for it: give one of them as a number."},
    {"U001", "unknown unit",
     "Units are SI units with prefixes (m u n p k M G ...), products, quotients and powers: mOhm, J/kg/K, kg*m^2, "
     "1/s, %, rpm, km/h, degC."},
    {"U002", "quantity expected", "A value is written as a number with its unit, for instance \"5 mOhm\"."},
    {"U003", "duration expected",
     "A duration is a number with s, ms, us, ns, min or h and must be a whole number of nanoseconds, for instance "
     "\"50 us\". Simulated time is integer nanoseconds so that the time grid never drifts."},
    {"U004", "wrong dimension",
     "The value has another dimension than the place where it stands. A value without unit has dimension 1."},
    {"U005", "unit missing", "A value with a dimension carries its unit: \"5 mOhm\". Only 0 needs none."},
    {"U006", "value out of range",
     "The value is outside of what the element allows; `takt explain ELEMENT` shows the limits."},
    {"W001", "short circuit through switches",
     "A voltage source, or a stack of capacitors, is closed by switches whose gates can be on at one time: nothing but "
     "on-resistances limits "
     "the current (shoot-through of a half bridge). Gates from the two outputs of one pwm_leg are never on together; "
     "neither are a signal and "
     "its opposite. Signals that follow time are looked at over the run; of others nothing is known offline. Runs "
     "count it as X010."},
    {"W002", "switch isolates an inductor",
     "All ways for the current of this inductor lead through switches that gates open, and no diode takes the current "
     "over. An ideal "
     "switch ends it at once: the voltage becomes current times off-resistance, and the energy 1/2*L*i^2 is lost. Give "
     "it a freewheeling "
     "diode, or a snubber: R and C in series across the switch with R = sqrt(L/C); sqrt(L*C) of a few steps is "
     "resolved. Body diodes "
     "count only where the current can go on through them. Runs count as X011 where a current was cut off."},
    {"W003", "switch joins capacitors",
     "A switch closes a loop of capacitors, or of a capacitor and a voltage source, with nothing but its on-resistance "
     "between. Where their "
     "voltages differ by dv, a current dv/r_on starts, and the energy 1/2*C*dv^2 (C: the capacitors in series) is lost "
     "however small r_on "
     "is. The implicit rule conserves the charge exactly, and does not resolve a time constant r_on*C below the step; "
     "nothing to mend "
     "where this is meant, as in charge pumps and with output capacitances of transistors."},
    {"W004", "PWM leg without dead time",
     "In the model one switch turns off and the other on in the same instant, so the leg never shorts its supply. Real "
     "transistors take "
     "time to turn off; the dead time also shifts the output voltage by a few percent."},
    {"W005", "PWM period not above the step",
     "Edges are located inside of micro-steps, but several periods in one step cannot be followed: take a step of a "
     "tenth of the period or less."},
    {"W006", "few steps in a PWM period",
     "After each edge one micro-step is computed by backward Euler, which damps what an edge excites but is of first "
     "order. With fewer "
     "than ten steps in a period these steps are the rule: take a smaller step."},
    {"W007", "edge of a timed gate outside of its window",
     "A gate_edge takes its level at `delay` after the start of a window. A negative delay lies in the past; one that "
     "is as long as the window "
     "never ends, because the next window's command replaces it. Runs count edges lost in this way as X012."},
    {"W008", "value beyond any device",
     "Conductances, inductances and capacitances of a switched circuit meet in sums and products; values below 1e-30 "
     "or above 1e30 (SI) make "
     "them overflow. What is meant is mostly an ideal short or an open end: 1 uOhm and 1 GOhm do."},
    {"X001", "switch states undecided (counted at run time)",
     "No combination of conducting and blocking diodes was found that agrees with the circuit within the bounded "
     "number of trials; the "
     "last one was kept. Look for ideal elements that contradict each other, or a source that changes by a jump within "
     "a step."},
    {"X002", "too many edges in one micro-step (counted at run time)",
     "More gates and diodes switched inside one micro-step than are followed one by one; the rest of the step was "
     "computed with the last "
     "switch state. Make the step smaller, or look for a PWM period near the step."},
    {"X003", "nonlinear elements not settled (counted at run time)",
     "The iteration of the operating points of nonlinear elements did not reach its tolerance; the last iterate was "
     "kept."},
    {"X004", "nonlinear equations not solved (judged at run time)",
     "The equations that Newton's method solves at every stage were left with a residual. What the run shows from "
     "there on is no solution of the model. Mostly the law has no "
     "solution there, or one so steep that no start finds it within the bounded count of iterations; more of them: "
     "newton = N in [solve]. More than 3 windows in a row end the run."},
    {"X005", "equation with several solutions, or none (judged at run time)",
     "While Newton's method solved one equation for one unknown, the residual rose with it at one place and fell at "
     "another: there is a fold between. Which solution a real circuit takes "
     "there hangs on storages that the model leaves out; put the capacitance (or the inertia, the volume) that decides "
     "it into the model."},
    {"X006", "linear equations solved inaccurately (judged at run time)",
     "The linear part of a circuit was eliminated with a pivot so small that the equations are not satisfied any more. "
     "Mostly values lie too far apart: a conductance that falls to zero, a resistance beyond any device."},
    {"X007", "value not finite (ends the run)",
     "A state, an output, a signal, a flux or an input became infinite or no number. The run ends before the value is "
     "exchanged, sent or recorded; buses get their safe values."},
    {"X008", "energy does not add up (judged at the end)",
     "What a subsystem took, gave, turned into heat and stores differs by more than 5e-3 of what passed through. "
     "Mostly its step is too long for what happens in it; a smaller step, or a linearly implicit method, shows it."},
    {"X009", "ledger of a flux open (judged at the end)",
     "More or less of a flux arrived than was sent: heat, mass or charge was lost or made up between two subsystems. A "
     "defect of the plan or, with --sample-fluxes, what was asked for."},
    {"X010", "short circuit through switches (counted at run time)",
     "All switches of a loop with a voltage source or a stack of capacitors conducted at one time. Counted once for "
     "each edge into that "
     "state, not for how long it lasts. The solution stays finite: on-resistances limit the current. See W001."},
    {"X011", "current of an inductor cut off (counted at run time)",
     "At an edge the flux linkage of the inductor changed by more than a tenth within half a micro-step, and that took "
     "more than twice the "
     "voltage that all sources and capacitors of the circuit have together (times the turns ratios of transformers): "
     "only off-resistances "
     "do that. The energy is lost in them. See W002."},
    {"X012", "edge of a timed gate lost (counted at run time)",
     "The command for a gate_edge came while the edge of the one before was still to come, or with a negative delay. "
     "The newer command "
     "replaces the older one; a negative delay counts as 0. See W007."},
    {"X013", "no flow through a junction (counted at run time)",
     "At the end of a window less than 1e-7 kg/s flowed into a junction without volume. Its temperature then leans on "
     "the slight mixing of all streams both ways "
     "(1e-9 kg/s), and without any flow is the mean of its neighbours'. Where that temperature matters give the "
     "junction a volume."},
    {"X014", "range left (judged at run time)",
     "A parameter that follows time or a signal left the limits that the element library gives it, or a quantity the "
     "range in which it means something: a resistance below 0, a "
     "temperature below absolute zero. The run goes on, but what it shows from there on is not to be trusted."},
    {"X015", "storage empty (judged at run time)",
     "More was taken out of a storage than it held: a tank, a vessel, a battery. Nothing in the model stops what flows "
     "out of it. Give it more to begin with, let a control block or a "
     "valve stop the flow, or take less."},
    {"X016", "storage full (judged at run time)",
     "More went into a storage than it can hold. For an open tank fluid.overflow leads away what comes in above its "
     "edge; elsewhere a control block or a valve stops the flow."},
    {"X017", "pressure below the vapour pressure (judged at run time)",
     "A liquid would boil or cavitate there (or, where its medium gives no p_vap, the pressure stays below -4e7 Pa, "
     "which no liquid bears): the flow asked for is more than the network can carry. Liquids here "
     "have no vapour; take less flow, wider pipes, or raise the pressure."},
    {"X018", "tank overflows (counted at run time)",
     "Windows in which liquid left over the edge of a tank. Its mass and enthalpy leave the plant as through a "
     "demand."},
    {"X019", "table or medium outside its range (counted at run time)",
     "A table was read beyond its ends, where it keeps its last value, or a medium was colder or hotter than the range "
     "its properties were fitted to. Counted where the subsystem was looked "
     "at: when recorded or sent, and every so many windows."},
    {"X020", "steps or synchronisation times too long (judged after the run)",
     "After the run as much of it as the time for it allows is computed again with shorter micro-steps and, where all "
     "times of the plan can be divided, shorter synchronisation "
     "times. A state, a coupled value, an energy of a circuit (RMS over time) or a recorded signal (averages over "
     "parts of the time) differs by more than 1e-2 of its range: what the run shows is the steps' work, not the "
     "model's. "
     "Smaller steps, a linearly implicit method where something is stiff, or smaller synchronisation times mend it. "
     "--audit TIME says how long the audit may take, --audit off leaves it out."},
    {"X021", "step unstable with the parameters set",
     "Parameters set when a built plant starts (--set, or those of a replayed run) make a subsystem faster than its "
     "step can follow. The executable linearises what they change about the start and "
     "refuses to run. `takt check --set` proposes steps for these parameters, `takt run --set` builds the plant with "
     "them."},
    {"X030", "mode chatters (judged at run time)",
     "A mode with memory, or with a threshold on another element's quantity, turned back as soon as it had turned, "
     "again and again at one instant: neither of its states agrees with "
     "the circuit. It was held until the end of the micro-step, so what the run shows depends on the step. Give it a "
     "hysteresis: on and off indicators that are both negative in between."},
    {"X031", "mode turns faster than the step (judged at run time)",
     "A mode with memory turned more often within one micro-step than is followed, or a transient many thousand times "
     "faster than the step led up to it. It was held until the end of the "
     "micro-step. Make the step smaller, or the hysteresis wider."},
});

constexpr bool sorted =
    std::is_sorted(codes.begin(), codes.end(), [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
static_assert(sorted, "keep the table sorted by code");

}  // namespace

std::span<const CodeEntry> all_codes() { return codes; }

const CodeEntry* find_code(std::string_view code) {
  const auto entry = std::lower_bound(codes.begin(), codes.end(), code,
                                      [](const CodeEntry& a, std::string_view wanted) { return a.code < wanted; });
  return entry != codes.end() && entry->code == code ? entry : nullptr;
}

}  // namespace takt::codegen
