// The kernels of large blocks beside KLU (SuiteSparse) on the same matrices: resistor grids of rows x rows nodes and
// ladders. Orders are chosen once; what is timed is what a plant does while it runs: factor and solve, medians.
//
//   sparse_bench [ROWS]...     default: 10 32 100 316

#include <klu.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[k])));
  if (sizes.empty()) sizes = {10, 32, 100, 316};
  std::printf(
      "| network | nodes | entries: takt | KLU | factor, us: takt | KLU | solve, us: takt | KLU | both, ratio |\n");
  std::printf("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const bool ladder : {false, true})
    for (const std::size_t rows : sizes) {
      const Problem problem = grid(rows, ladder);
      const Times own = by_takt(problem), klu = by_klu(problem);
      double worst = 0.0, largest = 0.0;
      for (std::size_t node = 0; node < problem.nodes; ++node) {
        worst = std::max(worst, std::fabs(own.x[node] - klu.x[node]));
        largest = std::max(largest, std::fabs(klu.x[node]));
      }
      if (!(worst <= 1e-9 * largest)) return std::fprintf(stderr, "the potentials differ by %g\n", worst / largest), 1;
      std::printf("| %s | %zu | %zu | %zu | %.1f | %.1f | %.1f | %.1f | %.2f |\n", ladder ? "ladder" : "grid",
                  problem.nodes, own.entries, klu.entries, own.factor, klu.factor, own.solve, klu.solve,
                  (own.factor + own.solve) / (klu.factor + klu.solve));
    }
  return 0;
}
