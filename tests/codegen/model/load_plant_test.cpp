// Elements, values and names of a plant file.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/codegen/model/network_of.hpp"
#include "tests/runtime/support/places.hpp"

namespace takt::codegen::test {
namespace {

const std::string low_pass = R"toml(
[plant]
title = "RC"
duration = "20 ms"
[input]
offset = { unit = "mV", start = "500 mV", safe = "0 V" }
[parameters]
v_in = "24 V"
half = "v_in/2"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "half + offset" }
load   = { is = "resistor", at = ["in", "out"], r = "1 kOhm" }
smooth = { is = "capacitor", at = { n = "gnd", p = "out" }, c = "220 uF", start = { v = "v_in/4" } }
[solve]
electric = { step = "10 us", method = "rk4", newton = 5 }
[sync]
plant = { members = ["electric"], every = "1 ms", order = 0 }
[record]
"1 ms" = ["electric.*.v"]
)toml";

}  // namespace

TEST_CASE("a_circuit_becomes_nodes_and_branches_in_si") {
  const Network network = network_of(low_pass);
  CHECK(network.name == "test");
  CHECK(network.title == "RC");
  CHECK(network.default_duration_ns == 20'000'000);
  REQUIRE(network.branches.size() == 3);
  const Branch& smooth = branch_of(network, "electric.smooth");
  CHECK(smooth.kind == BranchKind::across_storage);
  CHECK(smooth.form == LawForm::stored_of);
  CHECK(network.nodes[static_cast<std::size_t>(smooth.from)].path == "electric.out");
  CHECK(network.nodes[static_cast<std::size_t>(smooth.to)].reference);
  CHECK(value_of(network, smooth.law, {{"electric.smooth.v", 10.0}}) == Approx(2.2e-3));
  CHECK(value_of(network, smooth.energy.value(), {{"electric.smooth.v", 10.0}}) == Approx(0.5 * 220e-6 * 100.0));
  CHECK(value_of(network, smooth.start.value()) == Approx(6.0));
  CHECK(network.graph().symbol(smooth.stored.value()).path == "electric.smooth.q");
}

TEST_CASE("inputs_are_symbols_with_start_and_safe_value") {
  const Network network = network_of(low_pass);
  REQUIRE(network.inputs.size() == 1);
  CHECK(network.inputs[0].start == Approx(0.5));
  CHECK(network.inputs[0].safe == 0.0);
  CHECK(network.graph().symbol(network.inputs[0].symbol).unit == "V");
  CHECK(value_of(network, branch_of(network, "electric.source").law, {{"offset", 0.25}}) == Approx(12.25));
}

TEST_CASE("settings_are_read_with_exact_durations") {
  const Network network = network_of(low_pass);
  REQUIRE(network.solve.size() == 1);
  CHECK(network.solve[0].step_ns == 10'000);
  CHECK(network.solve[0].method == "rk4");
  CHECK(network.solve[0].newton_iterations == 5);
  REQUIRE(network.sync.size() == 1);
  CHECK(network.sync[0].period_ns == 1'000'000);
  CHECK(network.sync[0].members == std::vector<std::string>{"electric"});
  CHECK(network.sync[0].order == 0);
  REQUIRE(network.record.size() == 1);
  CHECK(network.record[0].patterns == std::vector<std::string>{"electric.*.v"});
}

TEST_CASE("constants_stay_tunable_and_derived_values_follow") {
  const Network network = network_of(low_pass);
  const Parameter* capacitance = parameter_of(network, "electric.smooth.c");
  REQUIRE(capacitance != nullptr);
  CHECK(capacitance->value == Approx(220e-6));
  CHECK(capacitance->unit_text == "uF");
  CHECK_FALSE(capacitance->structural);
  CHECK(parameter_of(network, "half") == nullptr);  // an expression of v_in, put in its place
  const Expr law = branch_of(network, "electric.source").law;
  CHECK(network.graph().depends_on(law, parameter_of(network, "v_in")->symbol));
}

TEST_CASE("set_overrides_parameters_of_the_plant_and_of_elements") {
  const Network network = network_of(low_pass, {{"v_in", "48V"}, {"electric.smooth.c", "1 mF"}});
  CHECK(value_of(network, branch_of(network, "electric.source").law) == Approx(24.0));
  CHECK(parameter_of(network, "electric.smooth.c")->value == Approx(1e-3));
  const Network derived = network_of(low_pass, {{"half", "1 V"}});
  CHECK(value_of(derived, branch_of(derived, "electric.source").law) == Approx(1.0));
}

TEST_CASE("set_is_checked_like_the_file") {
  using Codes = std::vector<std::string>;
  CHECK(codes_of(low_pass, {{"v_in", "48 A"}}) == Codes{"U004"});
  CHECK(codes_of(low_pass, {{"v_in", "48"}}) == Codes{"U005"});
  CHECK(codes_of(low_pass, {{"v_inn", "48 V"}}) == Codes{"M032"});
  CHECK(codes_of(low_pass, {{"electric.load.r", "-1 Ohm"}}) == Codes{"U006"});
  CHECK(codes_of(low_pass, {{"v_in", "(48 V"}}) == Codes{"E004"});
}

TEST_CASE("a_parameter_hides_the_variable_of_its_name_in_the_law_only") {
  const Network network = network_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
load   = { is = "resistor", at = ["in", "gnd"], r = "electric.source.v/(2 A)" }
)toml");
  CHECK(parameter_of(network, "electric.source.param.v")->value == 24.0);
  const Branch& source = branch_of(network, "electric.source");
  CHECK(value_of(network, source.law) == 24.0);
  CHECK(network.graph().depends_on(branch_of(network, "electric.load").law, source.across));
}

TEST_CASE("heat_port_couples_temperature_and_loss") {
  const Network network = network_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
load   = { is = "resistor", at = ["in", "gnd"], r = "2 Ohm", alpha = "0.01 1/K", heat = "solid.chip" }
cold   = { is = "resistor", at = ["in", "gnd"], r = "2 Ohm", alpha = "0.01 1/K" }
[solid]
chip = { is = "wall", m = "2 g", cp = "700 J/kg/K", start = { t = "25 degC" } }
)toml");
  const Branch& load = branch_of(network, "electric.load");
  CHECK(value_of(network, load.law, {{"electric.load.i", 3.0}, {"solid.chip.t", 308.15}}) == Approx(6.6));
  const Branch& heat = branch_of(network, "electric.load.heat");
  CHECK(heat.kind == BranchKind::through_source);
  CHECK(network.nodes[static_cast<std::size_t>(heat.from)].reference);
  CHECK(network.nodes[static_cast<std::size_t>(heat.to)].path == "solid.chip");
  const ElementVariable& loss = variable_of(network, "electric.load.loss");
  CHECK(heat.law == Graph(network.graph()).use(loss.symbol));
  CHECK(value_of(network, loss.value, {{"electric.load.v", 6.0}, {"electric.load.i", 3.0}}) == 18.0);
  CHECK(value_of(network, branch_of(network, "electric.cold").law, {{"electric.cold.i", 3.0}}) == Approx(6.0));
  CHECK(value_of(network, branch_of(network, "solid.chip").start.value()) == Approx(298.15));
  CHECK(network.branches.size() == 5);  // nothing for the heat port that is not connected
}

TEST_CASE("machine_reaches_into_three_domains") {
  const Network network = network_of(R"toml(
[electric]
supply = { is = "voltage_source", at = ["a", "gnd"], v = "12 V" }
motor  = { is = "dc_machine", at = ["a", "gnd", "rotational.shaft"], r = "1 Ohm", l = "1 mH", k = "0.1 N*m/A", heat = "winding" }
[rotational]
shaft  = { is = "inertia", at = ["shaft"], j = "0.01 kg*m^2" }
wheel  = { is = "wheel", at = ["shaft", "translational.road"], radius = "30 cm" }
[translational]
body   = { is = "mass", at = ["road"], m = "10 kg" }
[solid]
winding = { is = "lumped_wall" }
outside = { is = "temperature_boundary", t = "20 degC" }
film    = { is = "heat_transfer", at = ["winding", "outside"], c = "2 W/K" }
)toml");
  const Branch& shaft = branch_of(network, "electric.motor.shaft");
  CHECK(shaft.domain == Domain::rotational);
  // What another domain receives is one variable of the element, so that it can be exchanged as a flux.
  CHECK(network.graph().node(shaft.law).op == Op::symbol);
  CHECK(value_of(network, variable_of(network, "electric.motor.shaft.source").value,
                 {{"electric.motor.armature.i", 5.0}}) == Approx(-0.5));
  CHECK(value_of(network, branch_of(network, "electric.motor.emf").law, {{"electric.motor.shaft.w", 7.0}}) ==
        Approx(0.7));
  REQUIRE(network.two_ports.size() == 1);
  CHECK(network.two_ports[0].ratio == Approx(1.0 / 0.3));
  CHECK(parameter_of(network, "rotational.wheel.radius")->structural);
  // The element has the name of the node: the path means the element.
  CHECK(network.graph().find_symbol("rotational.shaft.node.w").has_value());
}

TEST_CASE("control_blocks_read_each_other_and_the_plant") {
  const Network network = network_of(R"toml(
[input]
v_ref = { unit = "V", start = "5 V" }
[parameters]
period = "2 ms"
[control]
every     = "period"
regulator = { is = "pi", of = "v_ref - electric.smooth.v", kp = 2, ki = 10, min = 0, max = 20 }
half      = { is = "expression", of = "regulator/2", every = "1 ms" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "control.half" }
load   = { is = "resistor", at = ["in", "out"], r = "1 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "1 mF" }
)toml");
  REQUIRE(network.blocks.size() == 2);
  const ControlBlock& regulator = network.blocks[0];
  CHECK(regulator.period_ns == 2'000'000);
  CHECK(network.blocks[1].period_ns == 1'000'000);
  CHECK(parameter_of(network, "period")->structural);
  REQUIRE(regulator.outputs.size() == 1);
  const std::vector<std::pair<std::string, double>> at{
      {"v_ref", 5.0}, {"electric.smooth.v", 2.0}, {"control.regulator.integral", 1.0}};
  CHECK(value_of(network, regulator.outputs[0].value, at) == Approx(7.0));
  CHECK(value_of(network, regulator.states[0].next, at) == Approx(1.0 + 10.0 * 3.0 * 0.002));
  CHECK(value_of(network, network.blocks[1].outputs[0].value, {{"control.regulator.out", 7.0}}) == Approx(3.5));
  CHECK(value_of(network, branch_of(network, "electric.source").law, {{"control.half.out", 3.5}}) == Approx(3.5));
}

TEST_CASE("elements_of_the_plant_itself_may_read_the_plant") {
  const Network network = network_of(R"toml(
[element.electric.lamp]
doc    = "Lamp whose resistance grows with its current"
param  = { r = "Ohm > 0", k = "1/A >= 0 = 0.5 1/A" }
branch = { kind = "R", law = "v = hot*i" }
let.hot = { unit = "Ohm", value = "r*(1 + k*abs(i)) + 0 Ohm*electric.source.v/(1 V)" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V" }
lamp   = { is = "lamp", at = ["in", "gnd"], r = "3 Ohm" }
)toml");
  CHECK(value_of(network, branch_of(network, "electric.lamp").law, {{"electric.lamp.i", 2.0}}) == Approx(12.0));
  CHECK(value_of(network, variable_of(network, "electric.lamp.hot").value, {{"electric.lamp.i", 2.0}}) == Approx(6.0));
}

TEST_CASE("examples_of_the_documentation_load") {
  std::string block, complete, part;
  for (const char* chapter : {"plant_file", "connections"}) {
    std::ifstream stream(takt::test::library_folder() + "/../manual/plant_files/" + chapter + ".md");
    REQUIRE(stream);
    for (std::string line; std::getline(stream, line);) {
      const bool code = line.starts_with("    ") || (line.empty() && !block.empty());
      if (code) block += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
      if (code) continue;
      if (complete.empty() && block.starts_with("[plant]")) complete = block;
      if (block.starts_with("[part.cell]")) part = block;
      block.clear();
    }
  }
  CHECK(network_of(complete).branches.size() == 3);
  const Network parts = network_of(part + R"toml(
[electric]
load  = { is = "resistor", at = ["tap[0]", "gnd"], r = "1 Ohm" }
foot  = { is = "resistor", at = ["tap[10]", "gnd"], r = "1 Ohm" }
[solid]
plate = { is = "wall", m = "1 kg", cp = "900 J/kg/K" }
)toml");
  CHECK(branch_of(parts, "electric.pack[3].r0").kind == BranchKind::dissipator);
}

TEST_CASE("same_text_gives_the_same_network") {
  const Network first = network_of(low_pass), second = network_of(low_pass);
  REQUIRE(first.graph().size() == second.graph().size());
  for (std::size_t index = 0; index < first.branches.size(); ++index) {
    CHECK(first.graph().text(first.branches[index].law) == second.graph().text(second.branches[index].law));
  }
}

}  // namespace takt::codegen::test
