#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "runtime/plant/memory_table.hpp"

namespace takt {
namespace {

/// Rows of the table by index of their parameter.
std::vector<const MemoryEntry*> parameter_rows(const PlantDescription& plant) {
  std::vector<const MemoryEntry*> rows;
  for (const MemoryEntry& entry : plant.table) {
    if (entry.role != Role::parameter && entry.role != Role::structural) continue;
    const std::size_t index = (entry.offset - plant.parameters_offset) / sizeof(double);
    rows.resize(std::max(rows.size(), index + 1), nullptr);
    rows[index] = &entry;
  }
  return rows;
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string change_text(const std::vector<const MemoryEntry*>& rows, const FaultChange& change) {
  const MemoryEntry& changed = *rows.at(change.parameter);
  std::string text = std::string(changed.path) + " = ";
  if (change.of != FaultChange::none)
    return text + (change.factor == 1.0 ? "" : number(change.factor) + "*") + rows.at(change.of)->path;
  text += number(change.value);
  return std::string_view(changed.unit) == "1" ? text : text + " " + changed.unit;
}

}  // namespace

std::string fault_list(const PlantDescription& plant) {
  const std::vector<const MemoryEntry*> rows = parameter_rows(plant);
  std::string list;
  for (const FaultDescription& fault : plant.faults) {
    list += std::string(fault.element) + " " + fault.name + "  [";
    for (const FaultChange& change : fault.changes)
      list += (&change == fault.changes.data() ? "" : ", ") + change_text(rows, change);
    list += std::string("]  ") + fault.text + "\n";
  }
  return list;
}

}  // namespace takt
