#include "codegen/topology/switch_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "codegen/text/quantity.hpp"
#include "codegen/topology/floating_inductors.hpp"
#include "codegen/topology/inductance_matrix.hpp"
#include "codegen/topology/switch_loops.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_findings = 8;  // of one kind in a circuit

const Branch& branch_of(const Network& network, BranchId id) {
  return network.branches[static_cast<std::size_t>(id)];
}

/// Judges the loops of one circuit and keeps those that gates may close.
class LoopJudge {
 public:
  LoopJudge(const Network& network, const std::vector<SwitchingBranch>& devices,
            const NominalValues& values, GateRelations& relations, Diagnostics& diagnostics)
      : network_(network),
        devices_(devices),
        values_(values),
        relations_(relations),
        diagnostics_(diagnostics) {}

  /// @param surges  where those are added that may join capacitors
  [[nodiscard]] std::vector<SwitchLoop> judge(std::vector<SwitchLoop> loops,
                                              std::vector<SwitchLoop>& surges) {
    std::erase_if(loops, [&](const SwitchLoop& loop) {
      const TogetherVerdict verdict = relations_.of(gates_of(loop));
      if (verdict.kind == Together::never) {
        report_leg_without_dead_time(loop);
        return true;
      }
      if (loop.kind == SwitchLoop::Kind::surge) {
        if (verdict.kind != Together::not_seen) report_surge(loop), surges.push_back(loop);
        return true;  // nothing to count: charge is conserved, and it may be meant
      }
      if (verdict.kind != Together::not_seen) report_short_circuit(loop, verdict);
      return false;
    });
    return loops;
  }

 private:
  [[nodiscard]] const SwitchingBranch& device(BranchId id) const {
    return *std::find_if(devices_.begin(), devices_.end(),
                         [&](const SwitchingBranch& d) { return d.branch == id; });
  }
  [[nodiscard]] std::vector<std::uint32_t> gates_of(const SwitchLoop& loop) const {
    std::vector<std::uint32_t> gates;
    for (const BranchId id : loop.switches)
      gates.insert(gates.end(), device(id).gates.begin(), device(id).gates.end());
    return gates;
  }

  /// "control.leg.high, time < 1": what the gates of the loop follow.
  [[nodiscard]] std::string signals_of(const SwitchLoop& loop) const {
    std::string text;
    for (const std::uint32_t gate : gates_of(loop)) {
      const std::string signal = network_.graph().text(network_.gates[gate].signal);
      text += (text.empty() ? "" : ", ") + signal;
    }
    return text;
  }

  void report_short_circuit(const SwitchLoop& loop, const TogetherVerdict& verdict) {
    if (++short_circuits_ > most_findings) return;
    const bool alone = loop.switches.size() == 1;
    const std::string why =
        verdict.kind == Together::seen
            ? (alone ? "its gate is on" : "their gates are on together") + at_time(verdict.time_s)
        : alone               ? "its gate may turn on"
        : verdict.same_signal ? "their gates follow the same signal"
                              : "nothing keeps their gates from being on together";
    diagnostics_.warning(
        "W001", branch_of(network_, loop.switches.front()).where,
        loop_text(network_, loop) + "; " + why + " (" + signals_of(loop) + ")",
        prospective(loop) + (alone ? "put a load into the loop"
                                   : "let one pwm_leg with dead time drive them, or put an "
                                     "inductor or a resistor into the loop"));
  }

  [[nodiscard]] static std::string at_time(double time_s) {
    return time_s > 0.0 ? " at " + rounded_text(time_s, "s") : " from the start";
  }

  /// What the loop would carry, where all its sources are known.
  [[nodiscard]] std::string prospective(const SwitchLoop& loop) const {
    if (loop.supplies.size() != 1) return "";
    const Branch& source = branch_of(network_, loop.supplies.front());
    if (source.kind != BranchKind::across_source || !values_.is_known(source.law, false)) return "";
    const double voltage = std::fabs(values_.of(source.law));
    return rounded_text(voltage, "V") + " over " + rounded_text(loop.resistance, "Ohm") +
           " drive " + rounded_text(voltage / loop.resistance, "A") + "; ";
  }

  void report_surge(const SwitchLoop& loop) {
    if (++surges_ > most_findings) return;
    double elastance = 0.0;  // of the capacitors in series, 1/F
    for (const BranchId id : loop.supplies) {
      const Branch& branch = branch_of(network_, id);
      if (branch.kind == BranchKind::across_storage) elastance += 1.0 / capacitance(branch);
    }
    const bool alone = loop.switches.size() == 1;
    diagnostics_.note(
        "W003", branch_of(network_, loop.switches.front()).where,
        path_list(network_, loop.switches) + (alone ? " joins " : " join ") +
            path_list(network_, loop.supplies) + " with nothing but " +
            rounded_text(loop.resistance, "Ohm") + " between: a difference of dv drives dv/(" +
            rounded_text(loop.resistance, "Ohm") + ") at once, and 1/2*(" +
            rounded_text(1.0 / elastance, "F") + ")*dv^2 are lost however small the resistance",
        "charge is conserved all the same; put an inductor or a resistor into the loop where the "
        "surge matters");
  }
  [[nodiscard]] double capacitance(const Branch& branch) const {
    const SymbolId variable = branch.form == LawForm::from_stored ? *branch.stored : branch.across;
    const double slope =
        values_.of(branch.law, {{variable, 1.0}}) - values_.of(branch.law, {{variable, 0.0}});
    return branch.form == LawForm::from_stored ? 1.0 / slope : slope;
  }

  /// Here the two never overlap, even without dead time; real ones would.
  void report_leg_without_dead_time(const SwitchLoop& loop) {
    if (loop.kind != SwitchLoop::Kind::short_circuit) return;
    const auto follows = [&](SymbolId symbol) {
      const auto branch =
          std::find_if(loop.switches.begin(), loop.switches.end(), [&](BranchId id) {
            const SwitchingBranch& d = device(id);  // with a body diode: a transistor
            return (d.free.forward || d.free.backward) && d.gates.size() == 1 &&
                   network_.graph().depends_on(network_.gates[d.gates.front()].signal, symbol);
          });
      return branch != loop.switches.end();
    };
    for (const PwmLeg& leg : network_.legs) {
      if (!follows(leg.high) || !follows(leg.low) || !values_.is_known(leg.dead_time, false) ||
          values_.of(leg.dead_time) > 0.0)
        continue;
      diagnostics_.note("W004", leg.where,
                        leg.path + " has no dead time: here " + path_list(network_, loop.switches) +
                            " never overlap, real ones would",
                        "dead_time = \"500 ns\", or what the gate driver has");
      return;
    }
  }

  const Network& network_;
  const std::vector<SwitchingBranch>& devices_;
  const NominalValues& values_;
  GateRelations& relations_;
  Diagnostics& diagnostics_;
  std::size_t short_circuits_ = 0, surges_ = 0;
};

constexpr double smallest_value = 1e-30,
                 largest_value = 1e30;  // SI: beyond it products and reciprocals overflow

/// W008: resistances, inductances and capacitances that doubles cannot hold together.
void check_magnitudes(const Network& network, const CircuitTopology& circuit,
                      Diagnostics& diagnostics) {
  std::map<SymbolId, BranchId> read;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = branch_of(network, id);
    if (branch.kind == BranchKind::across_source || branch.kind == BranchKind::through_source)
      continue;
    for (const SymbolId symbol : network.graph().symbols_of(branch.law)) read.emplace(symbol, id);
  }
  for (const Parameter& parameter : network.parameters) {
    const auto reader = read.find(parameter.symbol);
    const double size = std::fabs(parameter.value);
    if (reader == read.end() || size == 0.0 || (size >= smallest_value && size <= largest_value))
      continue;
    const Symbol& symbol = network.graph().symbol(parameter.symbol);
    diagnostics.error("W008", parameter.where,
                      symbol.path + " is " + number_text(parameter.value) + " " + symbol.unit +
                          ": " + branch_of(network, reader->second).path +
                          " cannot be computed beside other elements",
                      "choose a value between " + number_text(smallest_value) + " and " +
                          number_text(largest_value));
  }
}

/// By how much a voltage of the circuit can appear raised elsewhere: turns ratios of all
/// transformers and coupled inductors.
double voltage_ratio(const Network& network, const CircuitTopology& circuit,
                     const NominalValues& values) {
  double ratio = 1.0;
  for (const std::uint32_t index : circuit.two_ports) {
    const double n = std::fabs(network.two_ports[index].ratio);
    ratio *= std::max(n, 1.0 / n);
  }
  for (const BranchId a : circuit.branches) {
    const Branch& first = branch_of(network, a);
    if (first.kind != BranchKind::through_storage) continue;
    for (const BranchId b : network.elements[static_cast<std::size_t>(first.element)].branches) {
      const Branch& second = branch_of(network, b);
      if (a == b || second.kind != BranchKind::through_storage ||
          inductance(network, values, first, second) == 0.0)
        continue;
      const double of_first = inductance(network, values, first, first),
                   of_second = inductance(network, values, second, second);
      if (of_first > of_second && of_second > 0.0) ratio *= std::sqrt(of_first / of_second);
    }
  }
  return ratio;
}

}  // namespace

std::string path_list(const Network& network, const std::vector<BranchId>& branches) {
  std::string text;
  for (std::size_t k = 0; k < branches.size(); ++k)
    text += (k == 0                     ? ""
             : k + 1 == branches.size() ? " and "
                                        : ", ") +
            branch_of(network, branches[k]).path;
  return text;
}

std::string loop_text(const Network& network, const SwitchLoop& loop) {
  const bool alone = loop.switches.size() == 1;
  return (alone ? "short circuit: " : "shoot-through: ") + path_list(network, loop.switches) +
         (alone ? " closes" : " close") + " a loop with " + path_list(network, loop.supplies);
}

std::string cut_off_text(const Network& network, const FloatingInductor& floating) {
  return path_list(network, floating.gated) +
         (floating.gated.size() == 1 ? " cuts off" : " cut off") + " the current of " +
         branch_of(network, floating.branch).path;
}

void analyse_switches(const Network& network, TopologyResult& topology, Diagnostics& diagnostics) {
  const NominalValues values(network);
  check_inductance_matrices(network, values, diagnostics);
  if (network.gates.empty() && network.modes.empty()) return;
  GateRelations relations(network, values);
  for (CircuitTopology& circuit : topology.circuits) {
    if (circuit.domain != CircuitDomain::electric || circuit.singular) continue;
    const std::vector<SwitchingBranch> devices = switching_branches(network, circuit, values);
    if (devices.empty()) continue;
    check_magnitudes(network, circuit, diagnostics);
    circuit.loops =
        LoopJudge(network, devices, values, relations, diagnostics)
            .judge(find_switch_loops(network, circuit, devices, values), circuit.surges);
    circuit.floating = find_floating_inductors(network, circuit, devices);
    circuit.voltage_ratio = voltage_ratio(network, circuit, values);
  }
}

}  // namespace takt::codegen
