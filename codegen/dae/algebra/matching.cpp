#include "codegen/dae/algebra/matching.hpp"

#include <algorithm>

#include "runtime/graph/components.hpp"

namespace takt::codegen {

bool Matching::complete() const {
  const auto has = [](const auto& entry) { return entry.has_value(); };
  return std::all_of(unknown_of.begin(), unknown_of.end(), has) &&
         std::all_of(equation_of.begin(), equation_of.end(), has);
}

namespace {

/// Augmenting searches, breadth first so that long chains need no deep recursion.
class AugmentingSearch {
 public:
  AugmentingSearch(const Incidence& incidence, Matching& matching)
      : incidence_(incidence),
        matching_(matching),
        seen_in_(matching.equation_of.size(), 0),
        via_equation_(matching.equation_of.size()) {}

  /// From a free equation.
  bool from(std::size_t start) {
    ++round_;
    std::vector<std::size_t> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t equation = queue[head];
      for (const std::size_t unknown : incidence_[equation]) {
        if (seen_in_[unknown] == round_) continue;
        seen_in_[unknown] = round_;
        via_equation_[unknown] = equation;
        if (matching_.equation_of[unknown]) {
          queue.push_back(*matching_.equation_of[unknown]);
          continue;
        }
        std::size_t current = unknown;
        while (true) {  // flip the path back to the start
          const std::size_t owner = via_equation_[current];
          const std::optional<std::size_t> previous = matching_.unknown_of[owner];
          matching_.unknown_of[owner] = current;
          matching_.equation_of[current] = owner;
          if (owner == start) return true;
          current = *previous;
        }
      }
    }
    return false;
  }

 private:
  const Incidence& incidence_;
  Matching& matching_;
  std::vector<std::size_t> seen_in_;       ///< per unknown: the last round that met it
  std::vector<std::size_t> via_equation_;  ///< per unknown: from where
  std::size_t round_ = 0;
};

}  // namespace

Matching match(const Incidence& incidence, std::size_t unknown_count) {
  Matching matching{std::vector<std::optional<std::size_t>>(incidence.size()),
                    std::vector<std::optional<std::size_t>>(unknown_count)};
  for (std::size_t equation = 0; equation < incidence.size();
       ++equation)  // cheap start: preferred unknown if free
    if (!incidence[equation].empty() && !matching.equation_of[incidence[equation].front()]) {
      matching.unknown_of[equation] = incidence[equation].front();
      matching.equation_of[incidence[equation].front()] = equation;
    }
  AugmentingSearch search(incidence, matching);
  for (std::size_t equation = 0; equation < incidence.size(); ++equation)
    if (!matching.unknown_of[equation]) search.from(equation);
  return matching;
}

std::vector<std::vector<std::size_t>> blocks_in_order(const Incidence& incidence,
                                                      const Matching& matching) {
  std::vector<graph::Nodes> needed(incidence.size());
  for (std::size_t equation = 0; equation < incidence.size(); ++equation)
    for (const std::size_t unknown : incidence[equation])
      needed[equation].push_back(*matching.equation_of[unknown]);
  return graph::strong_components(needed);
}

}  // namespace takt::codegen
