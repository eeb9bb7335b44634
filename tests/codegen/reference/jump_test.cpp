// Reference runs where a source, a capacitance or an inflow jumps on dependent storages, against closed solutions: the
// sums of charge, flux linkage and momentum stay, and the storages share them anew.

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "codegen/reference/reference_run.hpp"
#include "tests/codegen/model/network_of.hpp"

using namespace takt::codegen;

namespace {

struct Closed {
  const char* path;
  std::function<double(double)> value;  ///< of the time in s
};

struct Case {
  const char* plant;
  std::vector<Closed> signals;
  std::int64_t duration_ns = 20'000'000, period_ns = 500'000;
  std::int64_t input_ns = 0;  ///< the input of the plant takes a value
  double input = 0.0;
};

/// The largest deviation from the closed solutions, over the largest value of each.
double error(const Case& what, ReferenceMethod method = ReferenceMethod::ida) {
  const Network network = test::network_of(what.plant);
  Diagnostics diagnostics;
  ReferenceRun reference(network, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  ReferenceRecord record{what.period_ns, {}};
  for (const Closed& signal : what.signals) record.symbols.push_back(*network.graph().find_symbol(signal.path));
  ReferenceOptions options{.duration_ns = what.duration_ns,
                           .integration = {.relative = 1e-10, .absolute = 1e-12, .step = 1e-6},
                           .method = method};
  for (const PlantInput& input : network.inputs) options.inputs.push_back({what.input_ns, input.symbol, what.input});
  std::vector<double> off(what.signals.size(), 0.0), largest(what.signals.size(), 0.0);
  const auto compare = [&](std::int64_t time_ns, const auto& row) {
    for (const auto& [place, value] : row) {
      const double closed = what.signals[place].value(static_cast<double>(time_ns) / 1e9);
      off[place] = std::max(off[place], std::abs(value - closed));
      largest[place] = std::max(largest[place], std::abs(closed));
    }
  };
  reference.run(options, {record}, compare, [](const SwitchEvent&) {});
  double worst = 0.0;
  for (std::size_t k = 0; k < off.size(); ++k) worst = std::max(worst, off[k] / largest[k]);
  return worst;
}

/// What a run ends with.
std::string cause(const std::string& plant, std::int64_t duration_ns) {
  const Network network = test::network_of(plant);
  Diagnostics diagnostics;
  ReferenceRun reference(network, diagnostics);
  INFO(diagnostics.render());
  REQUIRE(!diagnostics.has_errors());
  ReferenceOptions options;
  options.duration_ns = duration_ns;
  try {
    reference.run(
        options, {}, [](std::int64_t, const auto&) {}, [](const SwitchEvent&) {});
  } catch (const std::runtime_error& ended) {
    return ended.what();
  }
  return "";
}

constexpr auto methods = {ReferenceMethod::ida, ReferenceMethod::cvode, ReferenceMethod::ark, ReferenceMethod::fixed};
constexpr double tolerance = 1e-7;  // of charges of microcoulombs, integrated to 1e-15 C

}  // namespace

// At 5 ms the source jumps by 8 V, a quarter of it to c2: v2 = 2 V*exp(-(t - 5 ms)/(r*(c1 + c2))).
TEST_CASE("capacitors_in_a_loop_with_a_source_that_jumps_share_the_jump_and_keep_their_charge") {
  const Case sampled{R"plant(
[control]
step = { is = "expression", of = "if(time > 4.5 ms, 10 V, 2 V)", every = "1 ms" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "control.step" }
c1 = { is = "capacitor", at = ["in", "out"], c = "1 uF", start = { v = "2 V" } }
c2 = { is = "capacitor", at = ["out", "gnd"], c = "3 uF" }
r  = { is = "resistor", at = ["out", "gnd"], r = "500 Ohm" }
)plant",
                     {{"electric.c2.v", [](double t) { return t > 5e-3 ? 2.0 * std::exp(-(t - 5e-3) / 2e-3) : 0.0; }}}};
  for (const auto method : methods) {
    INFO("method " << static_cast<int>(method));
    CHECK(error(sampled, method) < tolerance);
  }
}

// A source that follows the time jumps between two instants of the run: beside the sampled one, without its block.
TEST_CASE("source_of_time_that_jumps_between_nanoseconds_and_goes_on_as_a_sine_is_followed") {
  const double at = 4.0000003e-3, omega = 2.0 * std::numbers::pi * 150.0, tau = 2e-3;
  const std::complex<double> gain = std::complex(0.0, omega) / std::complex(1.0 / tau, omega);
  const Case sine{R"plant(
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "if(time >= 4.0000003 ms, 8 V*cos(2*pi*150 Hz*(time - 4.0000003 ms)), 0 V)" }
c1 = { is = "capacitor", at = ["in", "out"], c = "1 uF" }
c2 = { is = "capacitor", at = ["out", "gnd"], c = "3 uF" }
r  = { is = "resistor", at = ["out", "gnd"], r = "500 Ohm" }
)plant",
                  {{"electric.c2.v", [=](double t) {
                      const double s = t - at;
                      return s < 0.0 ? 0.0
                                     : 2.0 * ((gain * std::exp(std::complex(0.0, omega * s))).real() +
                                              (1.0 - gain.real()) * std::exp(-s / tau));
                    }}}};
  for (const auto method : methods) {
    INFO("method " << static_cast<int>(method));
    CHECK(error(sine, method) < 1e-6);  // within the nanosecond the jump itself is stepped over
  }
}

TEST_CASE("every_edge_of_a_square_wave_is_shared") {
  const Case square{R"plant(
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "if(mod(time, 1 ms) < 0.3 ms, 10 V, 2 V)" }
c1 = { is = "capacitor", at = ["in", "out"], c = "1 uF", start = { v = "10 V" } }
c2 = { is = "capacitor", at = ["out", "gnd"], c = "3 uF" }
r  = { is = "resistor", at = ["out", "gnd"], r = "500 Ohm" }
)plant",
                    {{"electric.c2.v",
                      [](double t) {
                        double v = 0.0;
                        for (int k = 0; k < 20; ++k) {
                          const double rise = 1e-3 * k, fall = rise + 0.3e-3;
                          if (k > 0 && t > rise) v += 2.0 * std::exp(-(t - rise) / 2e-3);
                          if (t > fall) v -= 2.0 * std::exp(-(t - fall) / 2e-3);
                        }
                        return v;
                      }}},
                    15'000'000,
                    170'000};
  CHECK(error(square) < 1e-6);
  CHECK(error(square, ReferenceMethod::ark) < 1e-6);
}

// q = c*v + k*v^3: the charge of the middle node stays, so v2 = 2 V solves 1e-6*(8 V - v) = c*v + k*v^3; then
// (c1 + c + 3*k*v^2)*v' = -v/r, which is integrated as (c1 + c)*log(v/v0) + 1.5*k*(v^2 - v0^2) = -t/r.
TEST_CASE("charge_of_a_capacitor_that_is_not_linear_stays") {
  const double c = 1e-6, k = 0.5e-6, r = 500.0, v0 = 2.0;
  const Case varactor{R"plant(
[element.electric.varactor]
doc = "capacitor whose capacitance rises with the voltage"
source = "q = c*v + k*v^3"
param = { c = "F", k = "F/V^2" }
branch = { kind = "C", law = "q = c*v + k*v^3" }
[control]
step = { is = "expression", of = "if(time > 4.5 ms, 10 V, 2 V)", every = "1 ms" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "control.step" }
c1 = { is = "capacitor", at = ["in", "out"], c = "1 uF", start = { v = "2 V" } }
c2 = { is = "varactor", at = ["out", "gnd"], c = "1 uF", k = "0.5 uF/V^2" }
r  = { is = "resistor", at = ["out", "gnd"], r = "500 Ohm" }
)plant",
                      {{"electric.c2.v", [=](double t) {
                          if (t <= 5e-3) return 0.0;
                          double v = v0;
                          for (int round = 0; round < 60; ++round) {  // w = log(v) goes down to below the solution
                            const double open = 2e-6 * std::log(v / v0) + 1.5 * k * (v * v - v0 * v0) + (t - 5e-3) / r;
                            v *= std::exp(-open / (c + 1e-6 + 3.0 * k * v * v));
                          }
                          return v;
                        }}}};
  CHECK(v0 == Approx((8.0 * 1e-6 - k * v0 * v0 * v0) / (c + 1e-6)));
  CHECK(error(varactor) < tolerance);
}

// Joined capacitors, one of which grows from 1 uF to 5 uF: the voltage falls to a third, and the time constant changes.
TEST_CASE("capacitance_that_jumps_takes_charge_from_the_capacitor_beside_it") {
  const Case grown{R"plant(
[input]
size = { unit = "F", start = "1 uF", safe = "1 uF" }
[electric]
c1 = { is = "capacitor", at = ["a", "gnd"], c = "1 uF", start = { v = "6 V" } }
c2 = { is = "capacitor", at = ["a", "gnd"], c = "size" }
r = { is = "resistor", at = ["a", "gnd"], r = "1 kOhm" }
)plant",
                   {{"electric.c1.v",
                     [](double t) {
                       const double at = 2e-3, v = 6.0 * std::exp(-std::min(t, at) / 2e-3);
                       return t > at ? v / 3.0 * std::exp(-(t - at) / 6e-3) : v;
                     }}},
                   20'000'000,
                   500'000,
                   2'000'000,
                   5e-6};
  CHECK(error(grown) < tolerance);
}

// The dual: i1 + i2 = i, and l1*i1 - l2*i2 stays. 3 A come, a third of them through l2 = 2*l1: these decay in
// (l1 + l2)/r.
TEST_CASE("inductors_at_a_node_with_a_current_source_that_jumps_keep_their_flux_linkage") {
  const double tau = 3e-3 / 0.5;
  const Case dual{R"plant(
[control]
step = { is = "expression", of = "if(time > 4.5 ms, 5 A, 2 A)", every = "1 ms" }
[electric]
source = { is = "current_source", at = ["gnd", "a"], i = "control.step" }
l1 = { is = "inductor", at = ["a", "gnd"], l = "1 mH", start = { i = "2 A" } }
l2 = { is = "inductor", at = ["a", "b"], l = "2 mH" }
r = { is = "resistor", at = ["b", "gnd"], r = "0.5 Ohm" }
)plant",
                  {{"electric.l2.i", [=](double t) { return t > 5e-3 ? std::exp(-(t - 5e-3) / tau) : 0.0; }},
                   {"electric.l1.i", [=](double t) { return t > 5e-3 ? 5.0 - std::exp(-(t - 5e-3) / tau) : 2.0; }}}};
  for (const auto method : methods) {
    INFO("method " << static_cast<int>(method));
    CHECK(error(dual, method) < tolerance);
  }
}

// w_left + w_right = 2*w_input, and both sides get the same impulse: j_l*dw_l = j_r*dw_r. With j_l = 1, j_r = 3 the
// left side takes 3/4 of 2*4 rad/s. Then j_l*w_l' = tau, j_r*w_r' = tau - d*w_r, so w_r decays in (j_l + j_r)/d.
TEST_CASE("inertias_behind_a_differential_share_a_jump_of_speed_by_their_momentum") {
  const double tau = 4.0 / 200.0;
  const auto right = [=](double t) { return t > 5e-3 ? 2.0 * std::exp(-(t - 5e-3) / tau) : 0.0; };
  const Case shared{R"plant(
[control]
step = { is = "expression", of = "if(time > 4.5 ms, 5 rad/s, 1 rad/s)", every = "1 ms" }
[rotational]
drive = { is = "speed_source", at = ["in"], speed = "control.step" }
axle = { is = "differential", at = ["in", "left", "right"] }
left_wheel = { is = "inertia", at = ["left"], j = "1 kg*m^2", start = { w = "2 rad/s" } }
right_wheel = { is = "inertia", at = ["right"], j = "3 kg*m^2" }
friction = { is = "damper", at = ["right", "frame"], d = "200 N*m*s/rad" }
)plant",
                    {{"rotational.right_wheel.w", right},
                     {"rotational.left_wheel.w", [=](double t) { return (t > 5e-3 ? 10.0 : 2.0) - right(t); }}}};
  CHECK(error(shared) < tolerance);
  CHECK(error(shared, ReferenceMethod::ark) < tolerance);
}

// Two springs hold a node that has no mass, one of them through a damper. 6 N come: elongations add up to nothing round
// the loop, so the forces begin in the ratio of the stiffnesses, and the damped one decays in d*(1/c1 + 1/c2).
TEST_CASE("springs_at_a_node_without_mass_share_a_jump_of_force_by_their_stiffness") {
  const double tau = 2.0 * (1.0 / 1000.0 + 1.0 / 500.0);
  const Case pushed{
      R"plant(
[control]
push = { is = "expression", of = "if(time > 4.5 ms, 6 N, 0 N)", every = "1 ms" }
[translational]
hand = { is = "force_source", at = ["a"], force = "control.push" }
stiff = { is = "spring", at = ["a", "frame"], c = "1000 N/m" }
soft = { is = "spring", at = ["a", "b"], c = "500 N/m" }
damper = { is = "damper", at = ["b", "frame"], d = "2 N*s/m" }
)plant",
      {{"translational.soft.f", [=](double t) { return t > 5e-3 ? 2.0 * std::exp(-(t - 5e-3) / tau) : 0.0; }},
       {"translational.stiff.f", [=](double t) { return t > 5e-3 ? 6.0 - 2.0 * std::exp(-(t - 5e-3) / tau) : 0.0; }}}};
  CHECK(error(pushed) < tolerance);
}

// Pipes of 10 m and 30 m from two reservoirs of one pressure meet where 4 kg/s are drawn from 5 ms on. The short one, a
// third as inert, gives 3 kg/s at first. Within a millisecond the friction of pipes this wide changes nothing.
TEST_CASE("pipes_that_meet_without_a_volume_share_a_jump_of_demand_by_their_inertia") {
  const Case drawn{R"plant(
[control]
draw = { is = "expression", of = "if(time > 4.5 ms, 4 kg/s, 0 kg/s)", every = "1 ms" }
[fluid]
medium = "water"
one = { is = "reservoir", p = "2 bar", t = "293.15 K" }
two = { is = "reservoir", p = "2 bar", t = "293.15 K" }
short = { is = "pipe", at = ["one", "a"], length = "10 m", diameter = "1 m" }
long = { is = "pipe", at = ["two", "a"], length = "30 m", diameter = "1 m" }
use = { is = "demand", at = ["a"], flow = "control.draw" }
)plant",
                   {{"fluid.short.inertia.q", [](double t) { return t > 5e-3 ? 3.0 : 0.0; }},
                    {"fluid.long.inertia.q", [](double t) { return t > 5e-3 ? 1.0 : 0.0; }}},
                   6'000'000};
  CHECK(error(drawn) < 1e-6);
}

namespace {

/// A cell that counts its charge, without a resistance, on two capacitors.
std::string cell_on_capacitors(const std::string& voltage) {
  return R"plant(
[element.electric.cell]
doc = "voltage that counts what it gives"
source = "q' = i"
param = { u = "V" }
branch = { kind = "A", law = "v = u" }
state.charge = { unit = "C", der = "i", start = "0 C", fixed = true }
[control]
step = { is = "expression", of = "if(time > 4.5 ms, 10 V, 2 V)", every = "1 ms" }
[electric]
c1 = { is = "capacitor", at = ["in", "out"], c = "1 uF", start = { v = "2 V" } }
c2 = { is = "capacitor", at = ["out", "gnd"], c = "3 uF" }
r = { is = "resistor", at = ["out", "gnd"], r = "500 Ohm" }
cell = { is = "cell", at = ["in", "gnd"], u = ")plant" +
         voltage + "\" }\n";
}

}  // namespace

TEST_CASE("impulse_that_an_equation_reads_ends_the_run_by_name") {
  CHECK(cause(cell_on_capacitors("2 V"), 10'000'000).empty());
  CHECK(cause(cell_on_capacitors("control.step"), 10'000'000) ==
        "electric.cell.i, which electric.cell.charge reads, would be an impulse at 0.005 s; give the connection a "
        "resistance");
}

TEST_CASE("impulse_of_a_source_that_jumps_by_itself_is_a_finding") {
  const Network network = test::network_of(cell_on_capacitors("if(time > 4.5 ms, 10 V, 2 V)"));
  Diagnostics diagnostics;
  const ReferenceRun reference(network, diagnostics);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == "F004");
}
