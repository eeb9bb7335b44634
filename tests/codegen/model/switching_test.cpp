// Switched elements and the blocks that drive them: what reaches the network.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/codegen/model/network_of.hpp"

namespace takt::codegen::test {
namespace {

using Codes = std::vector<std::string>;
using Values = std::vector<std::pair<std::string, double>>;

template <typename Item, typename Member>
const Item& item_of(const Network& network, const std::vector<Item>& items, Member symbol, const std::string& path) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const Item& item) { return network.graph().symbol(item.*symbol).path == path; });
  INFO(path);
  REQUIRE(found != items.end());
  return *found;
}

const Mode& mode_of(const Network& network, const std::string& path) {
  return item_of(network, network.modes, &Mode::symbol, path);
}
const Gate& gate_of(const Network& network, const std::string& path) {
  return item_of(network, network.gates, &Gate::symbol, path);
}
const EdgeEnergy& edge_of(const Network& network, const std::string& path) {
  return item_of(network, network.edge_energies, &EdgeEnergy::total, path);
}

/// The law of a branch at a voltage, with gates and modes.
double current(const Network& network, const std::string& branch, double voltage, Values with = {}) {
  with.emplace_back(branch + ".v", voltage);
  return value_of(network, branch_of(network, branch).law, with);
}

std::string path_of(const Network& network, SymbolId symbol) { return network.graph().symbol(symbol).path; }

/// One element between the nodes of a 10 V source, with what else it needs.
std::string plant_with(const std::string& lines, const std::string& more = {}) {
  return "[input]\nfire = { unit = \"1\", start = \"0\" }\n[electric]\nsource = { is = \"voltage_source\", at = "
         "[\"in\", \"gnd\"], v = \"10 V\" }\n" +
         lines + "\n" + more;
}

const std::string half_bridge = R"toml(
[input]
duty = { unit = "1", start = "0.5" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
high   = { is = "mosfet", at = ["in", "sw"], gate = "control.pwm.high", r_on = "5 mOhm", alpha = "0.01 1/K", e_on = [["0 A", "0 J"], ["10 A", "1 mJ"]], heat = "solid.chip" }
low    = { is = "mosfet", at = ["sw", "gnd"], gate = "control.pwm.low", r_on = "5 mOhm", heat = "solid.chip" }
load   = { is = "resistor", at = ["sw", "gnd"], r = "1 Ohm" }
[solid]
chip   = { is = "wall", m = "2 g", cp = "700 J/kg/K" }
[control]
pwm    = { is = "pwm_leg", duty = "duty", frequency = "20 kHz", dead_time = "200 ns", phase = 0.25, carrier = "sawtooth", update = "valley" }
)toml";

}  // namespace

TEST_CASE("a_switch_is_one_of_two_conductances_by_its_gate") {
  const Network network =
      network_of(plant_with("s = { is = \"switch\", at = [\"in\", \"gnd\"], gate = \"fire > 0.5 and time < 1 ms\" }"));
  const Gate& gate = gate_of(network, "electric.s.gate");
  CHECK(value_of(network, gate.signal, {{"fire", 1.0}, {"time", 0.5e-3}}) == 1.0);
  CHECK(value_of(network, gate.signal, {{"fire", 1.0}, {"time", 2e-3}}) == 0.0);
  CHECK(current(network, "electric.s", 10.0, {{"electric.s.gate", 1.0}}) == Approx(1e4));
  CHECK(current(network, "electric.s", 10.0) == Approx(1e-5));
  CHECK(branch_of(network, "electric.s").form == LawForm::through_of);
  CHECK(network.modes.empty());
}

TEST_CASE("a_constant_gate_is_a_parameter_behind_the_gate") {
  const Network network = network_of(plant_with("s = { is = \"switch\", at = [\"in\", \"gnd\"], gate = 1 }"),
                                     {{"electric.s.param.gate", "0"}});
  CHECK(value_of(network, gate_of(network, "electric.s.gate").signal) == 0.0);
  CHECK(parameter_of(network, "electric.s.param.gate") != nullptr);
}

TEST_CASE("a_diode_is_continuous_where_its_mode_changes") {
  const Network network =
      network_of(plant_with("d = { is = \"diode\", at = [\"in\", \"gnd\"], v_f = \"0.7 V\", r_on = \"10 mOhm\", r_off "
                            "= \"1 kOhm\", start = { on = 1 } }"));
  const Values on{{"electric.d.on", 1.0}};
  CHECK(current(network, "electric.d", 0.8, on) == Approx(10.0));  // (v - v_f)/r_on
  CHECK(current(network, "electric.d", -10.0) == Approx(-10e-3));  // v/r_off
  const double knee = 0.7 / (1.0 - 1e-5);
  CHECK(current(network, "electric.d", knee) == Approx(current(network, "electric.d", knee, on)).epsilon(1e-9));
  const Mode& mode = mode_of(network, "electric.d.on");
  CHECK(value_of(network, mode.turn_on, {{"electric.d.v", knee + 1e-3}}) == Approx(1e-3));
  CHECK(value_of(network, mode.turn_off, {{"electric.d.v", knee - 1e-3}}) == Approx(1e-3));
  CHECK(value_of(network, mode.start) == 1.0);
  CHECK(network.edge_energies.empty());  // e_rr is left at its default
  CHECK(value_of(network, variable_of(network, "electric.d.recovery").value) == 0.0);
}

TEST_CASE("laws_of_switched_elements_are_linear_once_modes_and_gates_are_known") {
  Network network = network_of(half_bridge);
  const Branch& high = branch_of(network, "electric.high");
  Expr conductance{}, offset{};
  REQUIRE(network.graph().split_linear(high.law, high.across, conductance, offset));
  for (const double gate : {0.0, 1.0}) {
    for (const double body : {0.0, 1.0}) {
      CHECK(value_of(network, conductance,
                     {{"electric.high.gate", gate}, {"electric.high.body_on", body}, {"solid.chip.t", 298.15}}) > 0.0);
    }
  }
}

TEST_CASE("a_mosfet_is_a_channel_and_a_body_diode") {
  const Network network = network_of(half_bridge);
  CHECK(gate_of(network, "electric.low.gate").signal == Graph(network.graph()).use(network.legs.at(0).low));
  // Backwards as well, and hotter by 100 K with alpha = 1 %/K: twice the resistance. Beside it the body diode's r_off.
  CHECK(current(network, "electric.high", -1.0, {{"electric.high.gate", 1.0}, {"solid.chip.t", 398.15}}) ==
        Approx(-100.0));
  CHECK(current(network, "electric.high", -0.8, {{"electric.high.body_on", 1.0}, {"solid.chip.t", 298.15}}) ==
        Approx(-100.0));
  const double knee = -0.7 / (1.0 - 1e-9);
  CHECK(current(network, "electric.high", knee, {{"electric.high.body_on", 1.0}}) ==
        Approx(current(network, "electric.high", knee)).epsilon(1e-6));
  const Mode& body = mode_of(network, "electric.high.body_on");
  CHECK(value_of(network, body.turn_on, {{"electric.high.v", -1.0}}) > 0.0);
  CHECK(value_of(network, body.turn_off, {{"electric.high.v", -0.5}}) > 0.0);
}

TEST_CASE("energy_at_an_edge_takes_the_voltage_before_it_and_flows_into_the_wall") {
  const Network network = network_of(half_bridge);
  REQUIRE(network.edge_energies.size() == 1);  // the tables of all others are left at their default
  const EdgeEnergy& edge = edge_of(network, "electric.high.switching");
  CHECK(path_of(network, edge.of) == "electric.high.gate");
  CHECK(edge.heat == "electric.high.heat");
  REQUIRE(edge.before.size() == 1);
  CHECK(path_of(network, edge.before[0].of) == "electric.high.v");
  // Half of 1 mJ at 5 A, at half of v_ref = 400 V.
  const Values at{{path_of(network, edge.before[0].symbol), 200.0}, {"electric.high.i", 5.0}};
  CHECK(value_of(network, edge.rise, at) == Approx(0.25e-3));
  CHECK(network.graph().is_constant(edge.fall, 0.0));
}

TEST_CASE("energy_at_an_edge_flows_into_the_liquid_that_cools_the_switch") {
  const Network network = network_of(R"(
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "400 V" }
high   = { is = "mosfet", at = ["p", "sw"], gate = "time > 1 s", heat = "fluid.plate", e_on = [["0 A", "0 J"], ["10 A", "1 mJ"]] }
load   = { is = "resistor", at = ["sw", "gnd"], r = "10 Ohm" }
[fluid]
medium = "water"
plate  = { is = "volume", v = "1 l" }
inlet  = { is = "reservoir", p = "1 bar", t = "300 K" }
hose   = { is = "pipe", at = ["inlet", "plate"], length = "1 m", diameter = "10 mm" }
)");
  REQUIRE(network.edge_energies.size() == 1);
  CHECK(network.edge_energies.front().heat == "electric.high.heat.received");
  REQUIRE(network.heat_inputs.size() == 1);
  CHECK(path_of(network, network.heat_inputs.front().received) == "electric.high.heat.received");
}

TEST_CASE("before_an_edge_stands_for_intermediate_quantities_too") {
  const Network network = network_of(R"toml(
[element.electric.mine]
param.gate = "gate"
param.r    = "Ohm > 0"
let.power  = { unit = "W", value = "v*i*(1 + 0.01 1/K*(t - 300 K))" }
branch     = { kind = "R", law = "i = v*if(gate > 0.5, 1/r, 1 uS)" }
edge.lost  = { of = "gate", fall = "before.power*1 us" }
heat       = { t = "300 K", loss = "power" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
s      = { is = "mine", at = ["in", "gnd"], gate = "time < 1 ms", r = "2 Ohm", heat = "solid.chip" }
[solid]
chip   = { is = "wall", m = "2 g", cp = "700 J/kg/K" }
)toml");
  const EdgeEnergy& edge = edge_of(network, "electric.s.lost");
  CHECK(edge.before.size() == 2);  // v and i; the temperature of the wall does not jump
  CHECK(value_of(network, edge.fall,
                 {{"electric.s.lost.before.v", 3.0}, {"electric.s.lost.before.i", 2.0}, {"solid.chip.t", 400.0}}) ==
        Approx(12e-6));
  CHECK(network.graph().is_constant(edge.rise, 0.0));
}

TEST_CASE("a_leg_follows_its_duty_without_a_period") {
  const Network network = network_of(half_bridge);
  CHECK(network.blocks.empty());
  REQUIRE(network.legs.size() == 1);
  const PwmLeg& leg = network.legs[0];
  CHECK(leg.path == "control.pwm");
  CHECK(path_of(network, leg.high) == "control.pwm.high");
  CHECK(leg.duty == Graph(network.graph()).use(network.inputs[0].symbol));
  CHECK(value_of(network, leg.frequency) == Approx(20e3));
  CHECK(value_of(network, leg.dead_time) == Approx(200e-9));
  CHECK(value_of(network, leg.phase) == 0.25);
  CHECK(leg.carrier == takt::Carrier::sawtooth);
  CHECK(leg.update == takt::DutyUpdate::valley);
  CHECK_FALSE(parameter_of(network, "control.pwm.frequency")->structural);
}

TEST_CASE("words_of_a_leg_can_be_set_and_have_defaults") {
  const Network set =
      network_of(half_bridge, {{"control.pwm.carrier", "triangle"}, {"control.pwm.update", "continuous"}});
  CHECK(set.legs[0].carrier == takt::Carrier::triangle);
  CHECK(set.legs[0].update == takt::DutyUpdate::continuous);
  CHECK(codes_of(half_bridge, {{"control.pwm.carrier", "sine"}}) == Codes{"M034"});
  const Network plain =
      network_of(plant_with("s = { is = \"switch\", at = [\"in\", \"gnd\"], gate = \"control.p.low\" }",
                            "[control]\np = { is = \"pwm_leg\", duty = 0.5, frequency = \"1 kHz\" }\n"));
  CHECK(plain.legs[0].carrier == takt::Carrier::triangle);
  CHECK(plain.legs[0].update == takt::DutyUpdate::both);
}

TEST_CASE("an_igbt_never_conducts_backwards_and_its_diode_does") {
  const Network network = network_of(plant_with(
      R"toml(q = { is = "igbt", at = ["in", "gnd"], gate = "control.late", v_ce0 = "0.8 V", r_ce = "5 mOhm", v_f = "0.9 V", r_d = "4 mOhm", e_off = [["0 A", "0 J"], ["100 A", "10 mJ"]], e_rr = [["0 A", "0 J"], ["100 A", "2 mJ"]] })toml",
      "[control]\nlate = { is = \"gate_edge\", level = \"fire\", delay = \"3 us\" }\n"));
  const Values conducts{{"electric.q.gate", 1.0}, {"electric.q.on", 1.0}};
  CHECK(current(network, "electric.q", 1.3, conducts) == Approx(100.0));
  CHECK(current(network, "electric.q", 1.3, {{"electric.q.gate", 1.0}}) == Approx(2.6e-6));  // r_off twice
  CHECK(current(network, "electric.q", 1.3, {{"electric.q.on", 1.0}}) ==
        Approx(2.6e-6));  // a gate that falls ends it at once
  CHECK(current(network, "electric.q", -1.3, {{"electric.q.diode_on", 1.0}}) == Approx(-100.0));
  const Mode& on = mode_of(network, "electric.q.on");
  CHECK(value_of(network, on.turn_on, {{"electric.q.gate", 1.0}, {"electric.q.v", 5.0}}) > 0.0);
  CHECK(value_of(network, on.turn_on, {{"electric.q.v", 5.0}}) < 0.0);
  CHECK(value_of(network, on.turn_off, {{"electric.q.v", 5.0}}) <
        0.0);  // kept while the gate is 0, so that no edge is tried twice
  CHECK(value_of(network, on.turn_off, {{"electric.q.gate", 1.0}, {"electric.q.v", -1.0}}) > 0.0);
  const EdgeEnergy& switching = edge_of(network, "electric.q.switching");
  CHECK(switching.heat.empty());  // counted all the same
  CHECK(value_of(network, switching.fall, {{"electric.q.switching.before.i", 50.0}, {"electric.q.v", 300.0}}) ==
        Approx(2.5e-3));
  const EdgeEnergy& recovery = edge_of(network, "electric.q.recovery");
  CHECK(path_of(network, recovery.of) == "electric.q.diode_on");
  CHECK(value_of(network, recovery.fall, {{"electric.q.recovery.before.i", -50.0}, {"electric.q.v", 600.0}}) ==
        Approx(1e-3));
  REQUIRE(network.timed_gates.size() == 1);
  CHECK(path_of(network, network.timed_gates[0].symbol) == "control.late.out");
  CHECK(value_of(network, network.timed_gates[0].delay) == Approx(3e-6));
}

TEST_CASE("a_thyristor_needs_gate_and_voltage_to_turn_on_and_a_current_to_stay") {
  const Network network = network_of(plant_with(
      "t = { is = \"thyristor\", at = [\"in\", \"gnd\"], gate = \"fire\", v_f = \"1 V\", r_on = \"10 mOhm\" }"));
  const Mode& on = mode_of(network, "electric.t.on");
  CHECK(value_of(network, on.turn_on, {{"electric.t.gate", 1.0}, {"electric.t.v", 5.0}}) == Approx(4.0));
  CHECK(value_of(network, on.turn_on, {{"electric.t.gate", 1.0}, {"electric.t.v", 0.5}}) < 0.0);
  CHECK(value_of(network, on.turn_on, {{"electric.t.v", 5.0}}) < 0.0);
  CHECK(value_of(network, on.turn_off, {{"electric.t.i", 2.0}}) < 0.0);  // without gate too
  CHECK(value_of(network, on.turn_off, {{"electric.t.i", -1e-3}}) > 0.0);
  CHECK(current(network, "electric.t", 1.1, {{"electric.t.on", 1.0}}) == Approx(10.0));
}

TEST_CASE("iterating_the_point_of_an_exponential_diode_solves_its_equation") {
  const Network network =
      network_of(plant_with("d = { is = \"diode_exponential\", at = [\"in\", \"gnd\"], i_s = \"1e-12 A\", emission = "
                            "1.5, r_s = \"0.1 Ohm\" }"));
  REQUIRE(network.points.size() == 1);
  const OperatingPoint& point = network.points[0];
  CHECK(value_of(network, point.tolerance) == 1e-6);
  const double v_te = 1.5 * 8.617333262e-5 * 300.15;
  for (const double voltage : {-100.0, 0.3, 0.9, 5.0, 1000.0}) {
    double s = 0.0, i = 0.0;
    int iterations = 0;
    for (double change = 1.0; change > 1e-6; ++iterations) {
      REQUIRE(iterations < 100);
      i = current(network, "electric.d", voltage, {{"electric.d.s", s}});
      const double next =
          value_of(network, point.next, {{"electric.d.v", voltage}, {"electric.d.i", i}, {"electric.d.s", s}});
      change = std::abs(next - s);
      s = next;
    }
    const double junction = voltage - 0.1 * i;
    const double shockley = 1e-12 * std::expm1(junction / v_te) + 1e-12 * junction;
    // Newton's last step was below 1 uV, which leaves (1e-6/v_te)^2/2 of the current, and rounding of the junction
    // voltage.
    CHECK(i == Approx(shockley).epsilon(1e-9).margin(1e-15));
  }
}

TEST_CASE("transformers_and_coupled_inductors_keep_flux_and_power") {
  const Network network = network_of(plant_with(R"toml(
series = { is = "resistor", at = ["in", "a"], r = "1 Ohm" }
real   = { is = "transformer", at = ["a", "gnd", "b", "gnd"], ratio = 5, l_m = "1 mH" }
ideal  = { is = "ideal_transformer", at = ["b", "gnd", "c", "gnd"], ratio = "1/2" }
pair   = { is = "coupled_inductors", at = ["c", "gnd", "d", "gnd"], l_1 = "1 mH", l_2 = "4 mH", k_coupling = 0.5 }
load   = { is = "resistor", at = ["d", "gnd"], r = "1 Ohm" })toml"));
  REQUIRE(network.two_ports.size() == 2);
  CHECK(network.two_ports[0].ratio == 5.0);
  CHECK(network.two_ports[1].ratio == 0.5);
  CHECK(value_of(network, branch_of(network, "electric.real.magnetising").law,
                 {{"electric.real.magnetising.i", 2.0}}) == Approx(2e-3));
  const Values currents{{"electric.pair.primary.i", 1.0}, {"electric.pair.secondary.i", 2.0}};
  CHECK(value_of(network, branch_of(network, "electric.pair.primary").law, currents) ==
        Approx(1e-3 * 1.0 + 1e-3 * 2.0));
  CHECK(value_of(network, branch_of(network, "electric.pair.secondary").law, currents) ==
        Approx(1e-3 * 1.0 + 4e-3 * 2.0));
  const double energy = value_of(network, branch_of(network, "electric.pair.primary").energy.value(), currents) +
                        value_of(network, branch_of(network, "electric.pair.secondary").energy.value(), currents);
  CHECK(energy == Approx(0.5 * 1e-3 + 1e-3 * 2.0 + 0.5 * 4e-3 * 4.0));
}

TEST_CASE("three_phases_sum_to_zero") {
  const Network network = network_of(R"toml(
[electric]
grid = { is = "voltage_source_3ph", at = ["a", "b", "c", "gnd"], amplitude = "325 V", frequency = "50 Hz", phase = 0.3 }
star = { is = "r_load_3ph", at = ["a", "b", "c", "s"], r = "10 Ohm" }
coil = { is = "rl_load_3ph", at = ["a", "b", "c", "s"], r = "2 Ohm", l = "5 mH" }
)toml");
  for (const double time : {0.0, 1e-3, 7.7e-3}) {
    double sum = 0.0;
    for (const std::string phase : {"a", "b", "c"})
      sum += value_of(network, branch_of(network, "electric.grid." + phase).law, {{"time", time}});
    CHECK(std::abs(sum) < 1e-10);
  }
  // b follows a a third of a period later.
  CHECK(value_of(network, branch_of(network, "electric.grid.b").law, {{"time", 1e-3 + 0.02 / 3.0}}) ==
        Approx(value_of(network, branch_of(network, "electric.grid.a").law, {{"time", 1e-3}})));
  CHECK(current(network, "electric.star.c", 20.0) == Approx(2.0));
  CHECK(branch_of(network, "electric.coil.l_b").from == branch_of(network, "electric.coil.r_b").to);
}

TEST_CASE("switched_elements_and_legs_repeat_in_arrays_and_parts") {
  const Network network = network_of(R"toml(
[part.leg]
param    = { gate_high = "gate", gate_low = "gate" }
terminal = ["p", "n", "out"]
[part.leg.electric]
high = { is = "igbt", at = ["p", "out"], gate = "gate_high" }
low  = { is = "igbt", at = ["out", "n"], gate = "gate_low" }
[parts]
bridge = { of = "leg", at = ["in", "gnd", "phase[i]"], gate_high = "control.pwm[i].high", gate_low = "control.pwm[i].low", n = 3 }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "600 V" }
load   = { is = "r_load_3ph", at = ["phase[0]", "phase[1]", "phase[2]", "star"], r = "10 Ohm" }
[control]
pwm    = { is = "pwm_leg", duty = "0.5 + 0.4*sin(2*pi*50 Hz*time - i*2*pi/3)", frequency = "10 kHz", n = 3 }
)toml");
  REQUIRE(network.legs.size() == 3);
  CHECK(network.gates.size() == 6);
  CHECK(network.modes.size() == 12);
  CHECK(gate_of(network, "electric.bridge[2].low.gate").signal == Graph(network.graph()).use(network.legs[2].low));
}

TEST_CASE("a_sync_group_may_name_control_where_there_are_only_legs") {
  const std::string sync = "[sync]\nplant = { members = [\"electric\", \"control\"], every = \"100 us\" }\n";
  const Network network = network_of(half_bridge + sync);
  CHECK(network.sync[0].members == std::vector<std::string>{"electric"});  // legs are part of what they switch
  CHECK(codes_of(half_bridge + "[sync]\nplant = { members = [\"electric\", \"contrl\"], every = \"100 us\" }\n") ==
        Codes{"S005"});
}

TEST_CASE("gates_modes_and_points_can_be_named") {
  const Network network = network_of(plant_with(R"toml(d = { is = "diode", at = ["in", "x"] }
s = { is = "switch", at = ["x", "gnd"], gate = "control.p.high" })toml",
                                                R"toml([control]
p = { is = "pwm_leg", duty = 0.5, frequency = "1 kHz" }
conducts = { is = "expression", of = "electric.d.on*electric.s.gate + p.low", every = "1 ms" })toml"));
  const Expr value = network.blocks[0].outputs[0].value;
  CHECK(network.graph().depends_on(value, mode_of(network, "electric.d.on").symbol));
  CHECK(network.graph().depends_on(value, gate_of(network, "electric.s.gate").symbol));
  CHECK(network.graph().depends_on(value, network.legs[0].low));
}

}  // namespace takt::codegen::test
