#include "runtime/graph/components.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "runtime/graph/disjoint_sets.hpp"

using namespace takt::graph;

namespace {

/// Node k leads to k + 1.
std::vector<Nodes> chain(std::size_t nodes) {
  std::vector<Nodes> successors(nodes);
  for (std::size_t node = 0; node + 1 < nodes; ++node) successors[node] = {node + 1};
  return successors;
}

/// Whether one node leads to another.
std::vector<std::vector<bool>> reachable(const std::vector<Nodes>& successors) {
  const std::size_t n = successors.size();
  std::vector<std::vector<bool>> from(n, std::vector<bool>(n, false));
  for (std::size_t node = 0; node < n; ++node) {
    from[node][node] = true;
    for (const std::size_t successor : successors[node]) from[node][successor] = true;
  }
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (from[a][via] && from[via][b]) from[a][b] = true;
  return from;
}

}  // namespace

TEST_CASE("a strong component comes after all that it leads to, its members in ascending order") {
  CHECK(strong_components({}).empty());
  CHECK(strong_components({{2, 1}, {}, {}, {1}}) == std::vector<Nodes>{{2}, {1}, {0}, {3}});
  CHECK(strong_components({{0}, {2, 3}, {1}, {}}) == std::vector<Nodes>{{0}, {3}, {1, 2}});
}

TEST_CASE("strong components of random graphs are the classes of nodes that lead to each other, in order") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random() % 12;
    std::vector<Nodes> successors(n);
    for (std::size_t edge = random() % (2 * n); edge > 0; --edge) successors[random() % n].push_back(random() % n);
    const auto from = reachable(successors);
    std::set<std::size_t> closed;
    for (const Nodes& component : strong_components(successors)) {
      CHECK(std::is_sorted(component.begin(), component.end()));
      closed.insert(component.begin(), component.end());
      for (std::size_t other = 0; other < n; ++other) {
        const bool member = std::binary_search(component.begin(), component.end(), other);
        CHECK(member == (from[component.front()][other] && from[other][component.front()]));
        if (from[component.front()][other]) CHECK(closed.contains(other));
      }
    }
    CHECK(closed.size() == n);
  }
}

TEST_CASE("long chains and long loops need no deep recursion") {
  constexpr std::size_t n = 300'000;
  std::vector<Nodes> successors = chain(n);
  CHECK(strong_components(successors).size() == n);
  CHECK(strong_components(successors).front() == Nodes{n - 1});
  successors.back() = {0};
  CHECK(strong_components(successors).size() == 1);
  std::vector<Edge> edges;
  for (std::size_t node = 0; node < n; ++node) edges.emplace_back(node, (node + 1) % n);
  CHECK(biconnected_components(n, edges).size() == 1);
}

TEST_CASE("edges on a common circle are one part, a bridge is one of its own") {
  // triangles 0-1-2 and 3-4-5, joined by the bridge 2-3; a square 5-6-7-8 that shares node 5
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}, {5, 6}, {6, 7}, {7, 8}, {5, 8}};
  std::set<std::set<Edge>> parts;
  for (const auto& part : biconnected_components(10, edges)) parts.emplace(part.begin(), part.end());
  CHECK(parts == std::set<std::set<Edge>>{
                     {{0, 1}, {1, 2}, {0, 2}}, {{2, 3}}, {{3, 4}, {4, 5}, {3, 5}}, {{5, 6}, {6, 7}, {7, 8}, {5, 8}}});
  CHECK(biconnected_components(3, {}).empty());
}

TEST_CASE("sets are called by their smallest member") {
  DisjointSets sets(5);
  sets.join(4, 2);
  sets.join(3, 4);
  CHECK(sets.find(3) == 2);
  CHECK(sets.find(1) == 1);
  sets.join(3, 0);
  CHECK(sets.find(4) == 0);
}
