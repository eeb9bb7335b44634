#include "runtime/plant/memory_table.hpp"

#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "runtime/plant/quantity.hpp"
#include "runtime/units/nearest.hpp"

namespace takt {
namespace {

double& value_of(const PlantDescription& plant, const MemoryEntry& entry) {
  return *reinterpret_cast<double*>(plant.memory + entry.offset);
}

const char* role_name(Role role) {
  constexpr const char* names[] = {"parameter", "plant_input", "state", "input", "output", "signal", "structural"};
  return names[static_cast<std::size_t>(role)];
}

std::string nearest(const PlantDescription& plant, std::string_view path) {
  std::vector<std::string> known;
  for (const MemoryEntry& entry : plant.table)
    if (entry.role == Role::parameter) known.emplace_back(entry.path);
  const std::string hint = did_you_mean(path, known);
  return "; " + (hint.empty() ? "--list prints all names" : hint);
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
