#include "tools/picture/diagram.hpp"

#include <algorithm>

#include "tools/picture/circuit_items.hpp"

namespace takt::picture {

std::vector<Diagram> diagrams_of(const codegen::Checked& checked) {
  const Facts facts = facts_of(checked);
  PartFolder folder;
  std::vector<Flat> circuits = circuit_items(checked, facts);
  std::sort(circuits.begin(), circuits.end(), [](const Flat& a, const Flat& b) {
    if (a.domain != b.domain) return a.domain < b.domain;
    return a.items.size() != b.items.size() ? a.items.size() > b.items.size() : a.name < b.name;
  });
  for (Flat& flat : circuits) folder.add(std::move(flat));
  if (Flat sampled = sampled_items(checked, facts); !sampled.items.empty()) folder.add(std::move(sampled));
  return std::move(folder).diagrams();
}

}  // namespace takt::picture
