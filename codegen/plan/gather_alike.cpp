#include "codegen/plan/gather_alike.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace takt::codegen {

std::vector<std::size_t> gather_alike(const std::vector<std::size_t>& order,
                                      const std::vector<Dependency>& dependencies,
                                      const std::vector<std::size_t>& kind) {
  const std::size_t count = order.size();
  std::vector<std::size_t> place(count),
      before(count, 0);  // by node; by place: how many must come first
  std::vector<std::vector<std::size_t>> after(count);  // by place
  for (std::size_t at = 0; at < count; ++at) place[order[at]] = at;
  for (const Dependency& d : dependencies) {
    const auto [first, second] = std::minmax(place[d.producer], place[d.consumer]);
    if (first == second) continue;
    after[first].push_back(second);
    ++before[second];
  }
  std::set<std::size_t> ready;  // places
  std::map<std::size_t, std::set<std::size_t>> ready_of_kind;
  const auto open = [&](std::size_t at) {
    ready.insert(at);
    ready_of_kind[kind[order[at]]].insert(at);
  };
  for (std::size_t at = 0; at < count; ++at)
    if (before[at] == 0) open(at);
  std::vector<std::size_t> gathered;
  while (!ready.empty()) {
    std::set<std::size_t>& alike = ready_of_kind[kind[order[*ready.begin()]]];
    while (!alike.empty()) {
      const std::size_t at = *alike.begin();
      alike.erase(alike.begin());
      ready.erase(at);
      gathered.push_back(order[at]);
      for (const std::size_t next : after[at])
        if (--before[next] == 0) open(next);
    }
  }
  return gathered;
}

}  // namespace takt::codegen
