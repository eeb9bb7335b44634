#include "codegen/text/units.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "codegen/text/quantity.hpp"

using namespace takt::codegen;

namespace {

double si(std::string_view text) {
  const auto quantity = parse_quantity(text);
  INFO(std::string(text) << ": " << (quantity ? "" : quantity.error()));
  REQUIRE(quantity.has_value());
  return quantity->value;
}

std::string dimension(std::string_view unit) {
  const auto parsed = parse_unit(unit);
  return parsed ? dimension_text(parsed->dimension) : "?";
}

}  // namespace

TEST_CASE("quantities_become_si_with_one_rounding") {
  CHECK(si("5 mOhm") == 0.005);
  CHECK(si("200 ns") == 2e-7);
  CHECK(si("220 uF") == 220e-6);
  CHECK(si("47 \u00B5H") == 47e-6);
  CHECK(si("47\u03BCH") == 47e-6);
  CHECK(si("20 kHz") == 20000.0);
  CHECK(si("2 g") == 0.002);
  CHECK(si("700 J/kg/K") == 700.0);
  CHECK(si("4 W/(m*K)") == 4.0);
  CHECK(si("50 %") == 0.5);
  CHECK(si("0.3") == 0.3);
  CHECK(si("90 km/h") == 25.0);
  CHECK(si("3000 rpm") == Approx(100.0 * std::numbers::pi).epsilon(1e-15));
  CHECK(si("180 deg") == std::numbers::pi);
  CHECK(si("2.5 kWh") == 9e6);
  CHECK(si("100 mAh") == 360.0);
  CHECK(si("2 A*h") == 7200.0);
  CHECK(si("1.5 bar") == 150000.0);
  CHECK(si("3 l") == 0.003);
  CHECK(si("2 t") == 2000.0);
  CHECK(si("12 Nm") == 12.0);
  CHECK(si("3 1/s") == 3.0);
  CHECK(si("-1.5e3 V") == -1500.0);
  CHECK(si("4 mm^2") == 4e-6);
  CHECK(si("5 1/mm^2") == 5e6);
  CHECK(si("7 m^-1") == 7.0);
}

TEST_CASE("temperatures_become_absolute") {
  CHECK(si("25 degC") == 298.15);
  CHECK(si("-10 degC") == Approx(263.15).epsilon(1e-15));
  CHECK(si("0 \u00B0C") == 273.15);
  CHECK(si("32 degF") == Approx(273.15).epsilon(1e-15));
  CHECK_FALSE(parse_unit("degC/s").has_value());
  CHECK_FALSE(parse_unit("degC^2").has_value());
  CHECK_FALSE(parse_unit("1/degC").has_value());
  CHECK(from_si(298.15, *parse_unit("degC")) == Approx(25.0).epsilon(1e-14));
}

TEST_CASE("dimensions_have_names") {
  CHECK(dimension("kg*m^2/s^3/A") == "V");
  CHECK(dimension("V/A") == "Ohm");
  CHECK(dimension("N*m") == "J");
  CHECK(dimension("V*s") == "Wb");
  CHECK(dimension("rad/s") == "1/s");
  CHECK(dimension("%") == "1");
  CHECK(dimension("J/(kg*K)") == "J/kg/K");
  CHECK(dimension("kg*m^3/s/A^2") == "kg*m^3/s/A^2");
  CHECK(dimension("1/(m*K^2)") == "1/m/K^2");
}

TEST_CASE("malformed_units_are_refused") {
  for (const std::string_view text :
       {"",      " ",     "/s",    "m*",   "m//s",
        "m^",    "m^x",   "m^2.5", "(m",   "m)",
        "()",    "2*m",   "m s",   "kkg",  "umin",
        "mdegC", "m^999", "Ohmm",  "*",    "^2",
        "m^-",   "11",    "m_",    "m[0]", "((((((((((((((((((((((m))))))))))))))))))))))"}) {
    INFO(std::string(text));
    CHECK_FALSE(parse_unit(text).has_value());
  }
  CHECK_FALSE(parse_unit("m^60*m^60").has_value());
  CHECK_FALSE(parse_unit("Tm^60/fm^60").has_value());  // factor beyond the range of doubles
}

TEST_CASE("the_longest_unit_at_the_beginning_is_found") {
  std::size_t length = 0;
  CHECK(parse_unit_prefix("W/K*x", length).has_value());
  CHECK(length == 3);
  CHECK(parse_unit_prefix("V*sin(x)", length).has_value());
  CHECK(length == 1);
  CHECK(parse_unit_prefix("m*min(a,b)", length).has_value());
  CHECK(length == 1);
  CHECK(parse_unit_prefix("m/s^2)", length).has_value());
  CHECK(length == 5);
  CHECK(parse_unit_prefix("J/(kg*x)", length).has_value());
  CHECK(length == 1);
  CHECK(parse_unit_prefix("V/1 Ohm", length).has_value());
  CHECK(length == 1);
  CHECK(parse_unit_prefix("1/s/1 Ohm", length).has_value());
  CHECK(length == 3);
  CHECK_FALSE(parse_unit_prefix("x/s", length).has_value());
  CHECK(length == 0);
}

TEST_CASE("misspelt_units_have_a_nearest_one") {
  CHECK(nearest_unit("mohm") == "mOhm");
  CHECK(nearest_unit("khz") == "kHz");
  CHECK(nearest_unit("W/k") == "W/K");
  CHECK(nearest_unit("celsius") == "degC");
  CHECK(nearest_unit("kph") == "km/h");
  CHECK(nearest_unit("sec") == "s");
  CHECK(nearest_unit("frobnicate").empty());
}

TEST_CASE("malformed_quantities_are_refused_with_a_sentence") {
  for (const std::string_view text :
       {"", "V", "5 5", "5 V V", "--5 V", "1e999 V", "inf", "nan", "0x10", "5 xyz", "1 degC/s"}) {
    INFO(std::string(text));
    const auto quantity = parse_quantity(text);
    REQUIRE_FALSE(quantity.has_value());
    CHECK(quantity.error().find('"') != std::string::npos);
  }
  CHECK(parse_quantity("5 mohm").error() == "\"mohm\" is no unit; did you mean \"mOhm\"?");
}

TEST_CASE("durations_are_exact_nanoseconds") {
  CHECK(parse_duration_ns("1 ms") == 1'000'000);
  CHECK(parse_duration_ns("50us") == 50'000);
  CHECK(parse_duration_ns("0.1 us") == 100);
  CHECK(parse_duration_ns("12.5 \u00B5s") == 12'500);
  CHECK(parse_duration_ns("1e-3 s") == 1'000'000);
  CHECK(parse_duration_ns("0.000000001 s") == 1);
  CHECK(parse_duration_ns("30 min") == 1'800'000'000'000);
  CHECK(parse_duration_ns("1.5 h") == 5'400'000'000'000);
  CHECK(parse_duration_ns("0 s") == 0);
  for (const std::string_view text : {"", "1", "ms", "-1 ms", "0.5 ns", "1e-10 s", "1 m", "1 V", "1e30 s",
                                      "9223372036854775808 ns", "1..2 s", "1 ms x"}) {
    INFO(std::string(text));
    CHECK_FALSE(parse_duration_ns(text).has_value());
  }
  CHECK(duration_text(50'000) == "50 us");
  CHECK(duration_text(1'500'000) == "1.5 ms");
  CHECK(period_text(1'500'000) == "1500us");
  CHECK(duration_text(2'000'000'000) == "2 s");
  CHECK(duration_text(7) == "7 ns");
}

TEST_CASE("numbers_print_as_the_shortest_text_that_reads_back") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(2e-7) == "2e-07");
  CHECK(number_text(1e300) == "1e+300");
}

TEST_CASE("rounded_numbers_have_three_digits_and_a_prefix") {
  CHECK(rounded_text(0.00471, "F") == "4.71 mF");
  CHECK(rounded_text(44444.4, "A") == "44.4 kA");
  CHECK(rounded_text(999.96, "V") == "1 kV");
  CHECK(rounded_text(1000.0, "V") == "1 kV");
  CHECK(rounded_text(-2.5e-8, "F") == "-25 nF");
  CHECK(rounded_text(100.0, "Ohm") == "100 Ohm");
  CHECK(rounded_text(1.0, "Ohm") == "1 Ohm");
  CHECK(rounded_text(0.0, "Ohm") == "0 Ohm");
}
