#pragma once
// Gauss-Seidel order of subsystems: strongly connected parts are broken where extrapolation hurts
// least.

#include <cstddef>
#include <string>
#include <vector>

namespace takt::codegen {

/// One dependency: `consumer` reads what `producer` computes; penalty is what it costs to
/// extrapolate it.
struct Dependency {
  std::size_t producer = 0, consumer = 0;
  double penalty = 0.0;
};

struct EvaluationOrder {
  std::vector<std::size_t> order;  ///< producers first where there is no cycle
  std::vector<std::vector<std::size_t>>
      loops;  ///< strongly connected parts with more than one member, as found
};

/// @param nodes  number of subsystems; independent ones keep the order of their index, so the
/// result is deterministic
[[nodiscard]] EvaluationOrder evaluation_order(std::size_t nodes,
                                               const std::vector<Dependency>& dependencies);

/// Strongly connected components of the subgraph on `nodes`, producers first, members ascending.
/// @param nodes  ascending
[[nodiscard]] std::vector<std::vector<std::size_t>> strong_components(
    const std::vector<std::size_t>& nodes, const std::vector<Dependency>& dependencies);

}  // namespace takt::codegen
