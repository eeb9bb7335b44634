// Reference runs through switching: instants and energies against closed solutions.

#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/reference/reference_run.hpp"
#include "tests/codegen/model/network_of.hpp"

using namespace takt::codegen;

namespace {

struct Run {
  Network network;
  std::vector<SwitchEvent> events;
  std::vector<std::vector<double>> rows;
  ReferenceResult result;

  /// Times at which this signal takes this value.
  [[nodiscard]] std::vector<double> times(const char* path, double value) const {
    std::vector<double> found;
    for (const SwitchEvent& event : events)
      if (event.symbol == *network.graph().find_symbol(path) && event.value == value) found.push_back(event.time);
    return found;
  }
};

Run run(const std::string& plant, std::int64_t duration_ns, const std::vector<std::string>& record = {},
        ReferenceMethod method = ReferenceMethod::ida) {
  Run done{test::network_of(plant), {}, {}, {}};
  Diagnostics diagnostics;
  ReferenceRun reference(done.network, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  std::vector<ReferenceRecord> records{{duration_ns, {}}};
  for (const std::string& path : record) records[0].symbols.push_back(*done.network.graph().find_symbol(path));
  ReferenceOptions options{
      .duration_ns = duration_ns, .integration = {.relative = 1e-10, .absolute = 1e-10}, .method = method};
  options.integration.step = 1e-7;
  done.result = reference.run(
      options, records,
      [&](std::int64_t, const auto& row) {
        done.rows.emplace_back();
        for (const auto& [place, value] : row) done.rows.back().push_back(value);
      },
      [&](const SwitchEvent& event) { done.events.push_back(event); });
  return done;
}

constexpr double rounding = 4e-16;  // of a time

}  // namespace

TEST_CASE("edges_of_a_leg_are_where_duty_and_carrier_meet_and_a_dead_time_later_to_rounding") {
  const double f = 20e3, duty = 0.3, dead = 1.5e-6;
  for (const auto method :
       {ReferenceMethod::ida, ReferenceMethod::cvode, ReferenceMethod::ark, ReferenceMethod::fixed}) {
    const Run done = run(R"(
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "48 V" }
high = { is = "switch", at = ["p", "a"], gate = "control.leg.high", r_on = "10 mOhm", r_off = "100 kOhm" }
low = { is = "switch", at = ["a", "gnd"], gate = "control.leg.low", r_on = "10 mOhm", r_off = "100 kOhm" }
r = { is = "resistor", at = ["a", "o"], r = "2 Ohm" }
c = { is = "capacitor", at = ["o", "gnd"], c = "20 uF" }
[control]
leg = { is = "pwm_leg", duty = 0.3, frequency = "20 kHz", dead_time = "1.5 us" }
)",
                         1'000'000, {}, method);
    const std::vector<double> on = done.times("electric.high.gate", 1.0), off = done.times("electric.high.gate", 0.0);
    REQUIRE(on.size() == 20);
    REQUIRE(off.size() == 20);
    for (int k = 0; k < 20;
         ++k) {  // the carrier rises from 0, is above the duty from 0.3 of half a period on, and falls back to it
      CHECK(std::abs(off[k] - (k + 0.5 * duty) / f) <= rounding * off[k]);
      CHECK(std::abs(on[k] - ((k + 1 - 0.5 * duty) / f + dead)) <= rounding * on[k]);
    }
  }
}

TEST_CASE("gate_of_time_moves_at_the_first_number_for_which_its_signal_is_true") {
  const Run done = run(R"(
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "1 V" }
s = { is = "switch", at = ["p", "a"], gate = "time > 37.3 us and mod(time, 10 us) < 4.1 us" }
c = { is = "capacitor", at = ["a", "gnd"], c = "1 uF" }
r = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }
)",
                       60'000);
  const std::vector<double> on = done.times("electric.s.gate", 1.0), off = done.times("electric.s.gate", 0.0);
  REQUIRE(on.size() == 2);
  CHECK(on[0] == 40e-6);
  REQUIRE(off.size() == 2);
  for (int k = 0; k < 2; ++k) CHECK(std::abs(off[k] - (44.1e-6 + k * 10e-6)) <= 1e-20);
}

// L di/dt = -(V + R*i): i = 0 after (L/R)*log(1 + R*I/V), to the tolerance of the integrator.
TEST_CASE("diode_blocks_where_its_current_ends") {
  const double l = 1e-3, r = 0.51, v = 12.0, current = 7.0;
  const double end = l / r * std::log1p(r * current / v);
  for (const auto method :
       {ReferenceMethod::ida, ReferenceMethod::cvode, ReferenceMethod::ark, ReferenceMethod::fixed}) {
    const Run done = run(R"(
[electric]
battery = { is = "voltage_source", at = ["gnd", "a"], v = "12 V" }
r = { is = "resistor", at = ["a", "b"], r = "0.5 Ohm" }
l = { is = "inductor", at = ["b", "c"], l = "1 mH", start = { i = "7 A" } }
d = { is = "diode", at = ["c", "gnd"], v_f = "0 V", r_on = "10 mOhm", r_off = "1 kOhm", start = { on = 1 } }
)",
                         600'000, {"electric.d.i"}, method);
    INFO("method " << static_cast<int>(method));
    REQUIRE(done.events.size() == 1);
    CHECK(done.events[0].value == 0.0);
    CHECK(std::abs(done.events[0].condition) <= 1e-12);
    CHECK(done.events[0].time == Approx(end).epsilon(3e-9));
    CHECK(done.rows.back()[0] == Approx(-v / 1000.5).epsilon(1e-6));
  }
}

TEST_CASE("energies_at_edges_and_while_conducting_are_all_the_wall_stores") {
  const double v = 100.0, r_on = 0.1, r = 9.9, r_off = 1e5;
  const double on = v / (r + r_on), off = v / (r + r_off);  // A
  const double edges = 1e-3 * on / 50.0 * (v - r * off) / 200.0 + 2e-3 * on / 50.0 * (v - r * off) / 200.0;
  const Run done = run(R"(
[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "100 V" }
r = { is = "resistor", at = ["p", "a"], r = "9.9 Ohm" }
s = { is = "mosfet", at = ["a", "gnd"], gate = "time > 30 us and time < 80 us", heat = "solid.chip", r_on = "0.1 Ohm", r_off = "200 kOhm", v_f = "0.7 V", r_d = "0.1 Ohm", v_ref = "200 V", e_on = [["0 A", "0 J"], ["50 A", "1 mJ"]], e_off = [["0 A", "0 J"], ["50 A", "2 mJ"]] }
[solid]
chip = { is = "wall", m = "1 g", cp = "700 J/kg/K", start = { t = "300 K" } }
)",
                       100'000, {"solid.chip.e", "electric.s.switching"});
  const double conducted = 50e-6 * on * on * r_on + 50e-6 * off * off * r_off;
  REQUIRE(done.rows.size() == 2);
  CHECK(done.rows[1][1] == Approx(edges).epsilon(1e-6));
  CHECK(done.rows[1][0] - done.rows[0][0] == Approx(done.rows[1][1] + conducted).epsilon(1e-6));
}
