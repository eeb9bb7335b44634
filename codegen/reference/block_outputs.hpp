#pragma once
// Outputs of control blocks in the order in which they are computed at one instant.

#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen {

struct BlockOutput {
  SymbolId symbol{};
  Expr value{};
  std::size_t block = 0;  ///< of Network::blocks
};

/// Those that others read first; what is left over in a loop (between periods) keeps its order and
/// reads the last values.
[[nodiscard]] std::vector<BlockOutput> block_outputs(const Network& network);

}  // namespace takt::codegen
