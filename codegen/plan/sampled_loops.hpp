#pragma once
// How often subsystems must exchange for control blocks to close their loops: what a block samples
// every 50 us has to reach it every 50 us, and so has what passes between circuits on the way
// round.

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"
#include "codegen/plan/evaluation_order.hpp"

namespace takt::codegen {

/// Who reads whom, each pair once; penalties are 0.
[[nodiscard]] std::vector<Dependency> dependencies_of(const Network& network, const DaeResult& dae);

/// Two subsystems that had better exchange as often as a block is sampled.
struct SampledPair {
  std::size_t a = 0, b = 0;
  std::int64_t period_ns = 0;
  bool loop = false;  ///< what one sends comes back to it
};

struct SampledGroup {
  std::int64_t period_ns = 0;
  std::vector<std::size_t> members;  ///< subsystems, ascending, those of groups inside included
  std::optional<std::size_t>
      parent;  ///< index of the group around it, which stands before it; nothing: the plant
};

struct SampledLoops {
  std::vector<SampledGroup> groups;
  std::vector<SampledPair> pairs;  ///< among those who exchange; a < b
};

/// Subsystems that exchange more often than `outer_ns`, as groups that nest. A pair exchanges at
/// the period of the slower of two blocks, at that of the block where one end is a circuit, and two
/// circuits at that of the fastest loop of control through both. Periods are those of blocks or,
/// where such a one does not divide what is around it, the largest part of both.
[[nodiscard]] SampledLoops sampled_loops(const DaeResult& dae,
                                         const std::vector<Dependency>& dependencies,
                                         std::int64_t outer_ns);

}  // namespace takt::codegen
