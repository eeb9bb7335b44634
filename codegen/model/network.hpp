#pragma once
// Network: the flattened plant, all names resolved, everything SI. Output of the model stage, input
// of topology. Plain data. Every scalar quantity is a symbol of `graph`; laws are expressions over
// symbols.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/library/branch_kind.hpp"
#include "codegen/library/domain.hpp"
#include "codegen/model/foreign_model.hpp"
#include "codegen/model/parameters.hpp"
#include "codegen/model/plan_settings.hpp"
#include "codegen/model/state_event.hpp"
#include "codegen/text/diagnostics.hpp"
#include "runtime/solver/pwm_leg.hpp"

namespace takt::codegen {

enum class NodeId : std::uint32_t {};
enum class BranchId : std::uint32_t {};
enum class ElementId : std::uint32_t {};

struct NetworkNode {
  std::string path;  ///< e.g. "electric.out", "solid.chip"
  Domain domain{};
  bool reference = false;  ///< ground, frame, absolute zero
  SymbolId across{};       ///< potential against the reference vertex
  Location where;
};

struct Branch {
  ElementId element{};
  std::string path;  ///< element path, plus ".branch" where an element has several
  Domain domain{};
  BranchKind kind{};
  LawForm form = LawForm::none;
  Expr law{};           ///< over symbols of this element, of other elements, parameters, time
  NodeId from{}, to{};  ///< across = potential(from) - potential(to); through flows from -> to
                        ///< inside the branch
  SymbolId across{}, through{};
  std::optional<SymbolId> stored;  ///< storages: the conserved quantity z
  std::optional<Expr>
      start;  ///< storages: start value of the across (C) or through (L) variable given by the user
  std::optional<Expr>
      start_stored;  ///< storages: start value of the conserved quantity given by the user instead
  Expr default_start{};   ///< storages: used where the user gave none (zero, or the element's
                          ///< default)
  bool coupling = false;  ///< boundary with a medium's temperature: received from another circuit,
                          ///< no equation of this one
  std::optional<Expr> passes;  ///< dissipators: power into it that goes to another circuit, W
  std::optional<Expr> energy;  ///< storages: stored energy, J, where the element defines it
  Location where;              ///< of the element in the plant file

  [[nodiscard]] bool started() const { return start || start_stored; }
};

/// Path of the state that stands for a storage and those that depend on it: the sum of their
/// charges over a cutset, of their linkages around a loop.
[[nodiscard]] inline std::string path_of_sum(const Branch& storage) {
  const DomainWords& words = words_of(storage.domain);
  const bool across = storage.kind == BranchKind::across_storage;
  return storage.path + "." + std::string(across ? words.cutset_sum : words.loop_sum);
}

/// x_a = ratio * x_b and f_b = -ratio * f_a (lossless): gear, wheel, transformer.
struct TwoPort {
  BranchId a{}, b{};
  double ratio = 1.0;  ///< a structural constant: changing it needs a rebuild
  Location where;
};

/// Internal state of an element: d(symbol)/dt = derivative.
struct ElementState {
  ElementId element{};
  SymbolId symbol{};
  Expr derivative{};
  Expr start{};        ///< over parameters
  bool fixed = false;  ///< a steady start leaves it at its start value: position, charge
  Location where;
  bool held = false;    ///< changes at events only
  bool always = false;  ///< integrated before any other where constraints leave a choice
};

/// Free equation of an element: 0 = zero, over variables of its circuit, rates excluded.
struct FreeEquation {
  ElementId element{};
  Expr zero{};
  Location where;  ///< of the equation in the definition
};

/// Variable of an element that only its free equations determine.
struct FreeUnknown {
  ElementId element{};
  SymbolId symbol{};
  Expr start{};          ///< start guess, over parameters
  bool started = false;  ///< it is given, else 0
  Location where;
};

/// Named intermediate quantity of an element: symbol = value. Also probes and derived outputs.
struct ElementVariable {
  ElementId element{};
  SymbolId symbol{};
  Expr value{};
  Location where;
};

/// Value that arrives some time after it has left: arriving(t) = leaving(t - travel_s). A line cuts
/// its circuit in two.
struct TravelDelay {
  ElementId element{};
  SymbolId arriving{};
  SymbolId leaving{};     ///< an ElementVariable
  SymbolId under_way{};   ///< energy, J: for the tables of people
  double travel_s = 0.0;  ///< structural, as start and power
  double start = 0.0;     ///< arrives until what has left since the start does
  double power = 0.0;     ///< W per square of the value
  Location where;
};

/// 0 = residual, for the specific enthalpy (or the passive fraction) of a node without contents.
struct NodeBalance {
  ElementId element{};  ///< one of its circuit
  SymbolId unknown{};
  Expr residual{};  ///< W (kg/s); linear in the enthalpies (fractions) of such nodes
  Expr guess{};
  std::optional<SymbolId>
      still;  ///< 1 where no mass flows through the node, else 0: windows that end so are counted
  Location where;
};

/// Energy stored in a node of a fluid or gas circuit. The energy itself is an ElementState.
struct EnergyContent {
  ElementId element{};
  SymbolId energy{}, temperature{};
  Expr start_temperature{};  ///< over parameters
};

/// Heat flow into a node of a fluid or gas circuit: crosses subsystems as an integrated flux.
struct HeatInput {
  ElementId element{};  ///< one of the receiving circuit
  SymbolId received{};  ///< W
  Expr value{};         ///< over symbols of the circuit that computes it
  Location where;
};

/// Heat that a fluid or gas circuit takes from a wall and computes itself, as the wall's circuit
/// does (coupling paradigm 3).
struct SharedHeat {
  ElementId element{};  ///< one of the circuit
  Expr power{};         ///< into it, W
};

/// How a heat transfer between a wall and a medium, or between two media, was cut.
struct HeatCoupling {
  static constexpr int joint = 0;
  std::string transfer, node;  ///< paths
  ElementId element{};         ///< the heat transfer
  NodeId wall{}, medium{};     ///< its ends
  int paradigm = 1;  ///< 1: computed in the solid circuit, 2: in the medium's, 3: in both; joint:
                     ///< the two circuits are one
  std::string reason;
  Location where;
};

/// Two circuits that are solved as one although no branch joins these nodes of theirs.
struct CircuitJoint {
  NodeId a{}, b{};
};

/// Enthalpy that comes into a circuit from a boundary or the world outside, W.
struct EnthalpySource {
  ElementId element{};
  Expr power{};
};

struct Element {
  std::string path;  ///< "electric.smooth", with parts "electric.pack.cell[3].r0"
  std::string type;  ///< library name, e.g. "electric.capacitor"
  Domain home{};     ///< section it stands in: its states and variables belong to that circuit
  std::optional<NodeId> self;      ///< where the element is a node
  std::vector<BranchId> branches;  ///< also those in other domains (heat port, shaft)
  std::optional<SymbolId>
      loss;  ///< what it turns into heat, where its definition says: W, of its home circuit
  bool has_equations =
      false;  ///< free ones: all its branches of its home domain's circuits belong to one circuit
  bool joins_circuit =
      true;  ///< branches of the home domain belong to one circuit even where no node joins them
  bool pump =
      false;  ///< drives the flow between its ends: what rules of fluid networks call a pump
  Location where;
};

/// Two-valued quantity of an element that changes at an instant, such as "the diode conducts". 1
/// on, 0 off. The solver finds the values that agree with the circuit, and the instants where they
/// change.
struct Mode {
  ElementId element{};
  SymbolId symbol{};
  Expr turn_on{};   ///< while off: turns on where > 0. Over variables of the circuit, gates,
                    ///< parameters
  Expr turn_off{};  ///< while on: turns off where > 0
  Expr start{};     ///< over parameters
  Location where;
};

/// Point about which an element's nonlinear law is linearised: iterated until next == symbol within
/// the tolerance.
struct OperatingPoint {
  ElementId element{};
  SymbolId symbol{};
  Expr next{};       ///< over variables of the circuit, the symbol itself, parameters
  Expr tolerance{};  ///< over parameters
  Expr start{};      ///< over parameters
  Location where;
};

/// Control signal of a switch, 1 where `signal` > 0.5, with edges located inside a micro-step.
struct Gate {
  ElementId element{};
  SymbolId symbol{};
  Expr signal{};  ///< over outputs of PWM legs and timed gates, control outputs, inputs, time
  Location where;
};

/// Pulse-width modulator of one half bridge: compares the duty with a carrier and delays every
/// turn-on by the dead time.
struct PwmLeg {
  std::string path;                        ///< "control.pwm"
  SymbolId high{}, low{};                  ///< 1 or 0
  Expr duty{};                             ///< 0..1, over control outputs, inputs, time
  Expr frequency{}, phase{}, dead_time{};  ///< Hz, fraction of a period, s; over parameters
  Carrier carrier = Carrier::triangle;
  DutyUpdate update = DutyUpdate::both;
  Location where;
};

/// Gate signal of a controller with a time stamp: takes `level` at `delay` seconds after the start
/// of the window.
struct TimedGate {
  std::string path;
  SymbolId symbol{};
  Expr level{}, delay{};  ///< over control outputs, inputs
  Location where;
};

/// Energy lost at each edge of a gate or mode: rise where it turns on, fall where it turns off.
struct EdgeEnergy {
  struct Before {
    SymbolId symbol{}, of{};
  };  ///< symbol: value of `of` just before the edge
  ElementId element{};
  SymbolId total{};  ///< energy lost since start, J
  SymbolId of{};     ///< symbol of a gate or mode of the element
  Expr rise{},
      fall{};  ///< J, over variables of the circuit after the edge, `before` symbols, parameters
  std::vector<Before> before;
  std::string heat;  ///< path of what receives the energy at the heat port: its branch in a solid
                     ///< circuit, its heat input in a medium's
  Location where;
};

/// Sampled control block: outputs from inputs and states, then the new states; executed every
/// `period_ns`.
struct ControlBlock {
  std::string path;  ///< "control.regulator"
  std::string type;
  std::int64_t period_ns = 0;
  struct Output {
    SymbolId symbol;
    Expr value;
  };
  struct State {
    SymbolId symbol;
    Expr next;
    Expr start;
  };  ///< start over parameters
  std::vector<Output> outputs;
  std::vector<State> states;
  Location where;
};

/// What must hold while the plant runs, such as a resistance above 0 that follows a signal, or a
/// content that is not taken below nothing.
struct RangeLimit {
  ElementId element{};
  Expr below{}, above{};  ///< kept where below <= above
  bool strict = false;    ///< kept where below < above
  bool seldom = false;    ///< judged where somebody looks and now and then, not in every window
  bool may_pass =
      false;         ///< a peak at an instant is none: what is found so three times running counts
  std::string code;  ///< of the event that is counted where it is left
  std::string text;  ///< then: "fluid.sump is empty: p - p_ambient is below -0.01 Pa"
  Location where;
};

struct Network {
  std::string name;  ///< folder or file name of the plant: [a-z0-9_]+
  std::string title;
  std::vector<std::string>
      files;        ///< everything read: plant file, library files, tables; for the input hash
  SymbolId time{};  ///< simulated time, s
  std::vector<NetworkNode> nodes;
  std::vector<Branch> branches;
  std::vector<TwoPort> two_ports;
  std::vector<Element> elements;
  std::vector<ElementState> states;
  std::vector<ElementVariable> variables;
  std::vector<TravelDelay> delays;
  std::vector<FreeEquation> free_equations;
  std::vector<FreeUnknown> free_unknowns;
  std::vector<NodeBalance> balances;
  std::vector<EnergyContent> contents;
  std::vector<HeatInput> heat_inputs;
  std::vector<EnthalpySource> enthalpy_sources;
  std::vector<SharedHeat> shared_heats;
  std::vector<HeatCoupling> heat_couplings;
  std::vector<CircuitJoint> joints;
  std::vector<ControlBlock> blocks;
  /// SI units of outputs and states of control blocks that compute with any dimension, where their
  /// expressions tell: for shown_unit(). Their symbols keep "1", and no equation depends on it.
  std::map<SymbolId, std::string> block_units;
  std::vector<ForeignModel> foreign;
  std::vector<Mode> modes;
  std::vector<StateEvent> events;  ///< in order of priority
  std::vector<OperatingPoint> points;
  std::vector<Gate> gates;
  std::vector<PwmLeg> legs;
  std::vector<TimedGate> timed_gates;
  std::vector<EdgeEnergy> edge_energies;
  std::vector<Parameter> parameters;
  std::vector<ParameterLimit> limits;
  std::vector<RangeLimit> ranges;  ///< ascending by element
  std::vector<PlantInput> inputs;
  std::vector<ElementFault> faults;  ///< sorted by element, then name
  std::vector<AbsentFault> absent_faults;
  std::vector<SolveSetting> solve;
  bool joined = false;  ///< [solve] whole: all circuits are one subsystem
  std::vector<SyncSetting> sync;
  std::vector<RecordSetting> record;
  std::optional<std::int64_t> default_duration_ns;  ///< [plant] duration
  std::optional<double>
      error;  ///< [plant] error: RMS over the range of each recorded signal; 0: "off"
  bool steady_start = false;            ///< [plant] start = "steady"
  std::vector<SymbolId> held_at_start;  ///< [plant] fixed: states, stored quantities, states of
                                        ///< blocks that a steady start leaves; ascending

  /// For which steps and synchronisation times are sought when the plant is built; 0: the plan
  /// stays as it is.
  [[nodiscard]] double error_to_plan_for() const;

  /// All expressions of the plant. They are only ever added and never change, so a pass that makes
  /// new ones leaves the network as it is: it takes a `const Network&`, and copies of a network
  /// share their expressions.
  [[nodiscard]] Graph& graph() const { return *graph_; }
  /// The unit that tables, recordings and comparisons show for a symbol: of what control blocks
  /// compute, what their expressions tell.
  [[nodiscard]] const std::string& shown_unit(SymbolId symbol) const {
    const auto known = block_units.find(symbol);
    return known == block_units.end() ? graph_->symbol(symbol).unit : known->second;
  }

 private:
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
};

/// Of plants that give no steps.
inline constexpr double usual_error = 1e-3;

inline double Network::error_to_plan_for() const {
  const bool given = !foreign.empty() ||
                     std::any_of(solve.begin(), solve.end(),
                                 [](const SolveSetting& of) { return of.step_ns.has_value(); });
  return error.value_or(given ? 0.0 : usual_error);
}

}  // namespace takt::codegen
