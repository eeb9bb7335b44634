#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Networks: circuits, switches, rules of fluid, gas and solid, index and start values. Letters R,
// T, W.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"R001", "parallel pipes or pumps",
     "Two pipes or pumps run between the same two junctions (assumption 1.2 of the papers). They "
     "are solved as they stand and share the flow. Members of one array (n = ...) are taken as "
     "meant."},
    {"R002", "several demands or heat sources at a junction",
     "Given flows of mass or heat at one junction add up (assumption 1.4). They are merged; one "
     "element with the sum of both says the same."},
    {"R003", "reservoir with several pipes or pumps",
     "The papers put a reservoir on one pipe or pump (assumption 1.5). Here its pressure and "
     "temperature hold for all of them, and nothing they do changes either."},
    {"R004", "parallel heat transfers between two walls",
     "Two heat transfers of one kind join the same walls (assumption 1.6); their conductances add "
     "up. Different kinds, such as conduction and radiation, are taken as meant."},
    {"R005", "several heat sources at a wall",
     "Given heat flows into one wall add up (assumption 1.8). They are merged; one element with "
     "the sum of both says the same. Losses that arrive by heat ports do not count."},
    {"R006", "parallel heat transfers between a wall and a junction",
     "Two heat transfers of one kind join the same wall and junction (assumption 1.10); their "
     "conductances add up."},
    {"R007", "cycle of pumps",
     "Pumps lead in a circle with nothing else between them (assumption 2.1). The flow around it "
     "is where the sum of their pressures vanishes: one value only where every curve falls with "
     "the flow, and it jumps when a speed does."},
    {"R008", "only pumps between two reservoirs",
     "A path of pumps joins two given pressures (assumption 2.2). The flow is where the curves add "
     "up to their difference: one value only where every curve falls with the flow, and it jumps "
     "when a speed does."},
    {"R010", "solid circuit without reference temperature",
     "A solid circuit needs a wall that stores heat, a temperature boundary, or a heat transfer to "
     "a medium that it computes itself (theorem 2 of the papers: solid walls + boundaries + "
     "boundary inputs > 0). Otherwise its temperatures could be anything."},
    {"R011", "fluid or gas circuit without reference pressure",
     "A circuit of a liquid needs a reservoir, an elastic volume, a tank or an expansion tank "
     "(theorems 1 and 3 of the papers), one of gas a plenum or a boundary. Closed loops of coolant "
     "have an expansion tank. Otherwise pressures could be anything."},
    {"R012", "coupling paradigm leaves a solid circuit without reference temperature",
     "Coupling paradigm 2 computes the heat transfer in the medium's circuit. Where it was the "
     "only tie of lumped walls, their circuit has no reference temperature any more (coupling "
     "paradigm 2 and figure 4 of the papers)."},
    {"R013", "volumes joined without resistance",
     "Storages of mass that nothing resists between have one pressure at all times. The circuit's "
     "index is 2; it is reduced to one state for their masses together, and start pressures must "
     "agree (T011)."},
    {"T001", "loop of across sources",
     "Voltage sources (speed sources, temperature boundaries) that form a loop contradict each "
     "other or leave the current in the loop undetermined. Put a resistance into the loop or "
     "remove one. Where one of them follows a variable of the circuit, all equations together have "
     "been tried, and have no solution either."},
    {"T002", "cutset of through sources",
     "Current sources (torque, force, heat sources) are the only connection of a part of the "
     "circuit: what flows in cannot flow out. Add a storage or a resistance beside them. Where one "
     "of them follows a variable of the circuit, all equations together have been tried, and have "
     "no solution either."},
    {"T003", "potential undetermined",
     "Nothing ties this part of the circuit to a reference: ground, a storage, the frame. Its "
     "potential (speed) could be anything. Solid circuits have R010, fluid and gas circuits R011."},
    {"T004", "two-ports lock each other",
     "The ratio of this two-port (gear, wheel) is implied or contradicted by others around it, so "
     "the through variable "
     "in the loop is undetermined. Put an elastic or dissipative element between them."},
    {"T010", "circuit does not determine its variables",
     "After sorting, some variables have no equation left: a controlled source fixes what another "
     "element fixes already, or a law does not name the variable of its own branch."},
    {"T011", "start value of a dependent storage contradicts the circuit",
     "This storage is tied to others (a loop of capacitors and sources, inertias on one shaft, "
     "inductors in a cutset), "
     "so its start value follows from theirs. Leave it out or make it agree."},
    {"T012", "rate of a dependent storage not available",
     "The current of a dependent capacitor (voltage of a dependent inductor) needs the time "
     "derivative of what is "
     "itself a time derivative, which is not formed. The states are not affected."},
    {"T013", "inductance matrix singular",
     "Windings coupled with k = 1 (to within 1e-12 of 1 - k^2), or more closely, are no coupled "
     "inductors: their flux linkages do not determine their currents. An ideal transformer with a "
     "magnetising inductance and, where needed, leakage inductors of their own is what is meant."},
    {"T020", "free equations do not determine the circuit",
     "However often its equations are differentiated, some variable of the circuit has no equation "
     "and some equation no variable of its own."},
    {"T021", "received value must be differentiated",
     "A constraint of a free equation is differentiated to find its force. What it reads from an "
     "input, a control block or another subsystem is known only as a value. Drive the mechanism by "
     "a force or torque, or through a spring."},
    {"T022", "no choice of states",
     "Of the variables tied by constraints some are integrated and the others follow. At the start "
     "values the constraints do not determine the others (a dead centre). Start elsewhere; the "
     "states an element names first are kept."},
    {"T023", "free equations or events in a switched circuit",
     "Circuits with switches are solved as a network of conductances, in which free equations and "
     "events of elements have no place."},
    {"T024", "start value follows from constraints",
     "Of the states that free equations tie to each other some are integrated from their start "
     "values and the others solved for, with theirs as a guess. This one came out differently. A "
     "rate that is integrated in place of a state begins as start values say, where an equation "
     "gives it from them alone; else at 0, with a warning."},
    {"T025", "start value outside the law of its storage",
     "A storage with a law v = f(q) or i = f(lambda) begins where its law gives its start value. "
     "Laws that saturate, such as tables whose ends are held, do not reach every value."},
    {"T026", "start values in a circle",
     "Storages start in a certain order, each from numbers, parameters and what has started before "
     "it. Where a law reads another variable of its circuit, a start value can wait for one that "
     "waits for it: give one of them as a number."},
    {"T027", "linear equations cannot be solved to any digit",
     "Whatever the order in which the equations of a block are eliminated, numbers on the way grow "
     "so much larger than its coefficients that their rounding covers the result. Values many "
     "powers of ten apart do that: bring them nearer to each other, or leave the smallest elements "
     "out."},
    {"T028", "too many nonlinear equations at a time",
     "Equations that hang together are solved by Newton's method, whose steps are written out; of "
     "some hundred unknowns that is more than a compiler takes in reasonable time. Networks whose "
     "laws read their own flow or difference only are solved over tables, whatever their size: "
     "what keeps a network from that is named, such as a valve whose law reads a pressure beside "
     "its flow. A storage (a vessel, a capacitor) parts such a set."},
    {"T029", "event sets what is not integrated",
     "An event puts a value into a state of its circuit. Where constraints tie states to each "
     "other some of them are integrated and the others follow; storages that depend on each other "
     "share one state. Set what is integrated. What events set is preferred as a state, then what "
     "an element names first."},
    {"W001", "short circuit through switches",
     "A voltage source, or a stack of capacitors, is closed by switches whose gates can be on at "
     "one time: nothing but on-resistances limits the current (shoot-through of a half bridge). "
     "Gates from the two outputs of one pwm_leg are never on together; neither are a signal and "
     "its opposite. Signals that follow time are looked at over the run; of others nothing is "
     "known offline. Runs count it as X010."},
    {"W002", "switch isolates an inductor",
     "All ways for the current of this inductor lead through switches that gates open, and no "
     "diode takes the current over. An ideal switch ends it at once: the voltage becomes current "
     "times off-resistance, and the energy 1/2*L*i^2 is lost. Give it a freewheeling diode, or a "
     "snubber: R and C in series across the switch with R = sqrt(L/C); sqrt(L*C) of a few steps is "
     "resolved. Body diodes count only where the current can go on through them. Runs count as "
     "X011 where a current was cut off."},
    {"W003", "switch joins capacitors",
     "A switch closes a loop of capacitors, or of a capacitor and a voltage source, with nothing "
     "but its on-resistance between. Where their voltages differ by dv, a current dv/r_on starts, "
     "and the energy 1/2*C*dv^2 (C: the capacitors in series) is lost however small r_on is. The "
     "implicit rule conserves the charge exactly, and does not resolve a time constant r_on*C "
     "below the step; nothing to mend where this is meant, as in charge pumps and with output "
     "capacitances of transistors. The energy is booked as dissipated, but for circuits that send "
     "heat: no heat port gets its share of it, so that X008 tells what is missing."},
    {"W004", "PWM leg without dead time",
     "In the model one switch turns off and the other on in the same instant, so the leg never "
     "shorts its supply. Real transistors take time to turn off; the dead time also shifts the "
     "output voltage by a few percent."},
    {"W005", "PWM period not above the step",
     "Edges are located inside of micro-steps, but several periods in one step cannot be followed: "
     "take a step of a tenth of the period or less."},
    {"W006", "few steps in a PWM period",
     "After each edge one micro-step is computed by backward Euler, which damps what an edge "
     "excites but is of first "
     "order. With fewer than ten steps in a period these steps are the rule: take a smaller step."},
    {"W007", "edge of a timed gate outside of its window",
     "A gate_edge takes its level at `delay` after the start of a window. A negative delay lies in "
     "the past; one that is as long as the window never ends, because the next window's command "
     "replaces it. Runs count edges lost in this way as X012."},
    {"W008", "value beyond any device",
     "Conductances, inductances and capacitances of a switched circuit meet in sums and products; "
     "values below 1e-30 or above 1e30 (SI) make them overflow. What is meant is mostly an ideal "
     "short or an open end: 1 uOhm and 1 GOhm do."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> network_codes() { return rows; }

}  // namespace takt::codegen
