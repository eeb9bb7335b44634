// Networks of conductances over tables: potentials of random networks against the same elimination of dense matrices in
// long double, also where conductances differ by many powers of ten, as they are and with sources in their links.

#include "codegen/dae/algebra/network_order.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "runtime/math/conductance_network.hpp"

using namespace takt::codegen;

namespace {

struct Network {
  std::vector<NetworkLink> links;
  std::vector<double> conductance, source;  // of each link, the source from a to b
  std::vector<double> ground, right;
};

/// A tree, some chords, and one node or two at a known potential.
Network random_network(std::size_t nodes, double spread, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Network network;
  network.ground.assign(nodes, 0.0);
  const auto conductance = [&] { return std::pow(10.0, spread * uniform(random)); };
  const auto join = [&](std::size_t a, std::size_t b) {
    const bool sourced = uniform(random) < 0.3;
    for (const NetworkLink& link : network.links)
      if ((link.a == a && link.b == b) || (link.a == b && link.b == a)) return;
    network.links.push_back({a, b, sourced});
    network.conductance.push_back(conductance());
    network.source.push_back(sourced ? network.conductance.back() * (uniform(random) - 0.5) : 0.0);
  };
  for (std::size_t node = 1; node < nodes; ++node) join(random() % node, node);
  for (std::size_t chord = 0; chord < nodes; ++chord) {
    const std::size_t a = random() % nodes, b = random() % nodes;
    if (a != b) join(a, b);
  }
  for (const std::size_t node : {std::size_t{0}, nodes / 2}) network.ground[node] = conductance();
  for (std::size_t node = 0; node < nodes; ++node) network.right.push_back(uniform(random) - 0.5);
  return network;
}

std::vector<double> over_tables(const Network& network) {
  const std::size_t nodes = network.ground.size();
  const NetworkTables tables = order_network(nodes, network.links);
  std::vector<double> link(tables.links(), 0.0), source(tables.links(), 0.0), ground(nodes), inverse(nodes),
      scratch(2 * nodes), x = network.right;
  for (std::size_t k = 0; k < network.links.size(); ++k) {
    const auto [a, b, sourced] = network.links[k];
    link[tables.place_of(a, b)] = network.conductance[k];
    source[tables.place_of(a, b)] = tables.position[a] < tables.position[b] ? network.source[k] : -network.source[k];
  }
  for (std::size_t node = 0; node < nodes; ++node) ground[tables.position[node]] = network.ground[node];
  const takt::ConductancePattern pattern{
      static_cast<std::uint32_t>(nodes), tables.link_start.data(), tables.other.data(), tables.lower_start.data(),
      tables.lower_link.data(),          tables.lower_node.data(), tables.node.data(),  tables.sourced.data()};
  const takt::ConductanceFactors factors{link.data(), ground.data(), inverse.data()};
  takt::factor_network(pattern, factors, scratch.data());
  takt::solve_network(pattern, factors, {source.data(), scratch.data()}, x.data());
  return x;
}

/// Node after node as they are numbered; nothing positive is ever subtracted here either.
std::vector<double> dense(const Network& network) {
  const std::size_t nodes = network.ground.size();
  using Number = long double;
  std::vector<std::vector<Number>> g(nodes, std::vector<Number>(nodes, 0.0L)), s = g;
  std::vector<Number> ground(network.ground.begin(), network.ground.end()),
      right(network.right.begin(), network.right.end()), diagonal(nodes), x(nodes);
  for (std::size_t k = 0; k < network.links.size(); ++k) {
    const auto [a, b, sourced] = network.links[k];
    g[a][b] = g[b][a] = network.conductance[k];
    s[a][b] = network.source[k], s[b][a] = -network.source[k];
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    diagonal[node] = ground[node];
    for (std::size_t other = node + 1; other < nodes; ++other) diagonal[node] += g[node][other];
    for (std::size_t a = node + 1; a < nodes; ++a) {
      const Number share = g[node][a] / diagonal[node];
      for (std::size_t b = node + 1; b < nodes; ++b) {
        if (a == b) continue;
        g[a][b] += share * g[node][b];
        s[a][b] += share * s[node][b] - g[node][b] / diagonal[node] * s[node][a];
      }
      right[a] += share * right[node] - ground[node] / diagonal[node] * s[node][a];
      ground[a] += share * ground[node];
    }
  }
  for (std::size_t node = nodes; node-- > 0;) {
    Number sum = right[node];
    for (std::size_t other = node + 1; other < nodes; ++other) sum += g[node][other] * x[other] + s[node][other];
    x[node] = sum / diagonal[node];
  }
  return {x.begin(), x.end()};
}

}  // namespace

TEST_CASE("networks_over_tables_give_the_potentials_of_dense_elimination") {
  std::mt19937_64 random(20);
  for (const std::size_t nodes : {1u, 2u, 5u, 40u, 150u})
    for (const double spread : {0.0, 3.0, 12.0}) {
      const Network network = random_network(nodes, spread, random);
      const std::vector<double> got = over_tables(network), want = dense(network);
      double largest = 0.0;
      for (const double potential : want) largest = std::max(largest, std::fabs(potential));
      INFO(nodes << " nodes, conductances over " << spread << " powers of ten");
      for (std::size_t node = 0; node < nodes; ++node) CHECK(std::fabs(got[node] - want[node]) < 1e-11 * largest);
    }
}

TEST_CASE("a_node_behind_a_tiny_conductance_keeps_its_potential") {
  // 1 A through 1e-12 S in front of 200 S: (1e12 + 5e-3) V; beside it 1 V in 200 S and 1e-12 S to a node that carries
  // nothing.
  Network network;
  network.links = {{0, 1, false}, {1, 2, true}};
  network.conductance = {1e-12, 1e-12};
  network.source = {0.0, 1e-12};
  network.ground = {0.0, 200.0, 0.0};
  network.right = {1.0, 0.0, 0.0};
  const std::vector<double> x = over_tables(network);
  CHECK(x[0] == Approx(1e12).epsilon(1e-14));
  CHECK(x[1] == Approx(5e-3).epsilon(1e-14));
  CHECK(x[2] == Approx(5e-3 - 1.0).epsilon(1e-14));
}

TEST_CASE("trees_are_eliminated_with_little_fill") {
  std::vector<NetworkLink> tree, chain;
  for (std::size_t node = 1; node < 10000; ++node) tree.push_back({node, (node - 1) / 3, false});
  for (std::size_t node = 1; node < 10000; ++node) chain.push_back({node - 1, node, false});
  CHECK(order_network(10000, tree).links() < 12000);  // degrees are approximate
  CHECK(order_network(10000, chain).links() < 12000);
}
