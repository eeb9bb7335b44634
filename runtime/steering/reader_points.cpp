#include "runtime/steering/reader_points.hpp"

#include <algorithm>
#include <cstring>

namespace takt {
namespace {

bool is_sampled(const SubsystemDescription& s) { return std::strcmp(s.domain, "control") == 0; }

ReaderPoint point_of(const PlantDescription& plant, const ExchangePlan& exchange) {
  const SubsystemDescription& producer = plant.subsystems[exchange.producer];
  const SubsystemDescription& consumer = plant.subsystems[exchange.consumer];
  const bool flux = exchange.kind == CouplingKind::flux;
  const std::size_t output = flux ? exchange.flux_value : exchange.output;
  return {.subsystem = exchange.consumer,
          .input = consumer.inputs_offset + exchange.input * sizeof(InputPolynomial),
          .source = producer.outputs_offset + output * sizeof(double),
          .received = flux ? consumer.received_offset + exchange.received * sizeof(double) : 0,
          .flux = flux,
          .sampled = is_sampled(consumer),
          .unit = exchange.quantity};
}

ReaderPoint point_of(const PlantDescription& plant, const InputRoute& route) {
  const SubsystemDescription& consumer = plant.subsystems[route.consumer];
  return {.subsystem = route.consumer,
          .input = consumer.inputs_offset + route.input * sizeof(InputPolynomial),
          .source = plant.inputs_offset + route.plant_input * sizeof(double),
          .sampled = is_sampled(consumer)};
}

/// Letters that one has and the other has not, and a little for those in other places.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t column = 0; column <= b.size(); ++column) row[column] = column;
  for (std::size_t line = 1; line <= a.size(); ++line) {
    std::size_t diagonal = row[0];
    row[0] = line;
    for (std::size_t column = 1; column <= b.size(); ++column) {
      const std::size_t changed = diagonal + (a[line - 1] == b[column - 1] ? 0 : 1);
      diagonal = row[column];
      row[column] = std::min({row[column] + 1, row[column - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<ReaderPoint> reader_points(const PlantDescription& plant) {
  std::vector<ReaderPoint> points;
  for (const ExchangePlan& exchange : plant.exchanges) points.push_back(point_of(plant, exchange));
  for (const InputRoute& route : plant.input_routes) points.push_back(point_of(plant, route));
  std::stable_sort(points.begin(), points.end(),
                   [](const auto& a, const auto& b) { return a.subsystem < b.subsystem; });
  return points;
}

std::optional<std::uint32_t> find_row(const PlantDescription& plant, std::string_view path) {
  const auto at = [&](std::string_view wanted) -> std::optional<std::uint32_t> {
    for (std::uint32_t row = 0; row < plant.table.size(); ++row)
      if (wanted == plant.table[row].path) return row;
    return std::nullopt;
  };
  if (const auto row = at(path)) return row;
  return at(std::string(path) + ".out");
}

std::string nearest_row(const PlantDescription& plant, std::string_view path, bool (*fits)(const MemoryEntry&)) {
  const MemoryEntry* best = nullptr;
  std::size_t smallest = path.size() / 2 + 1;
  for (const MemoryEntry& entry : plant.table) {
    if (!fits(entry)) continue;
    const std::size_t d = distance(path, entry.path);
    if (d < smallest) smallest = d, best = &entry;
  }
  return best == nullptr ? "; --list prints all names" : std::string("; did you mean \"") + best->path + "\"?";
}

}  // namespace takt
