#include "runtime/scenario/names.hpp"

#include <vector>

#include "runtime/units/nearest.hpp"

namespace takt {

ScenarioNames::ScenarioNames(const PlantDescription& plant) : plant_(plant) {
  for (std::uint32_t row = 0; row < plant.table.size(); ++row) rows_.emplace(plant.table[row].path, row);
}

std::optional<std::uint32_t> ScenarioNames::row(std::string_view path) const {
  auto found = rows_.find(path);
  if (found == rows_.end()) {
    const std::string output = std::string(path) + ".out";
    found = rows_.find(output);
  }
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

std::string ScenarioNames::hint(std::string_view name) const {
  std::vector<std::string> known;
  for (const MemoryEntry& entry : plant_.table) known.emplace_back(entry.path);
  for (const auto& [variable, value] : variables) known.push_back(variable);
  const std::string near = did_you_mean(name, known);
  return near.empty() ? "the plant's executable with --list prints all names" : near;
}

Dimension dimension_of(const MemoryEntry& entry) {
  const auto unit = parse_unit(entry.unit);
  return unit ? unit->dimension : Dimension{};
}

}  // namespace takt
