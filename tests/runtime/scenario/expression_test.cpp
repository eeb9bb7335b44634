// Values of expressions, their dimensions, and what cannot be compared.

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/scenario/parse_expression.hpp"
#include "tests/runtime/scenario/bench_plant.hpp"

namespace takt::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Names {
  BenchPlant bench;
  ScenarioNames names{bench.plant};
  [[nodiscard]] double value(const std::string& text, double seconds = 0.0) const {
    const auto expression = parse_expression(text, {"test.toml", {3, 10}}, names);
    return expression.evaluate(bench.plant.memory, SimTime{static_cast<std::int64_t>(seconds * 1e9)}).value;
  }
  [[nodiscard]] Evaluation condition(const std::string& text) const {
    return parse_condition(text, {"test.toml", {3, 10}}, names).evaluate(bench.plant.memory, {});
  }
  [[nodiscard]] std::string mistake(const std::string& text) const {
    try {
      (void)parse_condition(text, {"test.toml", {3, 10}}, names);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
};

TEST_CASE("values_follow_the_rules_of_arithmetic_and_units") {
  const Names n;
  CHECK(n.value("1 + 2*3^2 - 4/2") == 17.0);
  CHECK(n.value("-2^2") == -4.0);
  CHECK(n.value("2^3^2") == 512.0);
  CHECK(n.value("(1 + 2)*3") == 9.0);
  CHECK(n.value("23 degC") == 296.15);
  CHECK(n.value("5 %") == 0.05);
  CHECK(n.value("36 km/h") == 10.0);
  CHECK(n.value("80 N*m/(2 kg)") == 40.0);
  CHECK(n.value("abs(-3 V)") == 3.0);
  CHECK(n.value("min(3, 1, 2) + max(1, 5)") == 6.0);
  CHECK(n.value("sqrt(9 V^2)") == 3.0);
  CHECK(n.value("if(1 > 2, 10, 20)") == 20.0);
  CHECK(n.value("time + 1 s", 0.5) == 1.5);
  CHECK(n.value("-10 degC") == 263.15);
  CHECK(n.value("-10 K") == -10.0);
  CHECK(n.value("20 degC + 5 K") == 298.15);
  CHECK(n.value("2*pi") == 2.0 * std::numbers::pi);
  CHECK(n.value("electric.link.v/2") == 200.0);
  CHECK(n.value("control.limp_home") == 0.0);
  CHECK(n.value("solid.chip[0].t - 300 K") == 0.0);
}

TEST_CASE("conditions_join_by_words") {
  const Names n;
  CHECK(n.condition("electric.link.v > 300 V and not electric.link.v > 500 V").holds());
  CHECK(n.condition("electric.link.v < 300 V or mass == 2 kg").holds());
  CHECK_FALSE(n.condition("electric.link.v >= 400.1 V").holds());
  CHECK(n.condition("electric.link.v <= 400 V").holds());
  CHECK(n.condition("torque != 1 N*m").holds());
  CHECK(n.condition("translational.car.v == 0").holds());
}

TEST_CASE("what_is_not_finite_is_never_a_pass") {
  Names n;
  n.bench.memory.link_v = nan;
  for (const char* text : {"electric.link.v > 300 V", "not electric.link.v > 300 V", "electric.link.v != 1 V",
                           "max(1 V, electric.link.v) >= 0", "min(electric.link.v, 1 V) < 2 V", "1/0 > 5"}) {
    INFO(text);
    CHECK_FALSE(n.condition(text).holds());
    CHECK_FALSE(n.condition(text).finite);
  }
  // What does not matter is not looked at.
  CHECK(n.condition("mass == 2 kg or electric.link.v > 1 V").holds());
  CHECK(n.condition("if(mass > 1 kg, mass, 1 kg*(electric.link.v/(1 V))) > 1 kg").holds());
}

TEST_CASE("mistakes_in_expressions_are_named_with_their_place") {
  Names n;
  n.names.variables["limit"] = {5.0, parse_unit("V")->dimension};
  const std::string at = "test.toml:3:";
  CHECK(n.mistake("electric.link.v > 5 A") == at + "26: V and A do not fit together");
  CHECK(n.mistake("electric.link.v > 5") ==
        at + "26: V and a plain number do not fit together; a number for a quantity carries its unit");
  CHECK(n.mistake("electric.lnk.v > limit") ==
        at + "10: nothing is called \"electric.lnk.v\"; did you mean \"electric.link.v\"?");
  CHECK(n.mistake("electric.link.v > limt") == at + "28: nothing is called \"limt\"; did you mean \"limit\"?");
  CHECK(n.mistake("electric.link.v") ==
        at + "10: \"electric.link.v\" is a value, not a condition; compare it, as in x > 0.5");
  CHECK(n.mistake("electric.link.v = 5 V") == at + "26: \"=\" is not expected here; equality is written ==");
  CHECK(n.mistake("1 V < electric.link.v < 5 V") == at + "32: comparisons do not chain; write a < b and b < c");
  CHECK(n.mistake("time > 5 sec") == at + "19: \"sec\" behind a number is no unit; did you mean \"s\"?");
  CHECK(n.mistake("abs(mass > 5 kg") == at + "25: a parenthesis is not closed");
  CHECK(n.mistake("mass and time > 1 s") == at + "10: a condition is needed here; compare the value, as in x > 0.5");
  CHECK(n.mistake("1,5 > 1") == at + "11: a comma in a number; decimals are written with a point");
  CHECK(n.mistake("mean(1, 2) > 1") == at + "10: there is no function \"mean\"; abs, min, max, sqrt and if are there");
  CHECK(n.mistake("") == at + "10: the expression ends where a value is expected");
  CHECK(n.mistake(std::string(100, '(') + "1") == at + "75: the expression is nested too deeply");
}

}  // namespace
}  // namespace takt::test
