#include "runtime/graph/components.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/strong_components.hpp>

// Boost's searches keep their stack on the heap, so that chains of any length are searched, unless this is set.
#ifdef BOOST_RECURSIVE_DFS
#error "long chains would overflow the stack"
#endif

namespace takt::graph {

std::vector<Nodes> strong_components(const std::vector<Nodes>& successors) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(successors.size());
  for (std::size_t node = 0; node < successors.size(); ++node)
    for (const std::size_t successor : successors[node]) boost::add_edge(node, successor, graph);
  std::vector<std::size_t> component(successors.size());
  // Tarjan's algorithm: numbers are given as components are closed, so after those they lead to.
  const auto count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<Nodes> components(count);
  for (std::size_t node = 0; node < component.size(); ++node) components[component[node]].push_back(node);
  return components;
}

std::vector<std::vector<Edge>> biconnected_components(std::size_t nodes, std::span<const Edge> edges) {
  using Index = boost::property<boost::edge_index_t, std::size_t>;
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Index>;
  Graph graph(nodes);
  for (std::size_t k = 0; k < edges.size(); ++k) boost::add_edge(edges[k].first, edges[k].second, Index(k), graph);
  std::vector<std::size_t> component(edges.size());
#ifdef __clang_analyzer__  // takes what Boost's search shares with its visitor for freed twice
  const std::size_t count = edges.size();
#else
  const auto count = boost::biconnected_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::edge_index, graph)));
#endif
  std::vector<std::vector<Edge>> components(count);
  for (std::size_t k = 0; k < edges.size(); ++k) components[component[k]].push_back(edges[k]);
  return components;
}

}  // namespace takt::graph
