#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Methods, steps and synchronisation. Letter S.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"S001", "step does not divide the synchronisation time",
     "A subsystem computes a whole number of equal micro-steps between two exchanges. Choose one "
     "of the nearest divisors, or change the period in [sync]."},
    {"S002", "unknown name in [solve]",
     "A key of [solve] is the name of a circuit, a domain, an element or a control block, or a "
     "pattern with '*'."},
    {"S003", "unknown integration method",
     "`takt explain methods` lists them: explicit ones, rkc with as many stages as the step needs, "
     "linearly implicit "
     "ones, exact for linear subsystems; auto takes the cheapest that is stable."},
    {"S004", "control period does not fit the synchronisation time",
     "Control blocks run at synchronisation times: their period is a multiple of it, or a divisor "
     "(then several executions fall into one window)."},
    {"S005", "unknown member of a synchronisation group",
     "Members are circuits, domains, elements, control blocks, patterns with '*', or other "
     "groups."},
    {"S007", "sync groups without a common group",
     "Each pair of coupled subsystems exchanges at the time of the innermost group that holds "
     "both. Groups nest to any depth, but one must hold them all: plant = { members = [\"fast\", "
     "\"slow\"], every = \"10 ms\" }."},
    {"S008", "unknown name in [record]",
     "Recorded are quantities by their path, such as electric.smooth.v, or patterns such as "
     "\"solid.*.t\"."},
    {"S009", "recording period does not fit the synchronisation time",
     "Quantities are recorded where they are consistent with each other: at synchronisation "
     "times."},
    {"S010", "step or method for control",
     "Control blocks are sampled, not integrated; their period is `every`."},
    {"S011", "cycle of couplings without storage",
     "The coupled values depend on each other at the same instant across subsystems. A computation "
     "that never iterates cannot converge there, however small the synchronisation time. Put a "
     "storage into the cycle."},
    {"S012", "duration must be positive", "Steps, periods and durations are longer than zero."},
    {"S013", "unknown scheme", "Schemes are fast-first, slow-first, decoupled and jacobi."},
    {"S014", "sync group contains itself", "Sync groups nest, but not in a circle."},
    {"S015", "method does not fit a switched circuit",
     "Circuits with switches, diodes or thyristors are integrated by the linearly implicit "
     "trapezoidal rule on a companion network, with micro-steps cut at the edges; explicit methods "
     "would blow up in an inductive leg that floats. The method of a line for several circuits "
     "(electric = { method = ... }) is for those without switches if the switched one has a line "
     "of its own."},
    {"S016", "unknown choice for a switched circuit",
     "edges are exact (located inside of micro-steps) or sampled (taken over at the next "
     "micro-step, for comparison); "
     "a network is eliminated (in every micro-step) or affine (one map per switch state)."},
    {"S017", "nothing switches here",
     "`edges` and `network` of [solve] are about circuits with gates, modes or operating points; "
     "others have none to treat."},
    {"S018", "no affine map per switch state",
     "Within a window and a switch state the across variables must be linear in what moves, with "
     "coefficients that do "
     "not: resistances that follow time, and nonlinear laws, have no such map."},
    {"S019", "member of two sync groups",
     "A subsystem belongs to the innermost group that names it. Two groups that name it must lie "
     "in each other."},
    {"S020", "unknown start",
     "A plant begins from its start values (start = \"given\") or in its steady state (start = "
     "\"steady\")."},
    {"S021", "nothing to keep fixed",
     "`fixed` of [plant] lists states that a steady start leaves at their start values: storages "
     "(electric.smooth, electric.smooth.v), internal states (electric.pack.soc), states of control "
     "blocks (control.regulator), or patterns of them (*.phi)."},
    {"S030", "times of nested sync groups do not fit",
     "A group computes a whole number of its own synchronisation times in one of the group around "
     "it."},
    {"S031", "history shorter than the order needs",
     "A polynomial of order q runs through q + 1 versions of a coupled value. Without `history` as "
     "many are kept."},
    {"S032", "unknown name in a sequence",
     "`sequence` lists subsystems and groups in the order in which they are evaluated; what it "
     "does not name comes later, in the order that the couplings suggest."},
    {"S033", "exchanged more slowly than sampled",
     "A control block computes every so often from what it was told at the last synchronisation, "
     "and what it answers is heard at the next: sampled every 50 us in a group that exchanges "
     "every 1 ms, its loop has a delay of 1 ms, and twenty samples see a straight line. Without "
     "[sync] blocks and what they act on exchange as often as the blocks are sampled."},
    {"S040", "unstable step",
     "A subsystem was linearised where it starts and at the points of its operating range, and one "
     "of its modes would grow with this method and step where the physics does not: |R(h*lambda)| "
     "> max(1, |exp(h*lambda)|), R the method's stability function. Take a smaller step, or a "
     "method with a larger region of stability."},
    {"S041", "stability not known",
     "The subsystem could not be linearised at its start values: a rate or one of its derivatives "
     "is no finite number there, or the eigenvalues did not settle. Its step is taken as it was "
     "given."},
    {"S042", "unstable coupling",
     "Subsystems that are stable alone exchange what they extrapolate one synchronisation late; "
     "where the loop they form has enough gain, that grows although the plant does not. The "
     "linearised plan was run to find out; the factor is its spectral radius over one outermost "
     "synchronisation."},
    {"S043", "operating range out of date",
     "A column of the operating range (operating.csv beside the plant, or --operating) names "
     "nothing the plant has. The other columns are used; what is not given is as at the start."},
    {"S044", "a source turns faster than the step",
     "A function of time in a circuit (sin, cos, tan, mod) has a period of which a step sees less "
     "than ten points; with less than two it is a function of another period that is integrated, "
     "without any sign of it. What only says when something jumps (mod, what a comparison reads) "
     "is not counted where steps are cut there. Take a step of a twentieth of the period, or leave "
     "it to the generator."},
    {"S045", "inaccurate step",
     "The circuit was run inside the generator, with this method and step and with steps that "
     "follow what happens: they differ by the given part of the range that the state covers. Take "
     "the step that the hint names, or leave it to the generator."},
    {"S046", "error of the plan",
     "No recorded signal shall be further off than this part of its range (RMS): `error` of "
     "[plant], or --error; 1e-3 where neither is given. Steps and synchronisation times for it are "
     "found by runs of the built plant; `takt plan` shows how. A plan that the audit of a run "
     "(X020) would find fault with is none. What [solve] and [sync] give is kept and judged. Where "
     "the error is not met the plant is built with the nearest plan, and this warning tells the "
     "estimated error and what limits it: times that are given, or an error that is not one of "
     "times. Where trials give no estimate it says that the error is not known. Trials of a large "
     "plant or a long run see a part of the run only: a note says which. Of the rest the estimate "
     "says nothing; the audit of the run looks there. Where it is known that something happens "
     "there (functions of the time jump or bend, inputs move) trials reach up to five times as far "
     "for it, and what they do not reach is a warning. Some plants are sensitive (bouncing in a "
     "backlash, chaotic motions): what differs by a billionth part is soon far apart, and only "
     "very short steps, or none, meet the error. Where it is not met that is tried, and said. "
     "`error = \"off\"` asks for nothing."},
    {"S047", "stages out of place",
     "Runge-Kutta-Chebyshev takes as many stages as its step needs, from 2 to 50; `stages` in "
     "[solve] gives their number. The other methods have a fixed one."},
    {"S050", "not linear",
     "Method exact multiplies by a matrix exponential: rates must be sums of states times what "
     "parameters and held inputs give, plus what follows inputs and time. A coefficient that "
     "follows time or a flux, a product of states, a diode, a limit are none of it."},
    {"S051", "too many states for a matrix exponential",
     "Method exact multiplies all states that hang together by a full matrix in every step, "
     "however few others each of them feels. Where coefficients follow inputs it computes that "
     "matrix in every window."},
    {"S052", "no derivatives of a block over tables",
     "Linear blocks of a hundred unknowns and more, such as the loops of a mesh, are factorised "
     "over index tables. Methods ros1, ros2 and exact need derivatives as expressions, which such "
     "a block has none of."},
    {"S053", "functions of the time inside steps of method exact",
     "Comparisons with the time, min, max, abs, floor, mod and tables of it jump or bend at "
     "instants that are known ahead. Other methods cut their steps there; method exact has maps "
     "for whole steps and takes what drives it at their ends and middle. What jumps on the grid of "
     "its steps is right; a pulse between its points is not seen."},
    {"S054", "instants that are not known ahead",
     "Steps are cut where functions of the time jump or bend, if that is known in a closed form: "
     "lines, sines, exponentials and roots of them, and what repeats by mod. For others no step is "
     "cut. Choose steps that are shorter than what is to be seen, or write the condition as one on "
     "the time."},
    {"S055", "more instants than a step is cut at",
     "Comparisons with the time, min, max, abs, floor, mod and tables of it jump or bend at "
     "instants that are known ahead, and steps are cut there, into 64 pieces at most. In a step "
     "that may meet more of them what follows would be computed as if nothing happened. Take the "
     "step that the hint names, or leave it to the generator."},
    {"S056", "too long for its steps",
     "The run has so many steps that trials of a plan for the error asked for (S046) see less than "
     "a ten-thousandth of it, and by its steps a free run takes more than an hour of computing. "
     "Give a shorter duration (--for), longer times in [sync] and [solve] (steps that are given "
     "are not sought), a larger error, or leave out what is so fast; --error off runs it all the "
     "same. Without [solve], [sync], [input] and switches the times that are proposed follow the "
     "duration and the periods of control blocks."},
    {"S057", "a smooth function of the time is narrower than the step",
     "A function of the time that has no period (exp(-((time - 0.5 s)/1 us)^2) and its kind) moves "
     "by a part of its range within a while that the step hardly meets: it is compared with a sine "
     "that bends as much, and a step is longer than the period of that sine. What lies between two "
     "steps is not seen, by the finer steps of trials neither. Where no step is given the "
     "generator proposes a twentieth of that period. Jumps and corners are no part of it: steps "
     "are cut there. A pulse whose form does not matter is better written with if, min and max or "
     "as a table. Looked at is the duration of [plant], 1 s where there is none."},
    {"S058", "method that does not cut its steps at events",
     "Events of elements are located inside a step, which ends there. Method exact has maps of "
     "whole steps, adaptive and bdf choose their steps themselves; heun, rk3, rk4, ssprk43, rkc, "
     "ros1 and ros2 cut theirs."},
    {"S080", "whole stands alone",
     "With [solve] whole = { ... } one solver integrates all circuits together; a second line of "
     "[solve] would be about a part of what it integrates."},
    {"S081", "tolerance out of place",
     "Methods adaptive and bdf of [solve] whole take a relative tolerance from 1e-13 to 0.1; fixed "
     "steps have none."},
    {"S082", "switches need a solver of their own",
     "Circuits with switches are integrated by a linearly implicit rule that cuts its steps at "
     "edges; [solve] whole has explicit methods, adaptive and bdf."},
    {"S083", "no order of evaluation",
     "The algebra of all circuits together contains a cycle: couplings without any storage "
     "(S011)."},
    {"S084", "steps without a bound",
     "Methods adaptive (ARKODE, explicit) and bdf (CVODE, implicit) allocate and take as many "
     "steps as their tolerance needs: no plant that must keep a deadline uses them."},
    {"S090", "symbol without definition",
     "A defect of the generator: a subsystem reads what nothing defines."},
    {"S091", "line that cannot be cut",
     "A line cuts its circuit in two, which exchange what travels between them. What leaves in one "
     "window must not arrive in the same one: the synchronisation time is at most the delay. Both "
     "circuits have windows of this length, no switches, and a method with fixed steps."},
    {"S092", "line between samples",
     "Where a delay is a multiple of the micro-step, and both ends have the same one, a line hands "
     "over what left, bit for bit. Else what arrives is interpolated between two samples, which "
     "takes energy from the fastest waves. The run tells how much."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> steps_codes() { return rows; }

}  // namespace takt::codegen
