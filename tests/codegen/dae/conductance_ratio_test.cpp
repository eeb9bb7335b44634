// A three-phase inverter whose switches differ by 1e14 between on and off: potentials and currents of the companion
// network against the same network in extended precision, all 64 gate states.
//
// Potentials, and currents of switches that are off, keep nine digits whatever the state; also where all are off and
// the whole load hangs on 1e14*r_on. The current of a switch that is on is a difference of potentials over r_on: with
// an error of some units in the last place of 400 V (5.7e-14 V each) it cannot be better than 5.7e-14 V/r_on, 6e-9 A at
// 10 uOhm.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/codegen/dae/extended_solution.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

using Values = Interpreter::Values;

constexpr double ratio = 1e14;

struct Case {
  double r_on;  ///< Ohm
  bool chokes;  ///< in the legs, instead of resistors
};

std::string quantity(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "\"%.17g %s\"", value, unit);
  return text;
}

std::string inverter(const Case& kind) {
  std::string text = R"toml([plant]
title = "inverter"
[electric]
src = { is = "voltage_source", at = ["s0", "gnd"], v = "400 V" }
rs  = { is = "resistor", at = ["s0", "s1"], r = "10 mOhm" }
ls  = { is = "inductor", at = ["s1", "dcp"], l = "10 uH" }
esr = { is = "resistor", at = ["dcp", "cx"], r = "5 mOhm" }
cdc = { is = "capacitor", at = ["cx", "gnd"], c = "1 mF" }
)toml";
  const std::string resistances =
      "r_on = " + quantity(kind.r_on, "Ohm") + ", r_off = " + quantity(ratio * kind.r_on, "Ohm") + " }\n";
  for (const std::string p : {"a", "b", "c"}) {
    text += "h" + p + " = { is = \"switch\", at = [\"dcp\", \"" + p + "\"], gate = \"time > 1 s\", " + resistances;
    text += "l" + p + " = { is = \"switch\", at = [\"" + p + "\", \"gnd\"], gate = \"time > 1 s\", " + resistances;
    text += "r" + p + " = { is = \"resistor\", at = [\"" + p + "\", \"m" + p + "\"], r = \"" +
            (kind.chokes ? "0.1" : "10") + " Ohm\" }\n";
    text += kind.chokes ? "x" + p + " = { is = \"inductor\", at = [\"m" + p + "\", \"o" + p + "\"], l = \"1 mH\" }\n"
                        : "x" + p + " = { is = \"resistor\", at = [\"m" + p + "\", \"o" + p + "\"], r = \"1 mOhm\" }\n";
    text += "c" + p + " = { is = \"capacitor\", at = [\"o" + p + "\", \"star\"], c = \"15 uF\" }\n";
    text += "d" + p + " = { is = \"resistor\", at = [\"o" + p + "\", \"star\"], r = \"50 Ohm\" }\n";
  }
  return text;
}

/// Histories of some instant in a 50 Hz period.
void set_histories(CompanionCircuit& circuit, const Case& kind) {
  const auto history = [&](const std::string& path, double value) {
    circuit.set("electric." + path + ".history", value);
  };
  history("ls", 10e-6 * 21.0);
  history("cdc", 1e-3 * 398.7);
  for (const auto& [p, v, i] :
       {std::tuple("a", 113.1, 12.3), std::tuple("b", -80.7, -7.1), std::tuple("c", -29.9, -5.4)}) {
    history(std::string("c") + p, 15e-6 * v);
    if (kind.chokes) history(std::string("x") + p, 1e-3 * i);
  }
}

class Errors {
 public:
  Errors(CompanionCircuit& circuit, const Values& values)
      : circuit_(circuit), values_(values), exact_(extended_solution(circuit, values)) {
    for (const auto& [symbol, x] : exact_) {
      Error& error = circuit.is_potential(symbol) ? potentials : currents;
      error.add(values.at(symbol), x);
    }
    for (std::size_t gate = 0; gate < circuit.part().gates.size(); ++gate) compare_switch(gate);
    if (circuit.part().affine) compare_affine();
  }

  struct Error {
    double largest = 0.0, worst = 0.0;
    void add(double value, double exact) {
      largest = std::max(largest, std::fabs(exact));
      worst = std::max(worst, std::fabs(value - exact));
    }
  };
  Error potentials, currents, affine;  ///< affine: across variables
  double off_switches = 0.0;           ///< relative error of the worst current of a switch that is off

 private:
  void compare_switch(std::size_t gate) {
    const Network& network = circuit_.network();
    if (circuit_.given(network.gates[gate].symbol) > 0.5) return;
    for (const Branch& branch : network.branches)
      if (branch.element == network.gates[gate].element)
        off_switches = std::max(off_switches, std::fabs(values_.at(branch.through) / exact_.at(branch.through) - 1.0));
  }
  double exact_potential(NodeId id) const {
    const NetworkNode& node = circuit_.network().nodes[static_cast<std::size_t>(id)];
    return node.reference ? 0.0 : exact_.at(node.across);
  }
  void compare_affine() {
    const std::vector<double> rows = circuit_.apply_affine(values_);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const Branch& branch : circuit_.network().branches)
        if (branch.across == circuit_.part().affine->rows[row])
          affine.add(rows[row], exact_potential(branch.from) - exact_potential(branch.to));
  }

  CompanionCircuit& circuit_;
  const Values& values_;
  Values exact_;
};

}  // namespace

TEST_CASE("inverter_keeps_nine_digits_at_a_conductance_ratio_of_1e14_in_all_64_states") {
  for (const Case& kind : {Case{5e-3, false}, Case{5e-3, true}, Case{1e-5, false}, Case{1e-5, true}}) {
    std::string findings;
    auto circuit = CompanionCircuit::from(inverter(kind), findings);
    INFO(findings);
    REQUIRE(circuit);
    REQUIRE(circuit->part().gates.size() == 6);
    REQUIRE(circuit->part().affine);
    circuit->set(circuit->part().scale, 2e6);  // a step of 1 us
    set_histories(*circuit, kind);
    for (unsigned state = 0; state < 64; ++state) {
      for (std::size_t gate = 0; gate < 6; ++gate)
        circuit->set(circuit->network().gates[gate].symbol, (state >> gate & 1u) != 0 ? 1.0 : 0.0);
      const Values values = circuit->solve(0.0);
      const Errors errors(*circuit, values);
      CAPTURE(kind.r_on, kind.chokes, state);
      CHECK(errors.potentials.worst <= 1e-9 * 400.0);
      CHECK(errors.affine.worst <= 1e-9 * 400.0);
      CHECK(errors.off_switches <= 1e-9);
      CHECK(errors.currents.worst <= std::max(1e-9 * errors.currents.largest, 6 * 5.7e-14 / kind.r_on));
    }
  }
}
