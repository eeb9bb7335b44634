#pragma once
// Networks over index tables: flows through edges whose laws read nothing but their own variables, balances of nodes.
// Conductances are factorised once for as long as they stay (factor(), then solve_linear()); other laws are solved by
// Newton's method (solve()). Every iteration solves the linearised network for all potentials and flows at once:
// balances hold after the first, laws in the limit.
//   edge  p_a - p_b + offset = f(q):   q = (v - f(q0))/f'(q0) + q0
//   edge  q = g(p_a - p_b + offset):   q = g(v0) + g'(v0)*(v - v0)
// Source: E. Todini, S. Pilati, A gradient method for the analysis of pipe networks, in: Computer Applications in Water
// Supply 1 (1988). The linear networks are solved without cancellation (runtime/math/conductance_network.hpp); steps
// are judged, damped and ended as those of other Newton blocks (newton.hpp).

#include <array>
#include <cstdint>

#include "runtime/math/conductance_network.hpp"
#include "runtime/solver/newton.hpp"

namespace takt {

/// Nodes are numbered in the order of elimination, and so are right-hand sides: `network.node` is 0, 1, 2 ...
struct FlowPattern {
  static constexpr std::uint32_t known = 0xffffffffU;  ///< an end of known potential
  ConductancePattern network;
  std::uint32_t edges = 0;
  const std::uint32_t* from = nullptr;    ///< [edges] node
  const std::uint32_t* to = nullptr;      ///< [edges]
  const std::uint32_t* link = nullptr;    ///< [edges] of the network; known where an end is
  const std::uint8_t* by_flow = nullptr;  ///< [edges] 1: its law gives the difference of potentials over its flow
  double typical_potential = 0.0, typical_flow = 0.0;  ///< typical_change() of their units
};

/// Of an emitted network.
template <std::uint32_t Nodes, std::uint32_t Edges, std::uint32_t Links>
struct FixedSizes {
  template <class T>
  using PerNode = std::array<T, Nodes>;
  template <class T>
  using PerEdge = std::array<T, Edges>;
  using PerLink = std::array<double, Links>;
};

/// Numbers of one network, in arrays as long as its pattern asks for.
template <class Sizes>
struct FlowNetwork {
  template <class T>
  using PerNode = typename Sizes::template PerNode<T>;
  template <class T>
  using PerEdge = typename Sizes::template PerEdge<T>;

  PerNode<double> potential{};  ///< where the last solve that was kept left them
  PerEdge<double> flow{};       ///< q

  PerNode<double> injected{};                ///< known flows into nodes: set before solve()
  PerEdge<double> offset{};                  ///< known part of the difference: set before solve()
  PerEdge<double> conductance{}, current{};  ///< of a linear network: set before factor(), before solve_linear()
  PerEdge<double> value{}, slope{};          ///< of the laws, computed by the function given to solve()
  PerNode<double> at{};                      ///< potentials while solving, then the result
  PerEdge<double> through{}, across{};       ///< flows and differences while solving, then the result
  [[nodiscard]] double argument(const FlowPattern& pattern, std::uint32_t edge) const noexcept {
    return pattern.by_flow[edge] != 0 ? through[edge] : across[edge];
  }

  /// @param laws  () -> void: value and slope of every edge at its argument
  /// @return how it ended; at, through and across are where it did.  Real-time: bounded, no heap.
  template <class Laws>
  NewtonDamping solve(const FlowPattern& pattern, int plain, Laws&& laws) noexcept {
    NewtonDamping damping{plain};
    at = potential, through = flow;
    differences(pattern);
    for (int iteration = 0; iteration <= plain + newton_damped; ++iteration) {
      laws();
      const double here = left(pattern);
      const NewtonMove move = damping.judge(iteration, here);
      if (damping.looks(iteration)) {
        look(pattern, damping);
        if (damping.holds(here)) break;
      }
      step(pattern);
      bool settled = damping.whole(move);
      for (std::uint32_t edge = 0; edge < pattern.edges; ++edge)
        across[edge] = tried_across_[edge].next(move, damping.share, across[edge], -moved_across_[edge]);
      for (std::uint32_t node = 0; node < pattern.network.size; ++node) {
        const double by = -solved_[node];
        settled = settled && newton_settled(at[node], by, pattern.typical_potential);
        at[node] = tried_potential_[node].next(move, damping.share, at[node], by);
      }
      for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
        const double by = through[edge] - solved_flow_[edge];
        settled = settled && newton_settled(through[edge], by, pattern.typical_flow);
        through[edge] = tried_flow_[edge].next(move, damping.share, through[edge], by);
      }
      if (settled) damping.settle();
      if (damping.solved || move == NewtonMove::undo) break;
    }
    return damping;
  }

  /// Conductances of all edges, set before.   Real-time: bounded, no heap.
  void factor(const FlowPattern& pattern) noexcept {
    for (double& link : links_) link = 0.0;
    for (double& ground : grounds_) ground = 0.0;
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const std::uint32_t from = pattern.from[edge], to = pattern.to[edge], link = pattern.link[edge];
      if (from == to) continue;
      (link != FlowPattern::known ? links_[link] : grounds_[from != FlowPattern::known ? from : to]) +=
          conductance[edge];
    }
    factor_network(pattern.network, factors(), scratch_.front().data());
  }

  /// q = conductance*v + current, after factor(), with injected and offset set: at, through, across. Large conductances
  /// between large potentials would carry the rounding of these: what the balances of nodes leave is solved for once
  /// more and added to flows and differences themselves.   Real-time: bounded, no heap.
  void solve_linear(const FlowPattern& pattern) noexcept {
    const auto source = [&](std::uint32_t edge) { return -(conductance[edge] * offset[edge] + current[edge]); };
    spread_sources(pattern, source);
    solve_network(pattern.network, factors(), {sources_.data(), scratch_.front().data()}, solved_.data());
    at = solved_;
    differences(pattern);
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge)
      through[edge] = conductance[edge] * across[edge] + current[edge];
    balance(pattern);
    solve_injections(pattern.network, factors(), scratch_.front().data(), sum_.data());
    const auto moved = [&](std::uint32_t end) { return end == FlowPattern::known ? 0.0 : sum_[end]; };
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const double by = moved(pattern.from[edge]) - moved(pattern.to[edge]);
      across[edge] += by, through[edge] += conductance[edge] * by;
    }
    for (std::uint32_t node = 0; node < pattern.network.size; ++node) at[node] += sum_[node];
  }

  /// Before the first solve, with `potential` set: flows of one unit, whose laws have slopes.
  void begin(const FlowPattern& pattern) noexcept {
    for (double& each : flow) each = pattern.typical_flow;
  }
  /// Of arrays that have no fixed size. Not in real time.
  void make_room(std::size_t nodes, std::size_t edges, std::size_t links) {
    const auto resize = [](std::size_t size, auto&... arrays) { (arrays.resize(size), ...); };
    resize(nodes, potential, injected, at, tried_potential_, sum_, terms_, solved_, grounds_, inverses_, scratch_);
    resize(edges, flow, offset, value, slope, through, across, tried_flow_, tried_across_, solved_flow_, moved_across_,
           conductance, current, source_);
    resize(links, links_, sources_);
  }
  /// The next solve begins here.
  void keep() noexcept { potential = at, flow = through; }

  /// Differences from potentials.
  void differences(const FlowPattern& pattern) noexcept {
    const auto at_end = [&](std::uint32_t end) { return end == FlowPattern::known ? 0.0 : at[end]; };
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge)
      across[edge] = at_end(pattern.from[edge]) - at_end(pattern.to[edge]) + offset[edge];
  }

  // What follows is its own: public because a plant's memory has standard layout.
  static constexpr double rounding = 2.3e-16, smallest_flow = 1e-9;  // of the largest: what rounding may add to one

  [[nodiscard]] double law_error(const FlowPattern& pattern, std::uint32_t edge) const noexcept {
    return (pattern.by_flow[edge] != 0 ? across[edge] : through[edge]) - value[edge];
  }

  void balance(const FlowPattern& pattern) noexcept {
    for (std::uint32_t node = 0; node < pattern.network.size; ++node) {
      sum_[node] = injected[node];
      terms_[node] = math::abs(injected[node]);
    }
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const std::uint32_t from = pattern.from[edge], to = pattern.to[edge];
      if (from != FlowPattern::known) sum_[from] -= through[edge], terms_[from] += math::abs(through[edge]);
      if (to != FlowPattern::known) sum_[to] += through[edge], terms_[to] += math::abs(through[edge]);
    }
  }

  /// Sum of the magnitudes of what the equations leave.
  [[nodiscard]] double left(const FlowPattern& pattern) noexcept {
    balance(pattern);
    double sum = 0.0;
    for (std::uint32_t node = 0; node < pattern.network.size; ++node) sum += math::abs(sum_[node]);
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) sum += math::abs(law_error(pattern, edge));
    return sum;
  }

  void look(const FlowPattern& pattern, NewtonDamping& damping) const noexcept {
    constexpr double part = 1e-4;  // of the potentials: their difference is smaller
    const auto at_end = [&](std::uint32_t end) { return end == FlowPattern::known ? 0.0 : math::abs(at[end]); };
    for (std::uint32_t node = 0; node < pattern.network.size; ++node) damping.look(sum_[node], terms_[node]);
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const bool by_flow = pattern.by_flow[edge] != 0;
      const double ends = at_end(pattern.from[edge]) + at_end(pattern.to[edge]);
      const double potentials = math::abs(across[edge]) + part * ends;
      damping.look(
          law_error(pattern, edge),
          math::abs(value[edge]) + (by_flow ? potentials : math::abs(through[edge]) + slope[edge] * part * ends));
    }
  }

  /// Conductance beyond which the rounding of potentials would be a flow; below which a node would hang on nothing.
  [[nodiscard]] double largest_conductance(const FlowPattern& pattern) const noexcept {
    double most_potential = 0.0, most_flow = 1e-3 * pattern.typical_flow;  // at rest nothing has a slope
    for (std::uint32_t node = 0; node < pattern.network.size; ++node)
      most_potential = math::max(most_potential, math::abs(at[node]));
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      most_potential = math::max(most_potential, math::abs(offset[edge]));
      most_flow = math::max(most_flow, math::abs(through[edge]));
    }
    const double most = smallest_flow * most_flow / (rounding * most_potential);
    return most > 0.0 && most < 1e30 ? most : 1e30;
  }

  [[nodiscard]] ConductanceFactors factors() noexcept { return {links_.data(), grounds_.data(), inverses_.data()}; }

  /// s of every edge, kept in `sources_` and, at ends of known potential, in `solved_`.
  template <class Source>
  void spread_sources(const FlowPattern& pattern, const Source& source) noexcept {
    for (double& each : sources_) each = 0.0;
    solved_ = injected;
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const std::uint32_t from = pattern.from[edge], to = pattern.to[edge], link = pattern.link[edge];
      const double s = source_[edge] = source(edge);
      if (from == to) continue;
      if (link != FlowPattern::known)
        sources_[link] += from < to ? s : -s;
      else if (from != FlowPattern::known)
        solved_[from] += s;
      else
        solved_[to] -= s;
    }
  }

  /// The linearised network: solved_ and solved_flow_.
  void step(const FlowPattern& pattern) noexcept {
    const double most = largest_conductance(pattern);
    constexpr double least = 1e-100;  // a node hangs on something
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      const double g = pattern.by_flow[edge] != 0 ? 1.0 / math::max(slope[edge], 1e-300) : slope[edge];
      conductance[edge] = math::min(math::max(g, least), most);
    }
    factor(pattern);
    // Of the moves du of potentials: q = g*(du_a - du_b) - s. In these, and in differences that move with them, nothing
    // of the size of the potentials is rounded.
    const auto source = [&](std::uint32_t edge) {
      return pattern.by_flow[edge] != 0 ? conductance[edge] * (value[edge] - across[edge]) - through[edge]
                                        : -value[edge];
    };
    spread_sources(pattern, source);
    solve_network(pattern.network, factors(), {sources_.data(), scratch_.front().data()}, solved_.data());
    const auto move_of = [&](std::uint32_t end) { return end == FlowPattern::known ? 0.0 : solved_[end]; };
    for (std::uint32_t edge = 0; edge < pattern.edges; ++edge) {
      moved_across_[edge] = move_of(pattern.from[edge]) - move_of(pattern.to[edge]);
      solved_flow_[edge] = conductance[edge] * moved_across_[edge] - source_[edge];
    }
  }

  PerNode<NewtonUnknown> tried_potential_{};
  PerEdge<NewtonUnknown> tried_flow_{}, tried_across_{};
  PerNode<double> sum_{}, terms_{}, solved_{}, grounds_{}, inverses_{};
  PerEdge<double> solved_flow_{}, moved_across_{}, source_{};
  typename Sizes::PerLink links_{}, sources_{};
  PerNode<std::array<double, 2>> scratch_{};
};

}  // namespace takt
