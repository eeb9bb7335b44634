// The oracle itself, on circuits whose index is known by hand or from the literature.

#include "tests/codegen/topology/pencil_index.hpp"

#include <catch2/catch.hpp>

#include "tests/codegen/topology/circuit_builder.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

constexpr auto A = BranchKind::across_source;
constexpr auto C = BranchKind::across_storage;
constexpr auto R = BranchKind::dissipator;
constexpr auto L = BranchKind::through_storage;
constexpr auto T = BranchKind::through_source;

constexpr PencilVerdict singular{};
constexpr PencilVerdict of_index(int index, int states) { return {.regular = true, .index = index, .states = states}; }

/// An electric circuit of nodes 0 (ground), 1, 2, ... from a list of branches.
struct Line {
  BranchKind kind;
  int from, to;
};

PencilVerdict verdict_of(std::initializer_list<Line> lines, Domain domain = Domain::electric) {
  CircuitBuilder builder("by_hand");
  std::vector<NodeId> nodes{builder.reference(domain)};
  for (const Line& line : lines) {
    while (static_cast<int>(nodes.size()) <= std::max(line.from, line.to)) nodes.push_back(builder.add_node(domain));
    builder.add_branch(line.kind, nodes[static_cast<std::size_t>(line.from)], nodes[static_cast<std::size_t>(line.to)]);
  }
  return pencil_verdict(builder.take(), 1);
}

/// Two shafts joined by gears of the given ratios, each shaft with one branch to the frame.
PencilVerdict verdict_of_geared_shafts(BranchKind left, BranchKind right, std::initializer_list<double> ratios) {
  CircuitBuilder builder("geared");
  const NodeId frame = builder.reference(Domain::rotational);
  const NodeId a = builder.add_node(Domain::rotational);
  const NodeId b = builder.add_node(Domain::rotational);
  builder.add_branch(left, a, frame);
  builder.add_branch(right, b, frame);
  for (const double ratio : ratios) builder.add_two_port(a, frame, b, frame, ratio);
  return pencil_verdict(builder.take(), 1);
}

}  // namespace

TEST_CASE("residues_of_dyadic_fractions_are_exact") {
  CHECK(multiply_mod(residue_of(0.5), 2) == 1);
  CHECK(multiply_mod(residue_of(-1.25), 4) == prime - 5);
  CHECK(residue_of(0x1p61) == 1);
  CHECK(residue_of(0.0) == 0);
  CHECK(multiply_mod(invert_mod(12345), 12345) == 1);
}

TEST_CASE("kronecker_index_of_a_nilpotent_chain_is_its_length") {
  std::mt19937_64 random(7);
  for (std::size_t length = 1; length <= 5; ++length) {
    Pencil pencil{ModularMatrix(length + 1), ModularMatrix(length + 1)};  // N x' = x, and y' = 2 y beside it
    for (std::size_t row = 0; row < length; ++row) pencil.a.at(row, row) = 1;
    for (std::size_t row = 0; row + 1 < length; ++row) pencil.e.at(row, row + 1) = 1;
    pencil.e.at(length, length) = 1;
    pencil.a.at(length, length) = 2;
    CHECK(pencil_verdict(pencil, random) == of_index(static_cast<int>(length), 1));
  }
}

TEST_CASE("explicit_equations_have_index_zero") {
  std::mt19937_64 random(7);
  Pencil pencil{ModularMatrix(2), ModularMatrix(2)};
  pencil.e.at(0, 0) = pencil.e.at(1, 1) = 1;
  pencil.a.at(0, 1) = 3;
  CHECK(pencil_verdict(pencil, random) == of_index(0, 2));
}

TEST_CASE("electric_circuits_of_known_index") {
  CHECK(verdict_of({{A, 1, 0}, {R, 1, 2}, {C, 2, 0}}) == of_index(1, 1));                        // RC
  CHECK(verdict_of({{A, 1, 0}, {R, 1, 2}, {L, 2, 0}}) == of_index(1, 1));                        // RL
  CHECK(verdict_of({{A, 1, 0}, {C, 1, 0}, {R, 1, 0}}) == of_index(2, 0));                        // C-V loop
  CHECK(verdict_of({{A, 1, 0}, {C, 1, 2}, {C, 2, 0}, {R, 2, 0}}) == of_index(2, 1));             // C-C-V loop
  CHECK(verdict_of({{T, 0, 1}, {L, 1, 0}}) == of_index(2, 0));                                   // L-I cutset
  CHECK(verdict_of({{A, 1, 0}, {R, 1, 2}, {L, 2, 3}, {L, 3, 4}, {R, 4, 0}}) == of_index(2, 1));  // L-L cutset
  CHECK(verdict_of({{A, 1, 0}, {L, 1, 2}, {R, 2, 0}}) == of_index(1, 1));                        // one pipe in a branch
  CHECK(verdict_of({{A, 1, 0}, {R, 1, 2}, {C, 2, 0}, {C, 2, 0}}) == of_index(1, 1));             // C-only loop
  CHECK(verdict_of({{R, 1, 0}, {C, 1, 2}, {C, 2, 3}, {C, 3, 1}, {R, 2, 0}, {R, 3, 0}}) == of_index(1, 2));
  CHECK(verdict_of({{R, 1, 0}, {L, 1, 0}, {L, 1, 0}}) == of_index(1, 2));  // L-only loop
}

TEST_CASE("contradictory_and_undetermined_circuits_are_singular") {
  CHECK(verdict_of({{A, 1, 0}, {A, 1, 0}, {R, 1, 0}}) == singular);      // loop of voltage sources
  CHECK(verdict_of({{T, 0, 1}, {T, 1, 2}, {R, 2, 0}}) == singular);      // cutset of current sources
  CHECK(verdict_of({{R, 1, 0}, {R, 2, 3}}) == singular);                 // a part without ground
  CHECK(verdict_of({{T, 0, 1}, {R, 1, 2}}, Domain::solid) == singular);  // lumped walls, no temperature given
}

TEST_CASE("thermal_circuits_of_known_index") {
  CHECK(verdict_of({{C, 1, 0}, {R, 1, 2}, {A, 2, 0}, {T, 0, 1}}, Domain::solid) == of_index(1, 1));
  CHECK(verdict_of({{C, 1, 0}, {R, 1, 2}, {R, 2, 3}, {A, 3, 0}}, Domain::solid) ==
        of_index(1, 1));                                                       // node 2 a lumped wall
  CHECK(verdict_of({{C, 1, 0}, {A, 1, 0}}, Domain::solid) == of_index(2, 0));  // a wall held at a temperature
}

TEST_CASE("geared_shafts_of_known_index") {
  CHECK(verdict_of_geared_shafts(C, R, {3.0}) == of_index(1, 1));
  CHECK(verdict_of_geared_shafts(C, L, {3.0}) == of_index(1, 2));
  CHECK(verdict_of_geared_shafts(C, C, {3.0}) == of_index(2, 1));  // J1 w1' = t1, J2 w2' = t2, w1 = 3 w2
  CHECK(verdict_of_geared_shafts(L, L, {3.0}) == of_index(2, 1));  // two springs pull at each other through the gear
  CHECK(verdict_of_geared_shafts(R, R, {3.0, 3.0}) == singular);   // the share of two equal gears is undetermined
  CHECK(verdict_of_geared_shafts(R, R, {3.0, 2.0}) == of_index(1, 0));  // locked at rest: w = 0, torques follow
  CHECK(verdict_of_geared_shafts(C, R, {3.0, 2.0}) == of_index(2, 0));  // J w' = t with w = 0
  CHECK(verdict_of_geared_shafts(A, A, {3.0}) == singular);             // two speeds given
  CHECK(verdict_of_geared_shafts(A, C, {3.0}) == of_index(2, 0));
  CHECK(verdict_of_geared_shafts(T, T, {3.0}) == singular);  // no speed determined
}
