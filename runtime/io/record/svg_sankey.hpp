#pragma once
// Amounts that flow between nodes, drawn as ribbons as wide as they are.

#include <cstddef>
#include <string>
#include <vector>

namespace takt::svg {

struct FlowNode {
  std::string name;
  std::size_t column = 0;  ///< from left to right
  std::size_t colour = 0;  ///< of html::style()
};

struct Flow {
  std::size_t from = 0, to = 0;  ///< nodes; from stands further left
  double amount = 0.0;           ///< above zero
};

/// A whole <svg>. @param text  of an amount, for nodes and for what is pointed at
[[nodiscard]] std::string sankey(const std::vector<FlowNode>& nodes, const std::vector<Flow>& flows,
                                 std::string (*text)(double amount));

}  // namespace takt::svg
