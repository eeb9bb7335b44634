#include "codegen/dae/algebra/network_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace takt::codegen {
namespace {

/// Position of each node in the order of elimination.
std::vector<std::uint32_t> positions(std::size_t nodes, const std::vector<NetworkLink>& links) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (const NetworkLink& link : links) {
    const int a = static_cast<int>(link.a), b = static_cast<int>(link.b);
    entries.emplace_back(a, b, 1.0), entries.emplace_back(b, a, 1.0);
  }
  for (int node = 0; node < static_cast<int>(nodes); ++node) entries.emplace_back(node, node, 1.0);
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> matrix(static_cast<int>(nodes),
                                                           static_cast<int>(nodes));
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix, order);
  std::vector<std::uint32_t> position(nodes);
  for (std::size_t step = 0; step < nodes; ++step)
    position[static_cast<std::size_t>(order.indices()[static_cast<int>(step)])] =
        static_cast<std::uint32_t>(step);
  return position;
}

/// Of every step the later steps its node is linked to when it is eliminated: its own links, and
/// those that its children of the elimination tree leave. Source: J. W. H. Liu, SIAM J. Matrix
/// Anal. Appl. 11 (1990).
std::vector<std::vector<std::uint32_t>> fill(std::size_t nodes,
                                             const std::vector<NetworkLink>& links,
                                             const std::vector<std::uint32_t>& position) {
  std::vector<std::vector<std::uint32_t>> later(nodes), children(nodes);
  for (const NetworkLink& link : links) {
    const auto [first, last] = std::minmax(position[link.a], position[link.b]);
    later[first].push_back(last);
  }
  for (std::uint32_t step = 0; step < nodes; ++step) {
    std::vector<std::uint32_t>& own = later[step];
    for (const std::uint32_t child : children[step])
      own.insert(own.end(), later[child].begin() + 1,
                 later[child].end());  // without the step itself
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    if (!own.empty()) children[own.front()].push_back(step);
  }
  return later;
}

}  // namespace

std::uint32_t NetworkTables::place_of(std::size_t a, std::size_t b) const {
  const auto [first, last] = std::minmax(position[a], position[b]);
  const auto begin = other.begin() + link_start[first], end = other.begin() + link_start[first + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, last) - other.begin());
}

bool NetworkTables::any_sourced() const {
  return std::find(sourced.begin(), sourced.end(), 1) != sourced.end();
}

std::size_t NetworkTables::operations() const {
  std::size_t sum = size();
  for (std::size_t step = 0; step < size(); ++step) {
    const std::size_t degree = link_start[step + 1] - link_start[step];
    sum += degree * (degree + 1) / 2;
  }
  return sum;
}

NetworkTables order_network(std::size_t nodes, const std::vector<NetworkLink>& links) {
  NetworkTables tables;
  tables.position = positions(nodes, links);
  const std::vector<std::vector<std::uint32_t>> later = fill(nodes, links, tables.position);
  tables.node.resize(nodes);
  tables.sourced.assign(nodes, 0);
  for (std::size_t node = 0; node < nodes; ++node)
    tables.node[tables.position[node]] = static_cast<std::uint32_t>(node);
  for (const NetworkLink& link : links)
    if (link.sourced)
      tables.sourced[std::min(tables.position[link.a], tables.position[link.b])] = 1;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> lower(
      nodes);  // link, node it leads from
  tables.link_start.push_back(0);
  for (std::uint32_t step = 0; step < nodes; ++step) {
    for (const std::uint32_t other : later[step]) {
      lower[other].emplace_back(static_cast<std::uint32_t>(tables.other.size()), step);
      if (tables.sourced[step] != 0 && other != later[step].back()) tables.sourced[other] = 1;
      tables.other.push_back(other);
    }
    tables.link_start.push_back(static_cast<std::uint32_t>(tables.other.size()));
  }
  tables.lower_start.push_back(0);
  for (const auto& row : lower) {
    for (const auto& [link, from] : row)
      tables.lower_link.push_back(link), tables.lower_node.push_back(from);
    tables.lower_start.push_back(static_cast<std::uint32_t>(tables.lower_link.size()));
  }
  return tables;
}

}  // namespace takt::codegen
