// Which parts of an electric network on one ground are circuits of their own.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "codegen/topology/topology.hpp"
#include "tests/codegen/model/network_of.hpp"

namespace takt::codegen::test {
namespace {

/// Names of the electric circuits.
std::vector<std::string> circuits_of(const std::string& text) {
  const Network network = network_of(text);
  Diagnostics findings;
  std::vector<std::string> names;
  for (const CircuitTopology& circuit : analyse_topology(network, findings).circuits)
    if (circuit.domain == CircuitDomain::electric) names.push_back(circuit.name);
  REQUIRE_FALSE(findings.has_errors());
  return names;
}

std::string two_parts(const std::string& second_source, const std::string& more = "") {
  return "[electric]\n"
         "e = { is = \"voltage_source\", at = [\"a\", \"gnd\"], v = \"10 V\" }\n"
         "r = { is = \"resistor\", at = [\"a\", \"b\"], r = \"1 Ohm\" }\n"
         "c = { is = \"capacitor\", at = [\"b\", \"gnd\"], c = \"1 mF\" }\n"
         "e2 = { is = \"voltage_source\", at = [\"c\", \"gnd\"], v = \"" +
         second_source +
         "\" }\n"
         "r2 = { is = \"resistor\", at = [\"c\", \"gnd\"], r = \"1 Ohm\" }\n" +
         more;
}

std::string two_legs(const std::string& second_gate) {
  const std::string leg = "{ is = \"pwm_leg\", frequency = \"10 kHz\", duty = 0.5 }\n";
  const std::string two = second_gate.starts_with("control.two") ? "two = " + leg : "";
  return "[electric]\n"
         "e = { is = \"voltage_source\", at = [\"a\", \"gnd\"], v = \"10 V\" }\n"
         "s = { is = \"switch\", at = [\"a\", \"b\"], gate = \"control.one.high\" }\n"
         "r = { is = \"resistor\", at = [\"b\", \"gnd\"], r = \"1 Ohm\" }\n"
         "e2 = { is = \"voltage_source\", at = [\"c\", \"gnd\"], v = \"10 V\" }\n"
         "s2 = { is = \"switch\", at = [\"c\", \"d\"], gate = \"" +
         second_gate +
         "\" }\n"
         "r2 = { is = \"resistor\", at = [\"d\", \"gnd\"], r = \"1 Ohm\" }\n"
         "[control]\nevery = \"1 ms\"\none = " +
         leg + two;
}

}  // namespace

TEST_CASE("parts that share nothing but the ground are circuits of their own") {
  CHECK(circuits_of(two_parts("5 V")) == std::vector<std::string>{"electric.e", "electric.e2"});
  CHECK(circuits_of(two_parts("5 V", "tie = { is = \"resistor\", at = [\"b\", \"c\"], r = \"1 kOhm\" }\n")) ==
        std::vector<std::string>{"electric"});
}

TEST_CASE("a part that reads another's variable is solved with it") {
  CHECK(circuits_of(two_parts("2*electric.c.v")) == std::vector<std::string>{"electric"});
  CHECK(circuits_of(two_parts("3*electric.b.v")) == std::vector<std::string>{"electric"});
}

TEST_CASE("what one modulator drives is solved together") {
  CHECK(circuits_of(two_legs("control.two.high")).size() == 2);
  CHECK(circuits_of(two_legs("control.one.low")).size() == 1);
}

}  // namespace takt::codegen::test
