// Loops that switches close and inductors that they leave without a path, in circuits made of the real library.

#include "codegen/topology/switch_rules.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "codegen/topology/mode_kinds.hpp"
#include "tests/codegen/model/network_of.hpp"

namespace takt::codegen::test {
namespace {

struct Analysed {
  Network network;
  CircuitTopology circuit;  // the electric one
  Diagnostics diagnostics;

  [[nodiscard]] std::vector<std::string> codes() const {
    std::vector<std::string> found;
    for (const Diagnostic& finding : diagnostics.all()) found.push_back(finding.code);
    return found;
  }
  [[nodiscard]] const FloatingInductor* floating(const std::string& path) const {
    const auto found = std::find_if(circuit.floating.begin(), circuit.floating.end(), [&](const FloatingInductor& f) {
      return network.branches[static_cast<std::size_t>(f.branch)].path == path;
    });
    return found == circuit.floating.end() ? nullptr : &*found;
  }
};

Analysed analysed(const std::string& text) {
  Analysed result{network_of(text), {}, {}};
  Diagnostics scratch;
  TopologyResult topology = analyse_topology(result.network, scratch);
  REQUIRE_FALSE(scratch.has_errors());
  analyse_switches(result.network, topology, result.diagnostics);
  for (CircuitTopology& circuit : topology.circuits)
    if (circuit.domain == CircuitDomain::electric) result.circuit = circuit;
  return result;
}

using Codes = std::vector<std::string>;

std::string half_bridge(const std::string& device, const std::string& high, const std::string& low,
                        const std::string& control) {
  return "[input]\nx = { unit = \"1\", start = \"0\" }\n[electric]\n"
         "source = { is = \"voltage_source\", at = [\"p\", \"gnd\"], v = \"400 V\" }\n"
         "high = { is = \"" +
         device + "\", at = [\"p\", \"a\"], gate = \"" + high +
         "\" }\n"
         "low = { is = \"" +
         device + "\", at = [\"a\", \"gnd\"], gate = \"" + low +
         "\" }\n"
         "l = { is = \"inductor\", at = [\"a\", \"b\"], l = \"1 mH\" }\n"
         "r = { is = \"resistor\", at = [\"b\", \"gnd\"], r = \"10 Ohm\" }\n[control]\n" +
         control;
}

const std::string leg = R"toml(leg = { is = "pwm_leg", duty = "x", frequency = "10 kHz", dead_time = "1 us" }
)toml";
const std::string hasty_leg = R"toml(leg = { is = "pwm_leg", duty = "x", frequency = "10 kHz" }
)toml";

TEST_CASE("outputs_of_one_leg_never_short_the_supply") {
  const Analysed plant = analysed(half_bridge("mosfet", "control.leg.high", "control.leg.low", leg));
  CHECK(plant.codes().empty());
  CHECK(plant.circuit.loops.empty());
  CHECK(analysed(half_bridge("igbt", "control.leg.high and x > 0.5", "control.leg.low", leg)).codes().empty());
}

TEST_CASE("a_leg_of_transistors_without_dead_time_is_noted") {
  CHECK(analysed(half_bridge("mosfet", "control.leg.high", "control.leg.low", hasty_leg)).codes() == Codes{"W004"});
  CHECK(analysed(half_bridge("switch", "control.leg.high", "control.leg.low", hasty_leg)).codes().empty());
}

TEST_CASE("a_signal_and_its_opposite_never_short_the_supply") {
  CHECK(analysed(half_bridge("igbt", "x > 0.5", "not (x > 0.5)", "")).codes().empty());
  CHECK(analysed(half_bridge("igbt", "x", "1 - x", "")).codes().empty());
  CHECK(analysed(half_bridge("igbt", "x > 0.3", "x <= 0.3", "")).codes().empty());
  CHECK(analysed(half_bridge("igbt", "x", "x", "")).codes() == Codes{"W001"});
}

TEST_CASE("gates_that_follow_time_are_looked_at") {
  const auto gate = [](const char* from) { return "mod(time + " + std::string(from) + ", 100 us) < 45 us"; };
  const Analysed apart = analysed(half_bridge("igbt", gate("0 us"), gate("50 us"), ""));
  CHECK(apart.codes().empty());
  CHECK(apart.circuit.loops.size() == 1);  // watched all the same
  const Analysed together = analysed(half_bridge("igbt", gate("0 us"), gate("10 us"), ""));
  CHECK(together.codes() == Codes{"W001"});
}

TEST_CASE("a_loop_is_closed_where_all_its_switches_conduct_because_of_their_gates") {
  const Analysed plant = analysed(half_bridge("igbt", "x", "x > 0.2", ""));
  REQUIRE(plant.circuit.loops.size() == 1);
  const SwitchLoop& loop = plant.circuit.loops.front();
  CHECK(loop.resistance == Approx(0.01));  // 5 mOhm each
  CHECK(loop_text(plant.network, loop) ==
        "shoot-through: electric.high and electric.low close a loop with electric.source");
  const auto closed = [&](double high, double high_on, double low, double low_on) {
    return value_of(plant.network, loop.closed,
                    {{"electric.high.gate", high},
                     {"electric.high.on", high_on},
                     {"electric.low.gate", low},
                     {"electric.low.on", low_on},
                     {"electric.high.diode_on", 1.0}});
  };
  CHECK(closed(1, 1, 1, 1) == 1.0);
  CHECK(closed(1, 1, 0, 0) == 0.0);
  CHECK(closed(1, 0, 1, 1) == 0.0);  // the diode of the upper one does not count
  const Analysed mosfets = analysed(half_bridge("mosfet", "x", "x > 0.2", ""));
  CHECK(value_of(mosfets.network, mosfets.circuit.loops.front().closed,
                 {{"electric.high.gate", 1.0}, {"electric.low.gate", 1.0}}) == 1.0);
  const Analysed thyristors = analysed(half_bridge("thyristor", "x", "x > 0.2", ""));
  CHECK(value_of(thyristors.network, thyristors.circuit.loops.front().closed,
                 {{"electric.high.on", 1.0}, {"electric.low.on", 1.0}}) == 1.0);
}

TEST_CASE("switches_that_block_each_other_close_no_loop") {
  const Analysed plant = analysed(R"toml([input]
x = { unit = "1", start = "0" }
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "325 V*sin(2*pi*50 Hz*time)" }
t1 = { is = "thyristor", at = ["p", "out"], gate = "x" }
t2 = { is = "thyristor", at = ["gnd", "out"], gate = "x" }
load = { is = "resistor", at = ["out", "n"], r = "10 Ohm" }
back = { is = "diode", at = ["n", "p"] }
back2 = { is = "diode", at = ["n", "gnd"] }
)toml");
  CHECK(plant.codes().empty());
}

TEST_CASE("a_resistor_in_the_loop_ends_the_matter") {
  const Analysed plant = analysed(R"toml([input]
x = { unit = "1", start = "0" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
lead = { is = "resistor", at = ["in", "p"], r = "1 Ohm" }
high = { is = "mosfet", at = ["p", "a"], gate = "x" }
low = { is = "mosfet", at = ["a", "gnd"], gate = "x" }
load = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }
)toml");
  CHECK(plant.codes().empty());
  CHECK(plant.circuit.loops.empty());
}

TEST_CASE("capacitors_joined_by_a_switch_are_noted_and_not_counted") {
  const Analysed plant = analysed(R"toml([electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
charge = { is = "switch", at = ["in", "x"], gate = "mod(time, 1 ms) < 0.4 ms" }
pump = { is = "switch", at = ["x", "out"], gate = "mod(time + 0.5 ms, 1 ms) < 0.4 ms" }
flying = { is = "capacitor", at = ["x", "gnd"], c = "1 uF" }
out = { is = "capacitor", at = ["out", "gnd"], c = "1 uF" }
load = { is = "resistor", at = ["out", "gnd"], r = "1 kOhm" }
)toml");
  CHECK(plant.codes() == Codes{"W003", "W003"});
  CHECK(plant.diagnostics.all().front().severity == Severity::note);
  CHECK(plant.circuit.loops.empty());
}

const std::string buck = R"toml([electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
s = { is = "switch", at = ["in", "sw"], gate = "mod(time, 50 us) < 20 us" }
choke = { is = "inductor", at = ["sw", "out"], l = "47 uH" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "220 uF" }
load = { is = "resistor", at = ["out", "gnd"], r = "1 Ohm" }
)toml";

TEST_CASE("a_freewheeling_diode_takes_the_current_over") {
  const Analysed with = analysed(buck + "d = { is = \"diode\", at = [\"gnd\", \"sw\"] }\n");
  const FloatingInductor* choke = with.floating("electric.choke");
  REQUIRE(choke != nullptr);
  CHECK(choke->commutates);
  CHECK(choke->interrupts);  // a current that flows backwards
  CHECK(choke->gated.size() == 1);
  CHECK(choke->diodes.size() == 1);
  const Analysed wrong_way = analysed(buck + "d = { is = \"diode\", at = [\"sw\", \"gnd\"] }\n");
  CHECK(wrong_way.floating("electric.choke")->commutates);  // of the current the other way
  const Analysed without = analysed(buck);
  CHECK(without.floating("electric.choke")->interrupts);
  CHECK_FALSE(without.floating("electric.choke")->commutates);
}

TEST_CASE("a_snubber_or_a_parallel_resistor_is_a_path") {
  CHECK(analysed(buck + "r = { is = \"resistor\", at = [\"in\", \"sw\"], r = \"1 kOhm\" }\n").circuit.floating.empty());
  CHECK(analysed(buck + "rs = { is = \"resistor\", at = [\"in\", \"m\"], r = \"1 kOhm\" }\ncs = { is = \"capacitor\", "
                        "at = [\"m\", \"sw\"], c = \"1 nF\" }\n")
            .circuit.floating.empty());
}

TEST_CASE("a_half_bridge_of_transistors_with_diodes_interrupts_nothing") {
  for (const char* device : {"mosfet", "igbt"}) {
    const Analysed plant = analysed(half_bridge(device, "control.leg.high", "control.leg.low", leg));
    const FloatingInductor* l = plant.floating("electric.l");
    REQUIRE(l != nullptr);
    CHECK_FALSE(l->interrupts);
    CHECK(l->commutates);
  }
}

TEST_CASE("diodes_alone_end_a_current_by_themselves") {
  const Analysed plant = analysed(R"toml([electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "325 V*sin(2*pi*50 Hz*time)" }
d = { is = "diode", at = ["in", "a"] }
l = { is = "inductor", at = ["a", "b"], l = "10 mH" }
load = { is = "resistor", at = ["b", "gnd"], r = "1 Ohm" }
)toml");
  REQUIRE(plant.floating("electric.l") != nullptr);
  CHECK_FALSE(plant.floating("electric.l")->interrupts);
  CHECK(plant.floating("electric.l")->diodes.size() == 1);
}

TEST_CASE("the_secondary_of_a_flyback_takes_the_magnetising_current_over") {
  const std::string flyback = R"toml([electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "48 V" }
s = { is = "switch", at = ["sw", "gnd"], gate = "mod(time, 50 us) < 20 us" }
t = { is = "transformer", at = ["in", "sw", "gnd", "x"], ratio = 4, l_m = "200 uH" }
c = { is = "capacitor", at = ["out", "gnd"], c = "470 uF" }
load = { is = "resistor", at = ["out", "gnd"], r = "2 Ohm" }
)toml";
  const Analysed plant = analysed(flyback + "d = { is = \"diode\", at = [\"x\", \"out\"] }\n");
  REQUIRE(plant.floating("electric.t.magnetising") != nullptr);
  CHECK(plant.floating("electric.t.magnetising")->commutates);
  CHECK(plant.circuit.voltage_ratio == Approx(4.0));
}

TEST_CASE("voltages_of_coupled_inductors_are_raised_by_their_turns_ratio") {
  const Analysed plant = analysed(R"toml([electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "48 V" }
s = { is = "switch", at = ["sw", "gnd"], gate = "mod(time, 50 us) < 20 us" }
t = { is = "coupled_inductors", at = ["in", "sw", "gnd", "x"], l_1 = "160 uH", l_2 = "10 uH" }
d = { is = "diode", at = ["x", "gnd"] }
)toml");
  CHECK(plant.circuit.voltage_ratio == Approx(4.0));
  CHECK(plant.codes().empty());
}

TEST_CASE("windings_that_are_coupled_too_closely_are_refused") {
  const auto coupled = [](const char* k) {
    return "[electric]\nsource = { is = \"voltage_source\", at = [\"in\", \"gnd\"], v = \"48 V\" }\n"
           "t = { is = \"coupled_inductors\", at = [\"in\", \"gnd\", \"x\", \"gnd\"], l_1 = \"160 uH\", l_2 = \"10 "
           "uH\", k_coupling = " +
           std::string(k) +
           " }\n"
           "r = { is = \"resistor\", at = [\"x\", \"gnd\"], r = \"1 Ohm\" }\n";
  };
  CHECK(analysed(coupled("0.999999")).codes().empty());
  CHECK(analysed(coupled("0.99999999999999989")).codes() == Codes{"T013"});
}

TEST_CASE("modes_that_follow_the_circuit_are_told_from_those_that_remember") {
  const Network network = network_of(R"toml([input]
x = { unit = "1", start = "0" }
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "400 V" }
warm = { is = "igbt", at = ["p", "a"], gate = "x", alpha = "0.001 1/K", heat = "solid.chip" }
diode = { is = "diode", at = ["gnd", "a"], v_f = "0.8 V", alpha = "-0.001 1/K", heat = "solid.chip" }
fet = { is = "mosfet", at = ["a", "b"], gate = "x" }
fired = { is = "thyristor", at = ["a", "b"], gate = "x", v_f = "1 V" }
holding = { is = "scr", at = ["a", "b"], gate = "x" }
schmitt = { is = "hysteresis", at = ["b", "gnd"] }
current = { is = "limit", at = ["a", "b"], i_c = "electric.l.i" }
l = { is = "inductor", at = ["b", "c"], l = "1 mH" }
r = { is = "resistor", at = ["c", "gnd"], r = "10 Ohm" }
[solid]
chip = { is = "wall", m = "1 kg", cp = "1 J/kg/K" }
[element.electric.scr]
doc = "holding current"
source = "test"
param.gate = "gate"
mode.on = { on = "if(gate > 0.5, v - 1 V, -1 V)", off = "0.1 A - i" }
branch = { kind = "R", law = "i = v*if(on > 0.5, 1/(10 mOhm), 1/(1 MOhm))" }
[element.electric.hysteresis]
doc = "own voltage"
source = "test"
mode.on = { on = "v - 6 V", off = "3 V - v" }
branch = { kind = "R", law = "i = v*if(on > 0.5, 1/(1 Ohm), 1/(1 MOhm))" }
[element.electric.limit]
doc = "another element's current"
source = "test"
param = { i_c = "A" }
mode.on = { on = "1 A - i_c", off = "i_c - 1 A" }
branch = { kind = "R", law = "i = v*if(on > 0.5, 1/(1 Ohm), 1/(1 MOhm))" }
)toml");
  const NominalValues values(network);
  const ModeKinds kinds(network, values);
  const auto kind_of = [&](const std::string& path) {
    const auto mode = std::find_if(network.modes.begin(), network.modes.end(),
                                   [&](const Mode& m) { return network.graph().symbol(m.symbol).path == path; });
    REQUIRE(mode != network.modes.end());
    return kinds.of(*mode);
  };
  for (const char* path : {"electric.warm.on", "electric.warm.diode_on", "electric.diode.on", "electric.fet.body_on"})
    CHECK(kind_of(path) == ModeKind::follows);
  CHECK(kind_of("electric.fired.on") == ModeKind::fired);
  for (const char* path : {"electric.holding.on", "electric.schmitt.on", "electric.current.on"})
    CHECK(kind_of(path) == ModeKind::latched);
}

}  // namespace
}  // namespace takt::codegen::test
