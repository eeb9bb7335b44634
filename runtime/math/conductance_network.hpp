#pragma once
// Potentials of a network of conductances over index tables, without cancellation: star-mesh elimination, order and
// fill-in chosen when the plant was generated (codegen/dae/algebra/network_order.hpp). Between two nodes flows
//   i_ab = g_ab*(u_a - u_b) - s_ab,   and   sum_b i_ab + ground_a*u_a = right_a.
// Diagonals are sums of what is left, so that 1e-12 S beside 200 S survives: the GTH rule, W. Grassmann et al., Oper.
// Res. 33 (1985). Sources s stay with their links, weighted by shares between 0 and 1. Every sum in the order of its
// table: the same bits everywhere.

#include <cstdint>

namespace takt {

/// Links of every node to those eliminated after it, in the order of elimination.
struct ConductancePattern {
  std::uint32_t size = 0;
  const std::uint32_t* link_start = nullptr;   ///< [size + 1] first link of each node
  const std::uint32_t* other = nullptr;        ///< [links] the node at its other end, ascending
  const std::uint32_t* lower_start = nullptr;  ///< [size + 1] first of the links that lead to a node from earlier ones
  const std::uint32_t* lower_link = nullptr;   ///< [links] by the node they lead to, ascending
  const std::uint32_t* lower_node = nullptr;   ///< [links] the node they lead from
  const std::uint32_t* node = nullptr;         ///< [size] place of its right-hand side and of its potential
  const std::uint8_t* sourced = nullptr;       ///< [size] whether its links may have sources
};

/// Conductances of a network: as given, fill-in zero, then as its elimination leaves them.
struct ConductanceFactors {
  double* link = nullptr;     ///< [links]
  double* ground = nullptr;   ///< [size]
  double* inverse = nullptr;  ///< [size] of the diagonals; written
};

/// @param scratch  [size]   Real-time: bounded by the pattern, no heap.
inline void factor_network(const ConductancePattern& pattern, const ConductanceFactors& factors,
                           double* scratch) noexcept {
  for (std::uint32_t node = 0; node < pattern.size; ++node) {
    const std::uint32_t begin = pattern.link_start[node], end = pattern.link_start[node + 1];
    for (std::uint32_t link = begin; link < end; ++link) scratch[pattern.other[link]] = factors.link[link];
    double ground = factors.ground[node];
    for (std::uint32_t k = pattern.lower_start[node]; k < pattern.lower_start[node + 1]; ++k) {
      const std::uint32_t from = pattern.lower_node[k], to_here = pattern.lower_link[k];
      const double share = factors.link[to_here] * factors.inverse[from];
      ground += share * factors.ground[from];
      for (std::uint32_t link = to_here + 1; link < pattern.link_start[from + 1]; ++link)
        scratch[pattern.other[link]] += share * factors.link[link];
    }
    factors.ground[node] = ground;
    double diagonal = ground;
    for (std::uint32_t link = begin; link < end; ++link) diagonal += factors.link[link] = scratch[pattern.other[link]];
    factors.inverse[node] = 1.0 / diagonal;
  }
}

/// What drives a network, and room to solve it in.
struct ConductanceSources {
  double* link = nullptr;     ///< [links] s as seen from the earlier node; changed. Not read where nothing is sourced
  double* scratch = nullptr;  ///< [2 * size]
};

/// @param factors  what factor_network() left
/// @param x        [size] in: right-hand sides, out: potentials   Real-time: bounded by the pattern, no heap.
inline void solve_network(const ConductancePattern& pattern, const ConductanceFactors& factors,
                          const ConductanceSources& sources, double* x) noexcept {
  double* right = sources.scratch;
  double* row = sources.scratch + pattern.size;
  for (std::uint32_t node = 0; node < pattern.size; ++node) {
    const std::uint32_t begin = pattern.link_start[node], end = pattern.link_start[node + 1];
    const bool sourced = pattern.sourced[node] != 0;
    if (sourced)
      for (std::uint32_t link = begin; link < end; ++link) row[pattern.other[link]] = sources.link[link];
    double sum = x[pattern.node[node]];
    for (std::uint32_t k = pattern.lower_start[node]; k < pattern.lower_start[node + 1]; ++k) {
      const std::uint32_t from = pattern.lower_node[k], to_here = pattern.lower_link[k];
      const double share = factors.link[to_here] * factors.inverse[from];
      sum += share * right[from];
      if (pattern.sourced[from] == 0) continue;
      const double driven = sources.link[to_here] * factors.inverse[from];
      sum -= factors.ground[from] * driven;
      for (std::uint32_t link = to_here + 1; link < pattern.link_start[from + 1]; ++link)
        row[pattern.other[link]] += share * sources.link[link] - factors.link[link] * driven;
    }
    right[node] = sum;
    if (sourced)
      for (std::uint32_t link = begin; link < end; ++link) sources.link[link] = row[pattern.other[link]];
  }
  double* potential = row;
  for (std::uint32_t node = pattern.size; node-- > 0;) {
    double sum = right[node];
    for (std::uint32_t link = pattern.link_start[node]; link < pattern.link_start[node + 1]; ++link) {
      sum += factors.link[link] * potential[pattern.other[link]];
      if (pattern.sourced[node] != 0) sum += sources.link[link];
    }
    potential[node] = sum * factors.inverse[node];
    x[pattern.node[node]] = potential[node];
  }
}

/// The same without sources in links.
/// @param right  [size]   Real-time: bounded by the pattern, no heap.
inline void solve_injections(const ConductancePattern& pattern, const ConductanceFactors& factors, double* right,
                             double* x) noexcept {
  for (std::uint32_t node = 0; node < pattern.size; ++node) {
    double sum = x[pattern.node[node]];
    for (std::uint32_t k = pattern.lower_start[node]; k < pattern.lower_start[node + 1]; ++k) {
      const std::uint32_t from = pattern.lower_node[k];
      sum += factors.link[pattern.lower_link[k]] * factors.inverse[from] * right[from];
    }
    right[node] = sum;
  }
  for (std::uint32_t node = pattern.size; node-- > 0;) {
    double sum = right[node];
    for (std::uint32_t link = pattern.link_start[node]; link < pattern.link_start[node + 1]; ++link)
      sum += factors.link[link] * right[pattern.other[link]];
    right[node] = sum * factors.inverse[node];
    x[pattern.node[node]] = right[node];
  }
}

}  // namespace takt
