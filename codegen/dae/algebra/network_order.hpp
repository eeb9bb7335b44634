#pragma once
// Order and fill-in of the star-mesh elimination of a network of conductances, from its links
// alone: what runtime/math/conductance_network.hpp then eliminates over index tables.

#include <cstdint>
#include <vector>

namespace takt::codegen {

/// Two nodes, a the row and b the column.
struct NetworkLink {
  std::size_t a = 0, b = 0;
  bool sourced = false;  ///< something drives a current through it
};

/// takt::ConductancePattern with its tables.
struct NetworkTables {
  std::vector<std::uint32_t> link_start, other, lower_start, lower_link, lower_node, node;
  std::vector<std::uint8_t> sourced;
  std::vector<std::uint32_t> position;  ///< [nodes] in the order of elimination
  [[nodiscard]] std::size_t size() const { return node.size(); }
  [[nodiscard]] std::size_t links() const { return other.size(); }
  /// Among the links. @pre a network with these nodes has it
  [[nodiscard]] std::uint32_t place_of(std::size_t a, std::size_t b) const;
  /// Whether anything is: else no sources are kept.
  [[nodiscard]] bool any_sourced() const;
  /// Conductances that the elimination computes: links between the neighbours of every node.
  [[nodiscard]] std::size_t operations() const;
};

/// Approximate minimum degree: P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl.
/// 17 (1996). No pivot is ever looked for: diagonals are sums of what is positive.
[[nodiscard]] NetworkTables order_network(std::size_t nodes, const std::vector<NetworkLink>& links);

}  // namespace takt::codegen
