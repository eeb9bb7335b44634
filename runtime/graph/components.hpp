#pragma once
// Parts of graphs. The same input gives the same parts in the same order: the order of emitted code hangs on it.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace takt::graph {

using Nodes = std::vector<std::size_t>;
using Edge = std::pair<std::size_t, std::size_t>;

/// Strongly connected components, each after all that its members lead to; the search begins at node 0 and takes
/// successors as they are listed. Members ascending.
/// @param successors  of each node
[[nodiscard]] std::vector<Nodes> strong_components(const std::vector<Nodes>& successors);

/// Parts of an undirected graph, as edges, in which any two edges lie on a common circle. Where the graph is strongly
/// connected with directions, so is each part.
/// @param nodes  how many
/// @param edges  each once
[[nodiscard]] std::vector<std::vector<Edge>> biconnected_components(std::size_t nodes, std::span<const Edge> edges);

}  // namespace takt::graph
