// Free equations that tie states: how often they are differentiated, and what the start becomes.

#include "codegen/reference/lower_index.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/expr/index_offsets.hpp"
#include "codegen/reference/independent_columns.hpp"
#include "codegen/reference/numeric_system.hpp"
#include "tests/codegen/model/network_of.hpp"

using namespace takt::codegen;

TEST_CASE("offsets_of_the_pendulum_are_those_of_the_paper") {
  // x'' + l*x = 0, y'' + l*y = g, x^2 + y^2 = L^2
  const auto offsets = index_offsets({{{0, 2}, {2, 0}}, {{1, 2}, {2, 0}}, {{0, 0}, {1, 0}}});
  REQUIRE(offsets);
  CHECK(offsets->equations == std::vector{0, 0, 2});
  CHECK(offsets->variables == std::vector{2, 2, 0});
}

TEST_CASE("a_system_of_index_1_has_no_offsets_and_one_without_assignment_is_told") {
  const auto offsets = index_offsets({{{0, 1}, {1, 0}}, {{0, 0}, {1, 0}}});
  REQUIRE(offsets);
  CHECK(offsets->equations == std::vector{0, 0});
  CHECK_FALSE(index_offsets({{{0, 0}}, {{0, 1}}}).has_value());
}

TEST_CASE("the_first_independent_columns_are_taken") {
  CHECK(first_independent({{1, 0}, {2, 0}, {0, 1}}, 2) == std::vector<std::size_t>{0, 2});
  CHECK_FALSE(first_independent({{1, 1}, {2, 2}}, 2).has_value());
}

TEST_CASE("tied_states_start_on_their_constraint_with_what_is_written_first_as_given") {
  const auto network = test::network_of(R"(
[element.translational.ring]
doc       = "bead on a ring of radius r about the origin, without weight"
source    = "x^2 + y^2 = r^2"
terminals = ["h", "v"]
param     = { r = "m > 0" }
branch.h  = { at = ["h"], kind = "R" }
branch.v  = { at = ["v"], kind = "R" }
state.y   = { unit = "m", der = "v.v", start = "0.6 m" }
state.x   = { unit = "m", der = "h.v", start = "0.7 m" }
unknown.s = { unit = "N/m" }
equation  = ["x^2 + y^2 = r^2", "h.f = s*x", "v.f = s*y"]
[translational]
bead_h = { is = "mass", at = ["h"], m = "1 kg" }
bead_v = { is = "mass", at = ["v"], m = "1 kg", start = { v = "0.8 m/s" } }
ring   = { is = "ring", at = ["h", "v"], r = "1 m" }
)");
  Diagnostics diagnostics;
  const FlatSystem flat = flatten(network, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  NumericSystem system(network, flat, {});
  Values y = system.guess(network, flat);
  system.solve_start(y);
  const auto at = [&](const char* path) { return y[system.place_of(*network.graph().find_symbol(path))]; };
  CHECK(at("translational.ring.y") == Approx(0.6));
  CHECK(at("translational.ring.x") == Approx(0.8));
  CHECK(at("translational.bead_v.v") == Approx(0.8));
  CHECK(at("translational.bead_h.v") == Approx(-0.6));         // x*x' + y*y' = 0
  CHECK(std::abs(at("translational.ring.s")) == Approx(1.0));  // m*v^2/r
  CHECK_NOTHROW(system.solve_algebra(0.0, y));
}
