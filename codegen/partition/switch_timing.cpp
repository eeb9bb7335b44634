#include "codegen/partition/switch_timing.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"
#include "codegen/topology/switch_rules.hpp"
#include "codegen/topology/switching_branch.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t assumed_step_ns = 1000;
constexpr std::int64_t fewest_steps =
    10;  // of a PWM period: after each edge one step is of first order
constexpr double steps_per_time_constant = 5.0;  // sqrt(L*C) of a snubber

const Branch& branch_of(const Network& network, BranchId id) {
  return network.branches[static_cast<std::size_t>(id)];
}

class SwitchTiming {
 public:
  SwitchTiming(const Network& network, const Plan& plan, Diagnostics& diagnostics)
      : network_(network), values_(network), plan_(plan), diagnostics_(diagnostics) {}

  void check(const CircuitTopology& circuit) {
    const auto planned =
        std::find_if(plan_.subsystems.begin(), plan_.subsystems.end(),
                     [&](const PlanSubsystem& s) { return s.name == circuit.name; });
    const PlanSubsystem* subsystem = planned == plan_.subsystems.end() ? nullptr : &*planned;
    for (const FloatingInductor& floating : circuit.floating)
      if (floating.interrupts && !floating.commutates)
        report_isolated(floating, subsystem != nullptr ? subsystem->step_ns : assumed_step_ns);
    if (subsystem == nullptr) return;
    const std::set<SymbolId> read = read_by_gates(circuit);
    for (const PwmLeg& leg : network_.legs)
      if (read.contains(leg.high) || read.contains(leg.low)) check_period(leg, *subsystem);
    for (const TimedGate& gate : network_.timed_gates)
      if (read.contains(gate.symbol)) check_delay(gate, *subsystem);
  }

 private:
  [[nodiscard]] std::set<SymbolId> read_by_gates(const CircuitTopology& circuit) const {
    std::set<SymbolId> read;
    for (const Gate& gate : network_.gates) {
      if (std::find(circuit.elements.begin(), circuit.elements.end(), gate.element) ==
          circuit.elements.end())
        continue;
      for (const SymbolId symbol : network_.graph().symbols_of(gate.signal)) read.insert(symbol);
    }
    return read;
  }

  void report_isolated(const FloatingInductor& floating, std::int64_t step_ns) {
    const Branch& branch = branch_of(network_, floating.branch);
    std::vector<BranchId> blocking = floating.gated;
    blocking.insert(blocking.end(), floating.diodes.begin(), floating.diodes.end());
    const bool one = blocking.size() == 1;
    const std::string switches = path_list(network_, blocking);
    std::string beside =
        floating.with.empty() ? "" : " (with " + path_list(network_, floating.with) + ")";
    const std::string what = branch.kind == BranchKind::through_source ? " has nowhere else to flow"
                                                                       : " has nowhere to go";
    diagnostics_.warning("W002", branch.where,
                         switches + (one ? " isolates " : " isolate ") + branch.path + beside +
                             ": once off, its current" + what +
                             ", and the voltage is what the off-resistance makes of it",
                         "give it a diode to go on through, or put across " +
                             branch_of(network_, floating.gated.front()).path + " " +
                             snubber(branch, step_ns));
  }

  /// R and C in series: the inductor rings with C at a rate that the step resolves, damped by R.
  [[nodiscard]] std::string snubber(const Branch& branch, std::int64_t step_ns) const {
    const double time_constant = steps_per_time_constant * static_cast<double>(step_ns) * 1e-9;
    const double inductance =
        branch.kind == BranchKind::through_storage ? inductance_of(branch) : 0.0;
    if (!(inductance > 0.0) || !std::isfinite(inductance))
      return "a resistor and a capacitor in series";
    const double c = time_constant * time_constant / inductance, r = inductance / time_constant;
    return rounded_text(r, "Ohm") + " and " + rounded_text(c, "F") + " in series (" +
           rounded_text(r, "V") + " for each ampere; sqrt(L*C) is " +
           number_text(steps_per_time_constant) + " steps of " + duration_text(step_ns) + ")";
  }
  [[nodiscard]] double inductance_of(const Branch& branch) const {
    const SymbolId variable = branch.form == LawForm::from_stored ? *branch.stored : branch.through;
    const double slope = values_.of(branch.law, {{variable, 1.0}}) - values_.of(branch.law);
    return branch.form == LawForm::from_stored ? 1.0 / slope : slope;
  }

  void check_period(const PwmLeg& leg, const PlanSubsystem& subsystem) {
    if (!values_.is_known(leg.frequency, false)) return;
    const double period_ns = 1e9 / values_.of(leg.frequency);
    const double steps = period_ns / static_cast<double>(subsystem.step_ns);
    if (!(period_ns > 0.0) || steps >= static_cast<double>(fewest_steps)) return;
    const auto wished = static_cast<std::int64_t>(period_ns) / fewest_steps;
    const std::string cure =
        wished < 1 ? "no whole number of ns is a step small enough"
                   : "give " + subsystem.name + " a step of " +
                         duration_text(nearest_divisors(subsystem.period_ns, wished).below) +
                         " in [solve]";
    const std::string periods =
        "the period " + rounded_text(period_ns * 1e-9, "s") + " of " + leg.path;
    const std::string step =
        "the step " + duration_text(subsystem.step_ns) + " of " + subsystem.name;
    if (steps <= 1.0)
      diagnostics_.error("W005", leg.where, periods + " is not above " + step, cure);
    else
      diagnostics_.warning("W006", leg.where,
                           periods + " holds fewer than " + std::to_string(fewest_steps) + " of " +
                               step + ": the step after each edge is of first order",
                           cure);
  }

  void check_delay(const TimedGate& gate, const PlanSubsystem& subsystem) {
    if (!values_.is_known(gate.delay, false)) return;
    const double delay_s = values_.of(gate.delay),
                 window_s = static_cast<double>(subsystem.period_ns) * 1e-9;
    if (delay_s >= 0.0 && delay_s < window_s) return;
    const std::string why =
        delay_s < 0.0 ? " lies in the past" : " never comes: the next window's command replaces it";
    diagnostics_.error("W007", gate.where,
                       "the edge of " + gate.path + ", " + rounded_text(delay_s, "s") +
                           " after the start of a window of " + duration_text(subsystem.period_ns) +
                           "," + why,
                       delay_s < 0.0 ? "give a delay from 0 on"
                                     : "give a shorter delay, or a longer synchronisation time");
  }

  const Network& network_;
  const NominalValues values_;
  const Plan& plan_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<std::int64_t> step_for_pwm_ns(const Network& network, const SwitchedCircuit& part) {
  const NominalValues values(network);
  std::optional<std::int64_t> step_ns;
  for (const std::uint32_t index : part.legs) {
    const PwmLeg& leg = network.legs[index];
    if (!values.is_known(leg.frequency, false)) continue;
    const double period_ns = 1e9 / values.of(leg.frequency);
    if (!(period_ns >= static_cast<double>(fewest_steps)) || !std::isfinite(period_ns)) continue;
    const auto own = static_cast<std::int64_t>(period_ns) / fewest_steps;
    step_ns = std::min(step_ns.value_or(own), own);
  }
  return step_ns;
}

void check_switch_timing(const Network& network, const TopologyResult& topology, const Plan& plan,
                         Diagnostics& diagnostics) {
  SwitchTiming timing(network, plan, diagnostics);
  for (const CircuitTopology& circuit : topology.circuits)
    if (!circuit.singular) timing.check(circuit);
}

}  // namespace takt::codegen
