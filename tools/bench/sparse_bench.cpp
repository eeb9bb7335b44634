// The kernels of large blocks beside KLU (SuiteSparse) on the same matrices: resistor grids of rows x rows nodes and
// ladders. Orders are chosen once; what is timed is what a plant does while it runs: factor and solve, medians.
//
//   sparse_bench [ROWS]...             default: 10 32 100 316
//   sparse_bench --network FILE        of links "node node conductance", -1 the ground; prints takt's and KLU's entries
//                                      and ns of factor and solve

#include <klu.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "codegen/dae/algebra/network_order.hpp"
#include "runtime/math/conductance_network.hpp"

namespace {

using takt::codegen::NetworkLink;

struct Problem {
  std::size_t nodes = 0;
  std::vector<NetworkLink> links;
  std::vector<double> conductance, ground;
};

Problem grid(std::size_t rows, bool ladder) {
  Problem problem;
  problem.nodes = rows * rows;
  for (std::size_t node = 0; node < problem.nodes; ++node) {
    if (ladder) {
      if (node > 0) problem.links.push_back({node - 1, node});
      continue;
    }
    if ((node + 1) % rows != 0) problem.links.push_back({node, node + 1});
    if (node + rows < problem.nodes) problem.links.push_back({node, node + rows});
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> some(0.1, 10.0);
  for (std::size_t k = 0; k < problem.links.size(); ++k) problem.conductance.push_back(some(random));
  problem.ground.assign(problem.nodes, ladder ? 0.5 : 0.0);
  problem.ground.back() = 1.0;
  return problem;
}

/// Parallel links are one.
Problem network_of(const char* file) {
  Problem problem;
  std::map<std::pair<int, int>, double> conductance;
  std::ifstream in(file);
  int a = 0, b = 0;
  for (double g = 0.0; in >> a >> b >> g;) conductance[std::minmax(a, b)] += g;
  for (const auto& [ends, g] : conductance)
    problem.nodes = std::max(problem.nodes, static_cast<std::size_t>(ends.second) + 1);
  problem.ground.assign(problem.nodes, 0.0);
  for (const auto& [ends, g] : conductance) {
    const auto [low, high] = ends;
    if (low < 0) {
      problem.ground[static_cast<std::size_t>(high)] += g;
      continue;
    }
    problem.links.push_back({static_cast<std::size_t>(low), static_cast<std::size_t>(high)});
    problem.conductance.push_back(g);
  }
  return problem;
}

/// Median of several, in microseconds.
template <class Work>
double time_of(const Work& work) {
  std::vector<double> times;
  const auto begin = std::chrono::steady_clock::now();
  do {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  } while (times.size() < 11 || std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(300));
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

struct Times {
  double factor = 0.0, solve = 0.0;
  std::size_t entries = 0;
  std::vector<double> x;
};

Times by_takt(const Problem& problem) {
  const takt::codegen::NetworkTables tables = takt::codegen::order_network(problem.nodes, problem.links);
  const takt::ConductancePattern pattern{static_cast<std::uint32_t>(problem.nodes),
                                         tables.link_start.data(),
                                         tables.other.data(),
                                         tables.lower_start.data(),
                                         tables.lower_link.data(),
                                         tables.lower_node.data(),
                                         tables.node.data(),
                                         tables.sourced.data()};
  std::vector<std::uint32_t> place;
  for (const NetworkLink& link : problem.links) place.push_back(tables.place_of(link.a, link.b));
  std::vector<double> link(tables.links()), ground(problem.nodes), inverse(problem.nodes), scratch(2 * problem.nodes);
  const takt::ConductanceFactors factors{link.data(), ground.data(), inverse.data()};
  Times times;
  times.entries = tables.links() + problem.nodes;
  times.factor = time_of([&] {
    std::fill(link.begin(), link.end(), 0.0);
    for (std::size_t k = 0; k < place.size(); ++k) link[place[k]] += problem.conductance[k];
    for (std::size_t node = 0; node < problem.nodes; ++node) ground[tables.position[node]] = problem.ground[node];
    takt::factor_network(pattern, factors, scratch.data());
  });
  times.solve = time_of([&] {
    times.x.assign(problem.nodes, 0.0);
    times.x.front() = 1.0;
    takt::solve_injections(pattern, factors, scratch.data(), times.x.data());
  });
  return times;
}

Times by_klu(const Problem& problem) {
  std::vector<std::vector<std::pair<int, double>>> columns(problem.nodes);
  std::vector<double> diagonal = problem.ground;
  for (std::size_t k = 0; k < problem.links.size(); ++k) {
    const auto [a, b, sourced] = problem.links[k];
    columns[a].emplace_back(static_cast<int>(b), -problem.conductance[k]);
    columns[b].emplace_back(static_cast<int>(a), -problem.conductance[k]);
    diagonal[a] += problem.conductance[k], diagonal[b] += problem.conductance[k];
  }
  std::vector<int> start{0}, row;
  std::vector<double> value;
  for (std::size_t node = 0; node < problem.nodes; ++node) {
    columns[node].emplace_back(static_cast<int>(node), diagonal[node]);
    std::sort(columns[node].begin(), columns[node].end());
    for (const auto& [at, entry] : columns[node]) row.push_back(at), value.push_back(entry);
    start.push_back(static_cast<int>(row.size()));
  }
  const int n = static_cast<int>(problem.nodes);
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, start.data(), row.data(), &common);
  klu_numeric* numeric = klu_factor(start.data(), row.data(), value.data(), symbolic, &common);
  Times times;
  times.entries = static_cast<std::size_t>(numeric->lnz);
  times.factor = time_of([&] { klu_refactor(start.data(), row.data(), value.data(), symbolic, numeric, &common); });
  times.solve = time_of([&] {
    times.x.assign(problem.nodes, 0.0);
    times.x.front() = 1.0;
    klu_solve(symbolic, numeric, n, 1, times.x.data(), &common);
  });
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return times;
}

/// Of both solutions, over the largest potential.
double difference(const Times& own, const Times& klu) {
  double worst = 0.0, largest = 0.0;
  for (std::size_t node = 0; node < own.x.size(); ++node) {
    worst = std::max(worst, std::fabs(own.x[node] - klu.x[node]));
    largest = std::max(largest, std::fabs(klu.x[node]));
  }
  return worst / largest;
}

int refused(double difference) {
  return std::fprintf(stderr, "the potentials differ by %g of the largest\n", difference), 1;
}

int compare_network(const char* file) {
  const Problem problem = network_of(file);
  if (problem.links.empty()) return std::fprintf(stderr, "%s has no links\n", file), 2;
  const Times own = by_takt(problem), klu = by_klu(problem);
  // Conditions of long chains grow with the square of their length: both lose as many digits.
  if (const double off = difference(own, klu); !(off <= 1e-6)) return refused(off);
  std::printf("nodes %zu takt %zu %.1f %.1f klu %zu %.1f %.1f\n", problem.nodes, own.entries, 1e3 * own.factor,
              1e3 * own.solve, klu.entries, 1e3 * klu.factor, 1e3 * klu.solve);
  return 0;
}

int compare_grids(const std::vector<std::size_t>& sizes) {
  std::printf(
      "| network | nodes | entries: takt | KLU | factor, us: takt | KLU | solve, us: takt | KLU | both, ratio |\n");
  std::printf("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const bool ladder : {false, true})
    for (const std::size_t rows : sizes) {
      const Problem problem = grid(rows, ladder);
      const Times own = by_takt(problem), klu = by_klu(problem);
      if (const double off = difference(own, klu); !(off <= 1e-9)) return refused(off);
      std::printf("| %s | %zu | %zu | %zu | %.1f | %.1f | %.1f | %.1f | %.2f |\n", ladder ? "ladder" : "grid",
                  problem.nodes, own.entries, klu.entries, own.factor, klu.factor, own.solve, klu.solve,
                  (own.factor + own.solve) / (klu.factor + klu.solve));
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--network") == 0) return compare_network(argv[2]);
  std::vector<std::size_t> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[k])));
  if (sizes.empty()) sizes = {10, 32, 100, 316};
  return compare_grids(sizes);
}
