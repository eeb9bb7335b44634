#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Runs, reference runs, comparisons. Letters F, N, X.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"F001", "element that a reference run does not follow",
     "`takt reference` integrates the plant as one system whose laws are as written, from one "
     "switching instant to the next. An element that is linearised about an operating point, such "
     "as diode_exponential, gives its law only where the solver has iterated that point. Use a "
     "piecewise linear one. A line delays what passes it, and a system of differential equations "
     "has no past: compare with shorter steps, or with sections of inductors and capacitors in its "
     "place."},
    {"F002", "rate of a dependent storage not known",
     "A storage in a loop of capacitors and sources, or in a cutset of inductors and sources, "
     "follows from the others. Its rate takes the derivatives of the sources, which are known "
     "where these follow time, states, or what states determine directly."},
    {"F003", "reference run from a steady state",
     "`takt reference` does not look for a steady state. It begins with start values as given, or "
     "where a run of the plant began: `--start RUN`."},
    {"F004", "impulse that an equation reads",
     "Where a source jumps on a loop of capacitors, or on a cutset of inductors, charge (flux "
     "linkage, momentum) moves in no time: the current is an impulse. `takt reference` keeps the "
     "sums of charge, but an equation that reads this current has no value then. A jump of a "
     "control output or an input ends the run with the same words. A comparison with the time or a "
     "state counts as a jump; what only bends there is known as such where it is written by clamp, "
     "min or max."},
    {"F005", "reference run of a plant with FMUs",
     "The reference solves the equations of the whole plant, and an FMU shows none. Compare with a "
     "plant that has elements in the FMU's place."},
    {"F006", "part that cannot be cut out",
     "`takt fmu export --part NAME` gives one instance of a part by itself: a source whose value "
     "is an input stands at each node that it shares with the rest. A part with a medium (fluid, "
     "gas), or of a plant that starts from a steady state, is not cut; nor is a name that [parts] "
     "does not have. Name an instance as it stands in the paths of its elements: pack[3] of "
     "electric.pack[3].r0."},
    {"N001", "peer.toml cannot be used",
     "peer.toml maps signals of the plant to expressions of ngspice vectors under [signals]; [rms] "
     "names times for some of them, [reference] the step of the tight run. Paths stand in quotes."},
    {"N002", "peer.cir cannot be used",
     "The netlist needs one .tran with its times in numbers, and no control section: `takt bench "
     "--peers` adds what it needs."},
    {"N003", "compared signal is not recorded",
     "A signal of peer.toml is read from the record of the run, so [record] of the plant names "
     "it."},
    {"N004", "paper.toml cannot be used",
     "paper.toml lists the rows of a paper's table ([[row]] name, solve, cpu_s, rtf), a reference, "
     "signals of [accuracy], [[figure]]s and [[series]] of a work-precision diagram; see "
     "config/plants/bev/paper.toml."},
    {"X001", "switch states undecided (counted at run time)",
     "No combination of conducting and blocking diodes was found that agrees with the circuit "
     "within the bounded number of trials; the last one was kept. Look for ideal elements that "
     "contradict each other, or a source that changes by a jump within a step."},
    {"X002", "too many edges in one micro-step (counted at run time)",
     "More gates and diodes switched inside one micro-step than are followed one by one; the rest "
     "of the step was computed with the last switch state. Make the step smaller, or look for a "
     "PWM period near the step."},
    {"X003", "nonlinear elements not settled (counted at run time)",
     "The iteration of the operating points of nonlinear elements did not reach its tolerance; the "
     "last iterate was kept."},
    {"X004", "nonlinear equations not solved (judged at run time)",
     "The equations that Newton's method solves at every stage were left with a residual. What the "
     "run shows from there on is no solution of the model. Mostly the law has no solution there, "
     "or one so steep that no start finds it within the bounded count of iterations; more of them: "
     "newton = N in [solve]. More than 3 windows in a row end the run."},
    {"X005", "equation with several solutions, or none (judged at run time)",
     "While Newton's method solved one equation for one unknown, the residual rose with it at one "
     "place and fell at another: there is a fold between. Which solution a real circuit takes "
     "there hangs on storages that the model leaves out; put the capacitance (or the inertia, the "
     "volume) that decides it into the model."},
    {"X006", "linear equations solved inaccurately (judged at run time)",
     "The linear part of a circuit was eliminated with a pivot so small that the equations are not "
     "satisfied any more. Mostly values lie too far apart: a conductance that falls to zero, a "
     "resistance beyond any device."},
    {"X007", "value not finite (ends the run)",
     "A state, an output, a signal, a flux or an input became infinite or no number. The run ends "
     "before the value is exchanged, sent or recorded; buses get their safe values."},
    {"X008", "energy does not add up (judged at the end)",
     "What a subsystem took, gave, turned into heat and stores differs by more than 5e-3 of what "
     "passed through. Mostly its step is too long for what happens in it; a smaller step, or a "
     "linearly implicit method, shows it."},
    {"X009", "ledger of a flux open (judged at the end)",
     "More or less of a flux arrived than was sent: heat, mass or charge was lost or made up "
     "between two subsystems. A defect of the plan or, with --sample-fluxes, what was asked for."},
    {"X010", "short circuit through switches (counted at run time)",
     "All switches of a loop with a voltage source or a stack of capacitors conducted at one time. "
     "Counted once for each edge into that state, not for how long it lasts. The solution stays "
     "finite: on-resistances limit the current. See W001."},
    {"X011", "current of an inductor cut off (counted at run time)",
     "At an edge the flux linkage of the inductor changed by more than a tenth within half a "
     "micro-step, and that took more than twice the voltage that all sources and capacitors of the "
     "circuit have together (times the turns ratios of transformers): only off-resistances do "
     "that. The energy is lost in them. See W002."},
    {"X012", "edge of a timed gate lost (counted at run time)",
     "The command for a gate_edge came while the edge of the one before was still to come, or with "
     "a negative delay. "
     "The newer command replaces the older one; a negative delay counts as 0. See W007."},
    {"X013", "no flow through a junction (counted at run time)",
     "At the end of a window less than 1e-7 kg/s flowed into a junction without volume. Its "
     "temperature then leans on the slight mixing of all streams both ways (1e-9 kg/s), and "
     "without any flow is the mean of its neighbours'. Where that temperature matters give the "
     "junction a volume."},
    {"X014", "range left (judged at run time)",
     "A parameter that follows time or a signal left the limits that the element library gives it, "
     "or a quantity the range in which it means something: a resistance below 0, a temperature "
     "below absolute zero, an output of an FMU beyond the min or max that it declares. The run "
     "goes on, but what it shows from there on is not to be trusted."},
    {"X015", "storage empty (judged at run time)",
     "More was taken out of a storage than it held: a tank, a vessel, a battery. Nothing in the "
     "model stops what flows out of it. Give it more to begin with, let a control block or a valve "
     "stop the flow, or take less."},
    {"X016", "storage full (judged at run time)",
     "More went into a storage than it can hold. For an open tank fluid.overflow leads away what "
     "comes in above its edge; elsewhere a control block or a valve stops the flow."},
    {"X017", "pressure below the vapour pressure (judged at run time)",
     "A liquid would boil or cavitate there (or, where its medium gives no p_vap, the pressure "
     "stays below -4e7 Pa, which no liquid bears): the flow asked for is more than the network can "
     "carry. Liquids here have no vapour; take less flow, wider pipes, or raise the pressure."},
    {"X018", "tank overflows (counted at run time)",
     "Windows in which liquid left over the edge of a tank. Its mass and enthalpy leave the plant "
     "as through a demand."},
    {"X019", "table or medium outside its range (counted at run time)",
     "A table was read beyond its ends, where it keeps its last value, or a medium was colder or "
     "hotter than the range its properties were fitted to. Counted where the subsystem was looked "
     "at: when recorded or sent, and every so many windows."},
    {"X020", "steps or synchronisation times too long (judged after the run)",
     "After the run as much of it as the time for it allows is computed again with shorter "
     "micro-steps and, where all times of the plan can be divided, shorter synchronisation times. "
     "A state, a coupled value, an energy of a circuit (RMS over time) or a recorded signal "
     "(averages over parts of the time) differs by more than 1e-2 of its range: what the run shows "
     "is the steps' work, not the model's. Smaller steps, a linearly implicit method where "
     "something is stiff, or smaller synchronisation times mend it. --audit TIME says how long the "
     "audit may take, --audit off leaves it out."},
    {"X021", "step unstable with the parameters set",
     "Parameters set when a built plant starts (--set, or those of a replayed run) make a "
     "subsystem faster than its step can follow. The executable linearises what they change about "
     "the start and refuses to run. `takt check --set` proposes steps for these parameters, `takt "
     "run --set` builds the plant with them."},
    {"X030", "mode chatters (judged at run time)",
     "A mode with memory, or with a threshold on another element's quantity, turned back as soon "
     "as it had turned, again and again at one instant: neither of its states agrees with the "
     "circuit. It was held until the end of the micro-step, so what the run shows depends on the "
     "step. Give it a hysteresis: on and off indicators that are both negative in between."},
    {"X031", "mode turns faster than the step (judged at run time)",
     "A mode with memory turned more often within one micro-step than is followed, or a transient "
     "many thousand times faster than the step led up to it. It was held until the end of the "
     "micro-step. Make the step smaller, or the hysteresis wider."},
    {"X032", "events that do not come to rest (judged at run time)",
     "An event set something that made another come true, and so on, more often than is followed "
     "at one instant (8 rounds). The last values were kept. Look for two events that undo each "
     "other, or for a mode whose on and off are both positive."},
    {"X033", "event that occurs too often in a step (judged at run time)",
     "An event came true more often within one micro-step than the step is cut for (8 times): "
     "instants that accumulate (a ball that comes to rest: Zeno), or a condition that turns back "
     "at once (chattering). The rest of the step was computed without it; what came true there "
     "occurred at its end, once. Declare what holds after that: a mode for the rest (a ball that "
     "lies), a hysteresis, or a smaller step."},
    {"X040", "FMU that failed (judged at run time)",
     "The FMU returned an error, its host process ended (a crash, a kill), it did not answer "
     "within 10 s, or a copy of its process that it made (fork) came back from a call. With "
     "on_error = \"stop\" the run ends; with \"hold\" its outputs stay as they were, with a table "
     "they have safe values, and the results are not to be trusted. What the FMU said is among the "
     "warnings of the run."},
    {"X041", "FMU that was late (judged at run time)",
     "In a paced run the answer of the FMU was not there when the plant had to go on. The outputs "
     "that came last were held, and the FMU catches up when it can; the results depended on "
     "timing. Give it a longer step, a CPU of its own (--fmu-cpus), or a faster machine; `takt fmu "
     "test` tells how long it takes and why."},
    {"X042", "port of an FMU loses energy (judged at the end)",
     "Through a port the circuit gave another energy than the FMU took, by more than 5 % of what "
     "passed: across and through are exchanged once per step, and change too much in between. "
     "Shorten the step of the FMU and the synchronisation time, or take lag = 0."},
    {"X043", "deadlines missed (judged at the end)",
     "More deadlines were missed than tolerated, after the grace period at the start: the run was "
     "not real time, whatever its results. The exit code is 3. The report says who was late and "
     "why: longer steps, another method or `takt plan --budget` where the plant computes too long, "
     "`takt host` where the machine held it off. `late` in [rig], [judge] of a scenario or --late "
     "says how many may be missed; --late any: it does not matter."},
    {"X044", "message that never came (judged at the end)",
     "A scenario ran in real time, and a received message of the rig's map has never come: what "
     "the scenario expects was not tested with the ECU that sends it. Start the ECU before the "
     "scenario, look at its bus with `takt can dump`, or name in [judge] what the scenario needs: "
     "needs = [\"can0.VCU_Command\"], or needs = []."},
    {"X045", "UDP frame that was never understood (judged at the end)",
     "Datagrams have come on a UDP bus, and none was taken as this frame: they were of another "
     "sender than `peer`, had another length or other constants, or a counter that does not count "
     "one by one, for example because its bytes are in the other order. The plant had its safe "
     "values. Or frames were taken, and in none of them a value was a number: its input stayed as "
     "it was. The events of the bus say which, with numbers; layout, `order`, `port` and `peer` of "
     "[bus.NAME] are as the sender has them, or the sender is mended."},
    {"X046", "message that stayed away while something held (judged at the end)",
     "A scenario ran in real time, and what it expects held while a received message had timed "
     "out: the inputs stood at their safe values, and no ECU has passed that. Look why the sender "
     "fell silent (the events of the bus say when). Where it was meant to, let the scenario inject "
     "that fault of the bus, or name in [judge] what the scenario needs, without this message: "
     "needs = [...]."},
    {"X050", "supervisor lost (judged at the end)",
     "The process that sends safe values when the plant dies has itself died, and its spare with "
     "it: from then on nobody would have sent them. By [supervisor] when_lost of the rig a spare "
     "takes its place (restart, the default), and where there is none left, or with stop, the run "
     "ends in order with safe values; with go-on it goes on unprotected. Look who has killed it: "
     "an administrator, the kernel for want of memory (dmesg)."},
    {"X052", "replay of a run that was not finished (judged at the start)",
     "The run whose log is replayed is still under way, was killed, or had no room on its disk: "
     "its log does not say how it ended. What the log holds is replayed; its digest is that of no "
     "whole run. Wait for the end of that run, or give --for with a time that the log covers."},
    {"X053", "sent value did not fit its signal (judged at the end)",
     "The plant has sent values that the bits of their signals do not hold, or that are no "
     "numbers, and the rig says saturate = \"fail\": a receiver has found the nearest value that "
     "the signal holds (0 for what is no number) in place of what the plant has computed. The "
     "summary has for each signal how many, from when on, and what it holds. Look whether the "
     "plant should have such values; else give the map of the signal another unit or scale, or the "
     "signal more bits or another factor in the database."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> runs_codes() { return rows; }

}  // namespace takt::codegen
