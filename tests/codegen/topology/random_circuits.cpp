#include "tests/codegen/topology/random_circuits.hpp"

#include <array>
#include <utility>

namespace takt::codegen::testing {
namespace {

constexpr auto A = BranchKind::across_source;
constexpr auto C = BranchKind::across_storage;
constexpr auto R = BranchKind::dissipator;
constexpr auto L = BranchKind::through_storage;
constexpr auto T = BranchKind::through_source;
constexpr auto electric = Domain::electric;
constexpr auto solid = Domain::solid;
constexpr auto rotational = Domain::rotational;
constexpr auto translational = Domain::translational;

constexpr int singular = 0;
constexpr int index_1 = 1;
constexpr int index_2 = 2;

/// Dyadic, so that products along a train of gears are exact.
constexpr std::array ratios{2.0, 0.5, 3.0, 1.5, -1.0, -2.0, 4.0, 0.75};

class Grower {
 public:
  explicit Grower(std::mt19937_64& random) : random_(random) {}

  CircuitSketch sketch;

  [[nodiscard]] int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  [[nodiscard]] bool coin() { return below(2) == 0; }
  template <class Value>
  [[nodiscard]] Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  [[nodiscard]] double ratio() { return ratios.at(static_cast<std::size_t>(below(ratios.size()))); }
  [[nodiscard]] Vertex new_node(Domain domain) { return sketch.add_node(domain); }
  /// Any vertex of the domain so far, ground included.
  [[nodiscard]] Vertex any_vertex(Domain domain) { return pick_vertex(domain, true, sketch.nodes.size()); }
  /// Two different vertices, at most one of them ground.
  [[nodiscard]] std::pair<Vertex, Vertex> two_vertices(Domain domain) {
    const Vertex first = pick_vertex(domain, false, sketch.nodes.size());
    Vertex second = first;
    while (second == first) second = any_vertex(domain);
    return {first, second};
  }

  /// Storages of masses, inertias and walls stand between a node and the reference; capacitors stand anywhere.
  void add_storage(Vertex node, Vertex other, Domain domain) {
    sketch.add(C, node, domain == electric ? other : ground);
  }

  /// Circuit of index 1: every node hangs on a tree of C and R, the rest are R, L and T chords, and sources of across
  /// variables only lead to nodes of their own.
  void host(Domain domain, int size) {
    for (int k = 0; k < size; ++k) {
      const Vertex above = pick_vertex(domain, true, sketch.nodes.size());
      const Vertex node = new_node(domain);
      if (below(5) < 2) {
        add_storage(node, above, domain);
      } else {
        sketch.add(R, node, above);
      }
    }
    if (coin()) hang_source(domain);
    for (int k = below(size + 1); k > 0; --k) chord(domain);
  }

  void chord(Domain domain) {
    const auto [from, to] = two_vertices(domain);
    sketch.add(domain == solid ? one_of({R, R, T}) : one_of({R, L, L, T}), from, to);
  }

  /// vertex --A-- new node --R-- another vertex
  void hang_source(Domain domain) {
    const Vertex at = domain == electric ? any_vertex(domain) : ground;
    const Vertex node = new_node(domain);
    const Vertex load = pick_vertex(domain, true, sketch.nodes.size() - 1);
    sketch.add(A, node, at);
    sketch.add(R, node, load);
  }

  /// New node that hangs on the host by a dissipator.
  [[nodiscard]] Vertex soft_node(Domain domain) {
    const Vertex at = any_vertex(domain);
    const Vertex node = new_node(domain);
    sketch.add(R, node, at);
    return node;
  }

  // --- causes; each is planted into a host

  /// A group of nodes that only L and T join to the host.
  void plant_l_cutset(Domain domain) {
    const std::size_t host_size = sketch.nodes.size();
    Vertex node = new_node(domain);
    const int links = 1 + below(3);
    for (int k = 0; k < links; ++k) {
      sketch.add(k == 0 ? L : one_of({L, T}), node, pick_vertex(domain, true, host_size));
      if (coin()) {
        const Vertex next = new_node(domain);
        sketch.add(domain == electric ? one_of({R, C}) : R, node, next);
        node = next;
      }
    }
  }

  /// Electric: a loop of one source and one or two capacitors. Else: a source on a node with a storage.
  void plant_c_a_loop(Domain domain) {
    const Vertex node = soft_node(domain);
    if (domain != electric) {
      const Vertex other = coin() ? ground : soft_node(domain);
      sketch.add(C, node, ground);
      sketch.add(A, node, other);
      if (other != ground) sketch.add(C, other, ground);
      return;
    }
    Vertex at = any_vertex(domain);
    while (at == node) at = any_vertex(domain);
    sketch.add(A, node, at);
    if (coin()) {
      const Vertex between = soft_node(domain);
      sketch.add(C, node, between);
      sketch.add(C, between, at);
    } else {
      sketch.add(C, node, at);
    }
  }

  /// Storages alone close a loop.
  void plant_c_loop(Domain domain) {
    const Vertex first = soft_node(domain);
    const Vertex second = domain == electric && coin() ? soft_node(domain) : ground;
    sketch.add(C, first, second);
    sketch.add(C, first, second);
    if (domain == electric && coin()) {
      const Vertex third = soft_node(domain);
      sketch.add(C, second, third);
      sketch.add(C, third, first);
    }
  }

  void plant_a_loop(Domain domain) {
    const Vertex first = soft_node(domain);
    if (coin()) {
      sketch.add(A, first, ground);
      sketch.add(A, first, ground);
      return;
    }
    const Vertex second = soft_node(domain);
    sketch.add(A, first, ground);
    sketch.add(A, second, ground);
    sketch.add(A, first, second);
  }

  /// A group of nodes that only T joins to the host.
  void plant_t_cutset(Domain domain) {
    const std::size_t host_size = sketch.nodes.size();
    const Vertex node = new_node(domain);
    for (int k = 1 + below(2); k > 0; --k) sketch.add(T, node, pick_vertex(domain, true, host_size));
    if (coin()) {
      const Vertex next = new_node(domain);
      sketch.add(R, node, next);
    }
  }

  /// A part that nothing joins to the rest and that has no reference.
  void plant_floating(Domain domain) {
    const Vertex first = new_node(domain);
    const Vertex second = new_node(domain);
    sketch.add(R, first, second);
    sketch.add(domain == electric ? one_of({C, L}) : R, first, second);
  }

  // --- causes across a gear; `other` is the second domain (a wheel joins rotational and translational)

  void plant_compliant_gear(Domain domain, Domain other) {
    const Vertex at = any_vertex(domain);
    const Vertex shaft = new_node(domain);
    sketch.add(one_of({R, L}), shaft, at);
    sketch.gear(shaft, pick_vertex(other, false, sketch.nodes.size() - 1), ratio());
  }

  void plant_geared_storages(Domain domain, Domain other) {
    const Vertex first = soft_node(domain);
    Vertex last = soft_node(other);
    sketch.add(C, first, ground);
    sketch.add(C, last, ground);
    if (coin()) {  // a train of two gears
      const Vertex between = new_node(other);
      sketch.gear(between, last, ratio());
      last = between;
    }
    sketch.gear(first, last, ratio());
  }

  void plant_geared_springs(Domain domain, Domain other) {
    const Vertex at_first = any_vertex(domain);
    const Vertex at_last = any_vertex(other);
    const Vertex first = new_node(domain);
    const Vertex last = new_node(other);
    sketch.add(L, first, at_first);
    sketch.add(L, last, at_last);
    if (coin()) sketch.add(T, first, ground);
    sketch.gear(first, last, ratio());
  }

  /// Two ways from one shaft to another, of equal ratio (their shares are undetermined) or not (they lock).
  void plant_parallel_gears(bool equal) {
    const Vertex first = soft_node(rotational);
    const Vertex last = soft_node(rotational);
    const double upper = ratio();
    const double lower = ratio();
    const double factor = equal ? 1.0 : one_of({2.0, -1.0, 0.5});
    if (coin()) sketch.add(C, first, ground);
    if (coin()) {
      sketch.gear(first, last, upper * factor);
      sketch.gear(first, last, upper);
    } else {
      const Vertex between = new_node(rotational);
      sketch.gear(first, between, upper);
      sketch.gear(between, last, lower);
      sketch.gear(first, last, upper * lower * factor);
    }
  }

  void plant_geared_speeds() {
    const Vertex first = soft_node(rotational);
    const Vertex last = soft_node(rotational);
    sketch.add(A, first, ground);
    sketch.add(A, last, ground);
    sketch.gear(first, last, ratio());
  }

  void plant_geared_torques() {
    const Vertex first = new_node(rotational);
    const Vertex last = new_node(rotational);
    sketch.add(T, first, ground);
    sketch.add(T, last, ground);
    sketch.gear(first, last, ratio());
  }

  /// Secondary winding that hangs on nothing.
  void plant_open_secondary() {
    const auto [from, to] = two_vertices(electric);
    const Vertex first = new_node(electric);
    const Vertex second = new_node(electric);
    sketch.add(R, first, second);
    sketch.two_ports.push_back({from, to, first, second, ratio()});
  }

  // --- anything goes

  void wild(Domain domain, int two_ports) {
    const int size = 2 + below(6);
    for (int k = 0; k < size; ++k) static_cast<void>(new_node(domain));
    for (int k = 0; k < size; ++k) {  // most nodes get a way to an earlier one
      if (below(6) != 0) add_wild(domain, k, pick_vertex(domain, true, static_cast<std::size_t>(k)));
    }
    for (int k = below(size + 3); k > 0; --k) {
      const auto [from, to] = two_vertices(domain);
      add_wild(domain, from, to);
    }
    for (int k = 0; k < two_ports; ++k) {
      const auto [a_from, a_to] = two_vertices(domain);
      const auto [b_from, b_to] = two_vertices(domain);
      const bool free_terminals = domain == electric || below(4) == 0;
      sketch.two_ports.push_back(
          {a_from, free_terminals ? a_to : ground, b_from, free_terminals ? b_to : ground, ratio()});
    }
  }

 private:
  void add_wild(Domain domain, Vertex from, Vertex to) {
    const BranchKind kind = domain == solid ? one_of({A, C, C, R, R, R, T}) : one_of({A, C, C, R, R, R, L, L, T});
    if (kind == C) {
      add_storage(from, to, domain);
    } else {
      sketch.add(kind, from, to);
    }
  }

  /// A vertex of the domain among the first `limit` nodes; ground where there is none.
  [[nodiscard]] Vertex pick_vertex(Domain domain, bool with_ground, std::size_t limit) {
    std::vector<Vertex> candidates;
    if (with_ground) candidates.push_back(ground);
    for (std::size_t node = 0; node < limit; ++node) {
      if (sketch.nodes[node] == domain) candidates.push_back(static_cast<Vertex>(node));
    }
    if (candidates.empty()) return ground;
    return candidates[static_cast<std::size_t>(below(static_cast<int>(candidates.size())))];
  }

  std::mt19937_64& random_;
};

struct Stratum {
  const char* name;
  int count;
  std::optional<int> planted;
  void (*grow)(Grower&);
};

template <Domain domain>
void plant_nothing(Grower& g) {
  g.host(domain, 2 + g.below(7));
}

template <Domain domain, void (Grower::*plant)(Domain)>
void plant_in_host(Grower& g) {
  g.host(domain, 1 + g.below(6));
  (g.*plant)(domain);
}

template <Domain first, Domain second, void (Grower::*plant)(Domain, Domain)>
void plant_across_gear(Grower& g) {
  g.host(first, 1 + g.below(5));
  if (second != first) g.host(second, 1 + g.below(3));
  (g.*plant)(first, second);
}

template <void (Grower::*plant)(), Domain domain = rotational>
void plant_special(Grower& g) {
  g.host(domain, 2 + g.below(5));
  (g.*plant)();
}

template <bool equal>
void plant_gear_pair(Grower& g) {
  g.host(rotational, 1 + g.below(5));
  g.plant_parallel_gears(equal);
}

template <Domain domain, int most_two_ports>
void grow_wild(Grower& g) {
  g.wild(domain, most_two_ports == 0 ? 0 : 1 + g.below(most_two_ports));
}

const Stratum strata[] = {
    {"electric: plain", 25, index_1, plant_nothing<electric>},
    {"electric: cutset of L and T", 30, index_2, plant_in_host<electric, &Grower::plant_l_cutset>},
    {"electric: loop of C and A", 30, index_2, plant_in_host<electric, &Grower::plant_c_a_loop>},
    {"electric: loop of C", 30, index_1, plant_in_host<electric, &Grower::plant_c_loop>},
    {"electric: loop of A", 12, singular, plant_in_host<electric, &Grower::plant_a_loop>},
    {"electric: cutset of T", 12, singular, plant_in_host<electric, &Grower::plant_t_cutset>},
    {"electric: part without ground", 8, singular, plant_in_host<electric, &Grower::plant_floating>},
    {"electric: open secondary", 6, singular, plant_special<&Grower::plant_open_secondary, electric>},
    {"electric: wild", 35, std::nullopt, grow_wild<electric, 0>},
    {"electric: wild with transformers", 22, std::nullopt, grow_wild<electric, 2>},
    {"mechanical: plain", 15, index_1, plant_nothing<rotational>},
    {"mechanical: compliant gear", 15, index_1,
     plant_across_gear<rotational, rotational, &Grower::plant_compliant_gear>},
    {"mechanical: inertias joined by gears", 20, index_2,
     plant_across_gear<rotational, rotational, &Grower::plant_geared_storages>},
    {"mechanical: springs joined by a gear", 20, index_2,
     plant_across_gear<rotational, rotational, &Grower::plant_geared_springs>},
    {"mechanical: wheel joins inertia and mass", 10, index_2,
     plant_across_gear<rotational, translational, &Grower::plant_geared_storages>},
    {"mechanical: compliant wheel", 10, index_1,
     plant_across_gear<rotational, translational, &Grower::plant_compliant_gear>},
    {"mechanical: equal gears in parallel", 12, singular, plant_gear_pair<true>},
    {"mechanical: locked gears", 15, std::nullopt, plant_gear_pair<false>},
    {"mechanical: cutset of springs", 10, index_2, plant_in_host<rotational, &Grower::plant_l_cutset>},
    {"mechanical: two inertias on one shaft", 10, index_1, plant_in_host<rotational, &Grower::plant_c_loop>},
    {"mechanical: speed given to an inertia", 10, index_2, plant_in_host<translational, &Grower::plant_c_a_loop>},
    {"mechanical: contradictory speeds", 6, singular, plant_in_host<rotational, &Grower::plant_a_loop>},
    {"mechanical: contradictory speeds across a gear", 6, singular, plant_special<&Grower::plant_geared_speeds>},
    {"mechanical: undetermined speed", 5, singular, plant_in_host<translational, &Grower::plant_t_cutset>},
    {"mechanical: undetermined speed across a gear", 5, singular, plant_special<&Grower::plant_geared_torques>},
    {"mechanical: part without frame", 5, singular, plant_in_host<rotational, &Grower::plant_floating>},
    {"mechanical: wild with gears", 26, std::nullopt, grow_wild<rotational, 2>},
    {"thermal: walls and lumped walls", 20, index_1, plant_nothing<solid>},
    {"thermal: wall at a temperature boundary", 18, index_2, plant_in_host<solid, &Grower::plant_c_a_loop>},
    {"thermal: two walls at one node", 12, index_1, plant_in_host<solid, &Grower::plant_c_loop>},
    {"thermal: contradictory boundaries", 6, singular, plant_in_host<solid, &Grower::plant_a_loop>},
    {"thermal: heat source alone at a lumped wall", 6, singular, plant_in_host<solid, &Grower::plant_t_cutset>},
    {"thermal: undetermined temperature", 8, singular, plant_in_host<solid, &Grower::plant_floating>},
    {"thermal: wild", 20, std::nullopt, grow_wild<solid, 0>},
};

}  // namespace

std::vector<RandomCircuit> random_circuits(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<RandomCircuit> circuits;
  for (const Stratum& stratum : strata) {
    for (int k = 0; k < stratum.count; ++k) {
      Grower grower(random);
      stratum.grow(grower);
      Network network = build(grower.sketch, "random", random);
      circuits.push_back({stratum.name, std::move(grower.sketch), std::move(network), stratum.planted});
    }
  }
  return circuits;
}

}  // namespace takt::codegen::testing
