#pragma once
// The seam between an emitted plant and the runtime. An emitted plant is data plus noexcept functions:
//  - one block of plant memory with a table that names every quantity in it,
//  - a constexpr plan: subsystems, windows, exchanges. The executive interprets the plan; emitted code never
//    reads another subsystem's members.
// Everything is SI double; simulated time is integer nanoseconds.

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/plant/step_stability.hpp"
#include "runtime/plant/window.hpp"

namespace takt {

struct OutsideFault;  // outside_fault.hpp

/// note: counted and reported. verdict: the run goes on, but its results are not to be trusted.
enum class EventWeight : std::uint8_t { note, verdict };

/// Something a subsystem may meet at run time and goes on after: named offline, counted by the solver, reported after
/// the run. Whoever counts one sets the subsystem's alert.
struct EventDescription {
  const char* code = "";   ///< of the table of diagnostics: `takt explain CODE`
  const char* text = "";   ///< "switch isolates inductor electric.choke"
  std::size_t offset = 0;  ///< of a double in plant memory: how often since start
  EventWeight weight = EventWeight::note;
  std::uint8_t stops_after = 0;  ///< met in more windows in a row than this, it ends the run; 0: never
};

inline constexpr std::size_t no_alert = static_cast<std::size_t>(-1);

/// Layout and functions of one subsystem. Offsets are from the start of plant memory; arrays are contiguous. Functions
/// get the subsystem's own memory, so that copies of a part share them.
///  inputs    InputPolynomial[inputs]   written by the executive before run()
///  outputs   double[outputs]           written by run() and initialize(): values at the end of the window; those that
///                                      only fluxes name by observe()
///  sent      double[fluxes_out]        written by run(): integral over this window by the subsystem's quadrature
///  received  double[fluxes_in]         written by run(): integral over this window by the consumer's own quadrature
///  states    double[states]
///  energy    double[5]                 integrals since start: supplied, dissipated, exchanged; stored now; throughput:
///  their magnitudes,
///                                      window by window. J
///  alert     double                    written by run(): not zero where an event was counted; taken back by the
///  executive newton    double[2]                 largest residual of a block (sum over its equations) in the last
///  window, and since start
struct SubsystemDescription {
  const char* name;
  const char* domain;
  const char* method;  ///< by name (codegen/methods)
  std::int64_t step_ns;
  std::int64_t period_ns;  ///< its window = the sync time it exchanges at
  std::uint32_t equations;
  std::uint32_t states = 0, inputs = 0, outputs = 0, fluxes_out = 0, fluxes_in = 0;
  std::uint32_t newton_blocks;
  std::size_t states_offset = 0, inputs_offset = 0, outputs_offset = 0, sent_offset = 0,
              received_offset = 0;  ///< of what it has
  std::size_t energy_offset, newton_offset;
  std::size_t offset = 0;     ///< of its own memory
  std::uint32_t touched = 0;  ///< bytes at its beginning that every window reads or writes: fetched ahead
  std::span<const std::uint32_t> parameters = {};  ///< those of the plant that prepare() reads
  void (*prepare)(std::byte* own,
                  const double* parameters) noexcept;   ///< coefficients from these parameters; before initialize()
  void (*initialize)(std::byte* own) noexcept;          ///< states from start values and inputs at s = 0, then outputs
  void (*run)(std::byte* own, const Window&) noexcept;  ///< Real-time: bounded, silent
  std::span<const EventDescription> events = {};
  /// For a steady start: rates of the states in memory at time 0 with the inputs at s = 0, and outputs that agree with
  /// them, but for what observe() keeps up to date; of a control block (next - state)/period. nullptr: the subsystem
  /// keeps its start (circuits under PWM). Not real-time.
  void (*rates)(std::byte* own, double* rates) noexcept = nullptr;
  std::span<const std::uint32_t> fixed = {};  ///< states that a steady start leaves at their start values
  /// Signals, the outputs that only fluxes name and the energy stored at the end of the last window, t simulated
  /// seconds, s seconds long. Nothing that run() reads changes. nullptr: run() keeps them up to date. Real-time:
  /// bounded, silent
  void (*observe)(std::byte* own, double t, double s) noexcept = nullptr;
  /// Coefficients have been changed in memory, as prepare() computes them, between windows: what has been kept of the
  /// old ones is given up; outputs, signals and the energy stored follow, conserved states stay. t simulated seconds, s
  /// seconds into the last window. nullptr: nothing is kept. Real-time: bounded, silent
  void (*tuned)(std::byte* own, double t, double s) noexcept = nullptr;
  /// The first instant after t at which a function of the time jumps or bends, s, with parameters as they are in
  /// memory: a micro-step is cut there. Infinity: there is none. nullptr: none is known. Real-time: bounded, silent
  double (*next_instant)(const std::byte* own, double t) noexcept = nullptr;
  std::size_t alert_offset = no_alert;
  /// Why supplied, dissipated and exchanged energy need not explain the change of what is stored; empty: they must, as
  /// that follows from the states alone.
  const char* energy_left_out = "";
  bool foreign = false;  ///< another process computes it: run() waits for that
  /// Of a double in plant memory, the micro-step [s] that prepare() computes coefficients for; 0: they do not hang on
  /// it.
  std::size_t step_offset = 0;
  int stages = 0;  ///< of a method that chooses them
  StepStability stability = {};
};

enum class CouplingKind : std::uint8_t { potential, flux };

/// Subsystems and groups that exchange at one time H. The first of a plant is the outermost, its H the macro-step;
/// a group stands after the one it belongs to.
struct GroupPlan {
  const char* name;
  std::uint16_t parent;    ///< index; of the outermost itself
  std::int64_t period_ns;  ///< H; divides the parent's
};

/// A potential that arrives some time after it has left: a wave of a line (runtime/solver/travel_delay.hpp).
struct DelayPlan {
  double travel_s = 0.0;      ///< at least H; 0: none
  double start = 0.0;         ///< what arrives until what has left since the start does
  double power = 0.0;         ///< W per square of the value: by it energy under way is counted
  std::uint32_t samples = 0;  ///< parts of a window at whose ends the value is taken, at most
  std::size_t leaving = 0;    ///< of double[1 + samples]: parts in use; the value at the end of each
  std::size_t arriving = 0;   ///< of double[2 + samples]: parts in use; the value at the beginning and end of each
  std::size_t under_way = 0;  ///< of a double: energy under way when the consumer's window began
};

/// One coupling variable and how it crosses, once per H of the innermost group that holds both. lag 0: the producer has
/// run before the consumer in this H (interpolate between the versions at its ends; integral of this H); lag 1: it runs
/// after (extrapolate from the last versions and integrals). order: degree of the polynomial, 0 to 3.
struct ExchangePlan {
  const char* from = "";      ///< path of the producer's variable
  const char* to = "";        ///< path of the consumer's input
  const char* quantity = "";  ///< unit of the exchanged quantity; of its integral for a flux: "J", "N*m*s", "C"
  CouplingKind kind = CouplingKind::potential;
  std::uint16_t producer = 0;  ///< subsystem index
  std::uint16_t output = 0;    ///< index into the producer's outputs (potential) or sent (flux)
  std::uint16_t consumer = 0;
  std::uint16_t input = 0;       ///< index into the consumer's inputs
  std::uint16_t received = 0;    ///< flux: index into the consumer's received
  std::uint16_t flux_value = 0;  ///< flux: index into the producer's outputs of the instantaneous flux (start-up)
  std::uint8_t lag = 0;
  std::uint8_t order = 0;
  bool smooth = false;         ///< extrapolated potential: goes on where the last polynomial ended
  std::int64_t period_ns = 0;  ///< H; 0: the macro-step
  DelayPlan delay = {};        ///< of a potential with lag 1
};

/// One subsystem in the static schedule, in order of execution on its core; members of one group stand together.
struct WindowPlan {
  std::uint16_t subsystem = 0;
  std::uint16_t core = 0;  ///< logical core of the plan
  std::int64_t period_ns = 0;
  std::int64_t offset_ns = 0;
  std::uint16_t group = 0;  ///< the innermost it belongs to
};

/// Direct feed of a plant input into a subsystem input (held over the window).
struct InputRoute {
  std::uint16_t plant_input;
  std::uint16_t consumer;
  std::uint16_t input;
};

/// structural: a parameter that is compiled in; a change needs a rebuild.
enum class Role : std::uint8_t { parameter, plant_input, state, input, output, signal, structural };

/// One row of the table of plant memory. type is double for every row today.
struct MemoryEntry {  // NOLINT(*-member-init): rows of generated tables, always given whole
  const char* path;
  const char* unit;
  Role role;
  std::uint16_t subsystem;  ///< 0xffff: the plant itself
  std::size_t offset;
  bool start_only = false;  ///< a parameter that nothing reads once the plant runs
};

struct PlantInputDescription {
  const char* path;
  const char* unit;
  double start;
  double safe;
};

/// While a fault is injected, this parameter has another value: `value`, or factor*parameter `of` where there is one.
struct FaultChange {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
  std::uint32_t parameter = 0;  ///< index into the parameters in plant memory
  double value = 0.0;           ///< SI
  std::uint32_t of = none;      ///< index into the parameters in plant memory
  double factor = 1.0;
};

/// What the element library declares that may happen to an element: "electric.main", "stuck_closed".
struct FaultDescription {
  const char* element;
  const char* name;
  const char* text;  ///< what happens, for people
  std::span<const FaultChange> changes;
};

/// A Functional Mock-up Unit that a process of its own computes.
struct ForeignDescription {
  const char* name;    ///< of its subsystem: "fmu.engine"
  const char* folder;  ///< of its files, below the folder fmu beside that of the executable
  std::uint32_t inputs, parameters, outputs;
  const char* why_no_state;  ///< nullptr: its state goes into checkpoints
  const char* table;         ///< what takt-fmu-host must know of it, JSON
};

struct RecordPlan {
  std::int64_t period_ns;
  std::span<const std::uint32_t> entries;  ///< indices into the table
};

struct PlantDescription {
  const char* name;
  const char* title;
  const char* generator;   ///< version of takt
  const char* input_hash;  ///< hash of everything the sources were generated from
  std::uint32_t equations;
  std::int64_t macro_step_ns;  ///< outermost synchronisation time
  std::int64_t default_duration_ns;
  std::byte* memory;  ///< the one block
  std::size_t memory_size;
  std::size_t parameters_offset = 0;  ///< double[parameters]
  std::size_t inputs_offset = 0;      ///< double[plant_inputs.size()]
  /// What is wrong with the parameters in memory, by the limits of the element library; nullptr where nothing is.
  const char* (*check)(const std::byte* memory) noexcept = nullptr;
  std::span<const MemoryEntry> table;  ///< sorted by path
  std::span<const PlantInputDescription> plant_inputs;
  std::span<const SubsystemDescription> subsystems;
  std::span<const GroupPlan> groups = {};  ///< empty: one, with the macro-step
  std::span<const WindowPlan> windows;
  std::span<const ExchangePlan> exchanges;
  std::span<const InputRoute> input_routes;
  std::span<const RecordPlan> records;
  std::span<const ForeignDescription> foreign = {};
  std::span<const FaultDescription> faults = {};  ///< sorted by element, then name
  /// Of this run: what its I/O sends, as offsets into plant memory. Not of the emitted plant.
  std::span<const std::size_t> sent_to_buses = {};
  /// Of this run: where something can go wrong outside, in the order of its I/O. Not of the emitted plant.
  const OutsideFault* outside = nullptr;  // no span, which wants it complete, and with it <string> in every plant
  std::size_t outside_count = 0;
  /// Of this run, one of several hosts in real time: subsystems that others compute, ascending. Not of the emitted
  /// plant.
  std::span<const std::uint16_t> elsewhere = {};
  /// Of this run: all rows, where the table has only what is computed here. Not of the emitted plant.
  std::span<const MemoryEntry> whole_table = {};
  [[nodiscard]] std::span<const MemoryEntry> all_rows() const noexcept {
    return whole_table.empty() ? table : whole_table;
  }
  bool steady_start = false;  ///< begin in the steady state where the command line does not say otherwise
  bool autonomous = false;    ///< nothing follows time, inputs or samples: what it does may as well be done later
};

}  // namespace takt
