#include "runtime/plant/memory_table.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "runtime/plant/quantity.hpp"

namespace takt {
namespace {

double& value_of(const PlantDescription& plant, const MemoryEntry& entry) {
  return *reinterpret_cast<double*>(plant.memory + entry.offset);
}

const char* role_name(Role role) {
  constexpr const char* names[] = {"parameter", "plant_input", "state", "input", "output", "signal", "structural"};
  return names[static_cast<std::size_t>(role)];
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

std::string nearest(const PlantDescription& plant, std::string_view path) {
  const MemoryEntry* best = nullptr;
  std::size_t smallest = path.size() / 2 + 1;
  for (const MemoryEntry& entry : plant.table) {
    if (entry.role != Role::parameter) continue;
    const std::size_t d = distance(path, entry.path);
    if (d < smallest) smallest = d, best = &entry;
  }
  return best == nullptr ? "; --list prints all names" : std::string("; did you mean \"") + best->path + "\"?";
}

}  // namespace

double set_parameter(const PlantDescription& plant, const std::string& path, const std::string& value) {
  for (const MemoryEntry& entry : plant.table) {
    if (path != entry.path) continue;
    if (entry.role == Role::structural) {
      throw std::runtime_error(
          "\"" + path + "\" is structural: it is compiled in; rebuild with `takt build PLANT --set " + path + "=...`");
    }
    if (entry.role != Role::parameter) {
      throw std::runtime_error("\"" + path + "\" is a " + role_name(entry.role) + ", not a parameter" +
                               (entry.role == Role::plant_input ? "; use --input" : ""));
    }
    try {
      return value_of(plant, entry) = parse_quantity(value, entry.unit);
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ": " + error.what());
    }
  }
  throw std::runtime_error("the plant has no parameter \"" + path + "\"" + nearest(plant, path));
}

std::string memory_table(const PlantDescription& plant) {
  std::string out;
  for (const MemoryEntry& entry : plant.table) {
    char line[64];
    std::snprintf(line, sizeof line, "%-12s %-24.17g ", role_name(entry.role), value_of(plant, entry));
    out += line;
    out += entry.path;
    if (entry.unit[0] != '\0') out += std::string(" [") + entry.unit + "]";
    out += '\n';
  }
  return out;
}

}  // namespace takt
