#pragma once
// A circuit as bare structure, to be grown by random additions and then built in random order: a verdict must depend
// neither on the order of nodes and branches nor on their directions.

#include <random>
#include <string>
#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen::testing {

/// Vertex of a sketch: `ground`, the reference vertex of whatever domain the other end has, or an index into `nodes`.
using Vertex = int;
inline constexpr Vertex ground = -1;

struct SketchBranch {
  BranchKind kind{};
  Vertex from = ground, to = ground;  ///< not both ground
};

struct SketchTwoPort {
  Vertex a_from = ground, a_to = ground, b_from = ground, b_to = ground;
  double ratio = 1.0;
};

struct CircuitSketch {
  std::vector<Domain> nodes;
  std::vector<SketchBranch> branches;
  std::vector<SketchTwoPort> two_ports;

  [[nodiscard]] Vertex add_node(Domain domain);
  void add(BranchKind kind, Vertex from, Vertex to) { branches.push_back({kind, from, to}); }
  void gear(Vertex a, Vertex b, double ratio) { two_ports.push_back({a, ground, b, ground, ratio}); }
};

/// The sketch with nodes and branches in random order and direction, values and forms of dissipators at random.
[[nodiscard]] Network build(const CircuitSketch& sketch, const std::string& name, std::mt19937_64& random);

/// One line per branch and two-port, for the message of a failing test.
[[nodiscard]] std::string describe(const CircuitSketch& sketch);

}  // namespace takt::codegen::testing
