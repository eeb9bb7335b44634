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

/// One augmenting search from a free equation, breadth first so that long chains need no deep recursion.
/// @param via_equation  memory of the search, one entry per unknown
bool augment(const Incidence& incidence, Matching& matching, std::size_t start, std::vector<std::size_t>& seen_in,
             std::size_t round, std::vector<std::size_t>& via_equation) {
  std::vector<std::size_t> queue{start};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::size_t equation = queue[head];
    for (const std::size_t unknown : incidence[equation]) {
      if (seen_in[unknown] == round) continue;
      seen_in[unknown] = round;
      via_equation[unknown] = equation;
      if (matching.equation_of[unknown]) {
        queue.push_back(*matching.equation_of[unknown]);
        continue;
      }
      std::size_t current = unknown;
      while (true) {  // flip the path back to the start
        const std::size_t owner = via_equation[current];
        const std::optional<std::size_t> previous = matching.unknown_of[owner];
        matching.unknown_of[owner] = current;
        matching.equation_of[current] = owner;
        if (owner == start) return true;
        current = *previous;
      }
    }
  }
  return false;
}

}  // namespace

Matching match(const Incidence& incidence, std::size_t unknown_count) {
  Matching matching{std::vector<std::optional<std::size_t>>(incidence.size()),
                    std::vector<std::optional<std::size_t>>(unknown_count)};
  for (std::size_t equation = 0; equation < incidence.size(); ++equation)  // cheap start: preferred unknown if free
    if (!incidence[equation].empty() && !matching.equation_of[incidence[equation].front()]) {
      matching.unknown_of[equation] = incidence[equation].front();
      matching.equation_of[incidence[equation].front()] = equation;
    }
  std::vector<std::size_t> seen_in(unknown_count, 0), via_equation(unknown_count);
  std::size_t round = 0;
  for (std::size_t equation = 0; equation < incidence.size(); ++equation)
    if (!matching.unknown_of[equation]) augment(incidence, matching, equation, seen_in, ++round, via_equation);
  return matching;
}

std::vector<std::vector<std::size_t>> blocks_in_order(const Incidence& incidence, const Matching& matching) {
  std::vector<graph::Nodes> needed(incidence.size());
  for (std::size_t equation = 0; equation < incidence.size(); ++equation)
    for (const std::size_t unknown : incidence[equation]) needed[equation].push_back(*matching.equation_of[unknown]);
  return graph::strong_components(needed);
}

}  // namespace takt::codegen
