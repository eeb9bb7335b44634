#include <catch2/catch.hpp>

#include "tests/codegen/model/network_of.hpp"

using namespace takt::codegen;
using takt::codegen::test::network_of;

namespace {

/// The unit that tables show; "1" where none was found.
std::string unit_of(const Network& network, const std::string& path) {
  const auto symbol = network.graph().find_symbol(path);
  REQUIRE(symbol);
  CHECK(network.graph().symbol(*symbol).unit == "1");  // no equation depends on what is found
  return network.shown_unit(*symbol);
}

}  // namespace

TEST_CASE("outputs of control blocks have the units of what they compute, through other blocks, in any order") {
  const Network network = network_of(R"toml(
[input]
torque = { unit = "N*m", start = "5 N*m" }
[parameters]
flux = "0.1 Wb"
[control]
every    = "1 ms"
current  = { is = "expression", of = "limited/flux*1.5" }
limited  = { is = "limiter", of = "torque", min = "-10 N*m", max = "10 N*m" }
smoothed = { is = "filter", of = "current", tau = "10 ms" }
on       = { is = "expression", of = "if(electric.smooth.v > 1 V, 1, 0)" }
scaled   = { is = "expression", of = "on*electric.smooth.v" }
command  = { is = "expression", of = "on*2 N*m" }
gain     = { is = "pi", of = "electric.smooth.v", kp = 2, ki = 10 }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V" }
load   = { is = "resistor", at = ["in", "out"], r = "1 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "1 mF" }
)toml");
  CHECK(unit_of(network, "control.limited.out") == "N*m");  // and not J
  CHECK(unit_of(network, "control.current.out") == "A");
  CHECK(unit_of(network, "control.smoothed.out") == "A");
  CHECK(unit_of(network, "control.smoothed.x") == "A");
  CHECK(unit_of(network, "control.on.out") == "1");
  CHECK(unit_of(network, "control.scaled.out") == "1");  // not known: `on` may be anything
  CHECK(unit_of(network, "control.command.out") == "1");
  CHECK(unit_of(network, "control.gain.out") == "1");  // its gains may have any unit
}

TEST_CASE("what an element takes for another quantity has no unit, nor what is computed from it") {
  const Network network = network_of(R"toml(
[parameters]
gain   = 0.01
siemens = "0.01 A/V"
[control]
every   = "1 ms"
plain   = { is = "expression", of = "gain*electric.smooth.v" }
twice   = { is = "expression", of = "2*plain" }
right   = { is = "expression", of = "siemens*electric.smooth.v" }
alone   = { is = "expression", of = "gain*electric.smooth.v" }
[electric]
first  = { is = "current_source", at = ["gnd", "out"], i = "control.plain" }
second = { is = "current_source", at = ["gnd", "out"], i = "control.right" }
load   = { is = "resistor", at = ["out", "gnd"], r = "1 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "1 mF" }
)toml");
  CHECK(unit_of(network, "control.plain.out") == "1");
  CHECK(unit_of(network, "control.twice.out") == "1");
  CHECK(unit_of(network, "control.right.out") == "A");
  CHECK(unit_of(network, "control.alone.out") == "V");  // nothing says otherwise
}
