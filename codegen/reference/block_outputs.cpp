#include "codegen/reference/block_outputs.hpp"

#include <algorithm>

namespace takt::codegen {

std::vector<BlockOutput> block_outputs(const Network& network) {
  std::vector<BlockOutput> open, ordered;
  for (std::size_t block = 0; block < network.blocks.size(); ++block)
    for (const ControlBlock::Output& output : network.blocks[block].outputs)
      open.push_back({output.symbol, output.value, block});
  while (!open.empty()) {
    const auto free = std::find_if(open.begin(), open.end(), [&](const BlockOutput& output) {
      const std::vector<SymbolId> read = network.graph().symbols_of(output.value);
      return std::none_of(open.begin(), open.end(), [&](const BlockOutput& other) {
        return other.symbol != output.symbol &&
               std::binary_search(read.begin(), read.end(), other.symbol);
      });
    });
    const auto chosen = free == open.end() ? open.begin() : free;
    ordered.push_back(*chosen);
    open.erase(chosen);
  }
  return ordered;
}

}  // namespace takt::codegen
