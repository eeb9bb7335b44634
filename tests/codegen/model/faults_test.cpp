// Faults of elements: how the library declares them, and what they become in a plant.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/codegen/model/network_of.hpp"

namespace takt::codegen::test {
namespace {

/// "CODE line:column" of the findings of one element of the library.
std::vector<std::string> findings_of(const std::string& faults) {
  Diagnostics diagnostics;
  Library library;
  const auto root = parse_toml(R"toml([electric.a]
param.r     = "Ohm > 0 = 1 Ohm"
param.r_off = "Ohm > r = 1 MOhm"
param.part  = "1 > 0 and <= 1 = 0.5"
param.gate  = "gate"
param.map   = "table(A -> V) = [[0, 0]]"
param.turns = "1 structural = 2"
param.kind  = "text(one | two) = one"
branch = { kind = "R", law = "v = r*i" }
)toml" + faults,
                               "library.toml", diagnostics);
  REQUIRE(root.has_value());
  add_definitions(library, *root, diagnostics);
  std::vector<std::string> found;
  for (const Diagnostic& finding : diagnostics.all())
    found.push_back(finding.code + " " + std::to_string(finding.where.line) + ":" +
                    std::to_string(finding.where.column));
  return found;
}

using Findings = std::vector<std::string>;

const ElementFault* fault_of(const Network& network, const std::string& element, const std::string& name) {
  const auto found = std::find_if(network.faults.begin(), network.faults.end(), [&](const ElementFault& fault) {
    return fault.element == element && fault.name == name;
  });
  return found == network.faults.end() ? nullptr : &*found;
}

std::string reason_of(const Network& network, const std::string& element, const std::string& name) {
  CHECK(fault_of(network, element, name) == nullptr);
  for (const AbsentFault& fault : network.absent_faults)
    if (fault.element == element && fault.name == name) return fault.why;
  return {};
}

/// "r = 1e3*r_off", "r = 5"
std::string change_text(const Network& network, const ElementFault::Change& change) {
  const auto path = [&](std::size_t parameter) {
    return network.graph().symbol(network.parameters[parameter].symbol).path;
  };
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    return text.substr(0, text.find_last_not_of('0') + 1);
  };
  return path(change.parameter) + " = " +
         (change.of ? number(change.factor) + "*" + path(*change.of) : number(change.value));
}

std::vector<std::string> changes_of(const Network& network, const std::string& element, const std::string& name) {
  const ElementFault* fault = fault_of(network, element, name);
  INFO(element << " " << name);
  REQUIRE(fault != nullptr);
  std::vector<std::string> changes;
  for (const ElementFault::Change& change : fault->changes) changes.push_back(change_text(network, change));
  return changes;
}

const std::string motor = R"toml(
[plant]
faults = ["electric.load", "electric.motor", "control.speed", "translational.*"]
[input]
wish = { unit = "V", start = "5 V" }
[parameters]
r_load = "3 Ohm"
r_phase = "0.2 Ohm"
c_roll = 0.01
[electric]
source  = { is = "voltage_source", at = ["a", "gnd"], v = "control.speed" }
motor   = { is = "dc_machine", at = ["a", "gnd", "rotational.rotor"], r = "r_phase", l = "5 mH", k = "0.5 N*m/A" }
load    = { is = "resistor", at = ["a", "gnd"], r = "2*r_load" }
other   = { is = "resistor", at = ["a", "gnd"], r = "10*r_phase" }
[rotational]
rotor   = { is = "inertia", at = ["rotor"], j = "0.01 kg*m^2" }
[translational]
car     = { is = "vehicle", at = ["road"], m = "900 kg", c_r = "2*c_roll", c_d = 0.3, area = "2 m^2" }
[control]
speed   = { is = "rate_limiter", of = "wish", rising = "10 V/s", falling = "10 V/s", initial = "0 V", every = "1 ms" }
)toml";

}  // namespace

TEST_CASE("a_fault_is_a_value_a_parameter_or_a_multiple_of_one") {
  CHECK(findings_of(R"toml(fault.open  = { doc = "interrupted", r = "0.999*r_off" }
fault.short = { doc = "bridged", r = "1 mOhm", r_off = "r/5", part = 1 }
)toml")
            .empty());
  const ElementDefinition* contactor = real_library().find("electric", "contactor");
  REQUIRE(contactor != nullptr);
  REQUIRE(contactor->faults.size() == 3);  // sorted by name
  CHECK(contactor->faults[0].name == "high_resistance");
  CHECK(contactor->faults[0].changes[0].of == "r_on");
  CHECK(contactor->faults[0].changes[0].factor == 100.0);
  const FaultDefinition& closed = contactor->faults[1];
  CHECK(closed.name == "stuck_closed");
  REQUIRE(closed.changes.size() == 1);
  CHECK(closed.changes[0].parameter == "r_off");
  CHECK(closed.changes[0].of == "r_on");
  CHECK(closed.changes[0].factor == 1.0);
  const FaultDefinition& open = real_library().find("electric", "resistor")->faults[1];
  CHECK(open.changes[0].of.empty());
  CHECK(open.changes[0].value == 1e9);
}

TEST_CASE("wrong_faults_are_refused_where_they_stand") {
  const auto one = [](const std::string& changes) {
    return findings_of("fault.f = { doc = \"d\", " + changes + " }\n");
  };
  CHECK(findings_of("fault.f = { r = \"1 Ohm\" }\n") == Findings{"L018 10:7"});      // no doc
  CHECK(findings_of("fault.f = { doc = \"nothing\" }\n") == Findings{"L018 10:7"});  // no change
  CHECK(findings_of("fault.f = \"open\"\n") == Findings{"M004 10:11"});
  CHECK(findings_of("fault.Open = { doc = \"d\", r = \"1 Ohm\" }\n") == Findings{"M006 10:7"});
  CHECK(one("r_on = \"1 Ohm\"") == Findings{"L018 10:24"});  // no parameter
  CHECK(one("gate = 1") == Findings{"L018 10:24"});
  CHECK(one("map = 1") == Findings{"L018 10:24"});
  CHECK(one("turns = 1") == Findings{"L018 10:24"});
  CHECK(one("kind = \"two\"") == Findings{"L018 10:24"});
  CHECK(one("r = \"1 V\"") == Findings{"L018 10:29"});  // another dimension
  CHECK(one("r = 5") == Findings{"L018 10:28"});        // no unit
  CHECK(one("r = \"part\"") == Findings{"L018 10:29"});
  CHECK(one("r = \"2 V*r\"") == Findings{"L018 10:29"});  // factors have no dimension
  CHECK(one("r = \"1e308 MOhm\"") == Findings{"L018 10:29"});
  CHECK(one("r = \"r/1e-309\"") == Findings{"L018 10:29"});
  CHECK(one("r = \"r + r\"") == Findings{"L018 10:29"});
  CHECK(one("r = \"r_on\"") == Findings{"L018 10:29"});
  CHECK(one("r = \"0 Ohm\"") == Findings{"L018 10:29"});  // limit of its own
  CHECK(one("r_off = \"r\"") == Findings{"L018 10:33"});  // limit by another parameter
  CHECK(one("r = \"r_off\"") == Findings{"L018 10:29"});  // limit of another parameter
  CHECK(one("part = \"3*part\"") == Findings{"L018 10:32"});
}

TEST_CASE("every_fault_of_the_library_says_what_happens") {
  std::size_t faults = 0;
  for (const ElementDefinition* element : real_library().all()) {
    for (const FaultDefinition& fault : element->faults) {
      INFO(element->full_name() << " " << fault.name);
      CHECK_FALSE(fault.doc.empty());
      ++faults;
    }
  }
  CHECK(faults > 100);
}

TEST_CASE("faults_change_parameters_of_the_plant") {
  const Network network = network_of(motor);
  using Changes = std::vector<std::string>;
  // A number of its own.
  CHECK(changes_of(network, "electric.motor", "demagnetised") == Changes{"electric.motor.k = 0.7*electric.motor.k"});
  // A plant parameter that others follow, too, and an expression: by factor and offset.
  CHECK(changes_of(network, "electric.motor", "high_resistance") == Changes{"electric.motor.r.factor = 5."});
  CHECK(changes_of(network, "electric.load", "open") ==
        Changes{"electric.load.r.factor = 0.", "electric.load.r.offset = 1000000000."});
  CHECK(changes_of(network, "translational.car", "flat_tyre") == Changes{"translational.car.c_r.factor = 5."});
  CHECK(changes_of(network, "control.speed", "frozen") == Changes{"control.speed.frozen = 1."});
  CHECK(std::is_sorted(network.faults.begin(), network.faults.end(), [](const auto& a, const auto& b) {
    return std::pair(a.element, a.name) < std::pair(b.element, b.name);
  }));
  // Elements that the plant does not name.
  CHECK(reason_of(network, "electric.other", "open") ==
        "r is an expression of other parameters; tune r_phase, or write faults = [\"electric.other\"] in [plant]");
  CHECK(reason_of(network, "electric.source", "off") ==
        "v follows a signal; write faults = [\"electric.source\"] in [plant]");
}

TEST_CASE("factor_and_offset_leave_a_value_as_it_is") {
  const Network network = network_of(motor);
  const double law = value_of(network, branch_of(network, "electric.load").law, {{"electric.load.i", 2.0}});
  CHECK(law == 12.0);
  CHECK(parameter_of(network, "electric.load.r.factor")->value == 1.0);
  CHECK(parameter_of(network, "electric.load.r.offset")->value == 0.0);
  CHECK(parameter_of(network, "electric.other.r.factor") == nullptr);
  const Network set = network_of(motor, {{"electric.load.r.offset", "4 Ohm"}, {"control.speed.frozen", "1"}});
  CHECK(value_of(set, branch_of(set, "electric.load").law, {{"electric.load.i", 2.0}}) == 20.0);
}

TEST_CASE("a_parameter_is_changed_only_where_nothing_else_follows_it") {
  const std::string one = R"toml(
[parameters]
r_load = "3 Ohm"
l_all  = "1 mH"
[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "5 V" }
load   = { is = "resistor", at = ["a", "b"], r = "r_load" }
first  = { is = "inductor", at = ["b", "c"], l = "l_all" }
second = { is = "inductor", at = ["c", "gnd"], l = "l_all" }
)toml";
  const Network network = network_of(one);
  CHECK(changes_of(network, "electric.load", "short") == std::vector<std::string>{"r_load = 0.001*r_load"});
  CHECK(reason_of(network, "electric.first", "saturated") ==
        "l is l_all, which others follow, too; tune l_all, or write faults = [\"electric.first\"] in [plant]");
  // A controller that knows the resistance must not learn of the fault.
  const Network known = network_of(one + "[control]\nk = { is = \"expression\", of = \"r_load\", every = \"1 ms\" }\n");
  CHECK_FALSE(reason_of(known, "electric.load", "short").empty());
  const Network by_path =
      network_of(one + "[control]\nk = { is = \"expression\", of = \"electric.load.r\", every = \"1 ms\" }\n");
  CHECK_FALSE(reason_of(by_path, "electric.load", "short").empty());
  // Through the parameter of a part.
  const std::string part = R"toml(
[part.load]
param    = { r = "Ohm > 0" }
terminal = ["p", "n"]
[part.load.electric]
coil = { is = "resistor", at = ["p", "n"], r = "r" }
)toml";
  const Network alone =
      network_of(one + part + "[parts]\nx = { of = \"load\", at = [\"a\", \"gnd\"], r = \"2 Ohm\" }\n");
  CHECK(changes_of(alone, "electric.x.coil", "short") == std::vector<std::string>{"parts.x.r = 0.001*parts.x.r"});
  const Network many =
      network_of(one + part + "[parts]\nx = { of = \"load\", at = [\"a\", \"gnd\"], r = \"l_all/(1 ms)\", n = 2 }\n");
  CHECK_FALSE(reason_of(many, "electric.x[1].coil", "short").empty());
}

TEST_CASE("a_fault_that_leaves_the_limits_of_this_plant_is_not_offered") {
  const Network network = network_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "5 V" }
gear   = { is = "mosfet", at = ["a", "b"], gate = "time > 1 s", r_on = "1 kOhm", r_off = "1.5 kOhm", r_d = "1 Ohm" }
load   = { is = "resistor", at = ["b", "gnd"], r = "3 Ohm" }
)toml");
  CHECK(fault_of(network, "electric.gear", "stuck_closed") != nullptr);
  CHECK(fault_of(network, "electric.gear", "stuck_open") != nullptr);
  const std::string own = R"toml(
[element.electric.lamp]
doc = "d"
source = "s"
param = { r = "Ohm > 0 and < 5" }
branch = { kind = "R", law = "v = r*i" }
fault.broken = { doc = "d", r = "2*r" }
[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "5 V" }
)toml";
  const Network low = network_of(own + "load = { is = \"lamp\", at = [\"a\", \"gnd\"], r = \"2 Ohm\" }\n");
  CHECK(fault_of(low, "electric.load", "broken") != nullptr);
  const Network high = network_of(own + "load = { is = \"lamp\", at = [\"a\", \"gnd\"], r = \"3 Ohm\" }\n");
  CHECK(reason_of(high, "electric.load", "broken") == "electric.load.r is out of range: it must be < 5 Ohm");
}

TEST_CASE("a_frozen_block_holds_outputs_and_states_after_its_first_sample") {
  const Network network = network_of(motor);
  REQUIRE(network.blocks.size() == 1);
  const ControlBlock& block = network.blocks[0];
  const std::vector<std::pair<std::string, double>> before{
      {"wish", 5.0}, {"control.speed.last", 1.0}, {"control.speed.sampled", 1.0}, {"control.speed.held_out", 7.0}};
  auto frozen = before, first = before;
  frozen.emplace_back("control.speed.frozen", 1.0);
  first[2].second = 0.0;
  first.emplace_back("control.speed.frozen", 1.0);
  const auto next = [&](const std::string& path, const std::vector<std::pair<std::string, double>>& symbols) {
    for (const ControlBlock::State& state : block.states)
      if (network.graph().symbol(state.symbol).path == path) return value_of(network, state.next, symbols);
    FAIL("no state " << path);
    return 0.0;
  };
  CHECK(value_of(network, block.outputs[0].value, before) == Approx(1.01));  // rises by 10 V/s for 1 ms
  CHECK(next("control.speed.last", before) == Approx(1.01));
  CHECK(next("control.speed.held_out", before) == Approx(1.01));
  CHECK(value_of(network, block.outputs[0].value, frozen) == 7.0);
  CHECK(next("control.speed.last", frozen) == 1.0);
  CHECK(next("control.speed.held_out", frozen) == 7.0);
  CHECK(value_of(network, block.outputs[0].value, first) == Approx(1.01));
  CHECK(next("control.speed.sampled", first) == 1.0);
}

TEST_CASE("what_cannot_fail_is_refused_by_name") {
  const auto named = [](const std::string& pattern) {
    std::string text = motor;
    return codes_of(text.replace(text.find("electric.load\""), 14, pattern + "\""));
  };
  using Codes = std::vector<std::string>;
  CHECK(named("electric.*").empty());
  CHECK(named("electric.lode") == Codes{"M049"});
  CHECK(named("rotational.rotor") == Codes{"M049"});  // has no faults
  std::string text = motor;
  CHECK(codes_of(text.replace(text.find("[\"electric.load\""), 16, "[3, \"electric.load\"")) == Codes{"M004"});
}

}  // namespace takt::codegen::test
