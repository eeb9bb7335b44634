#include "runtime/steering/reader_points.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/units/nearest.hpp"

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
          .unit = exchange.quantity,
          .path = flux ? "" : exchange.from};
}

ReaderPoint point_of(const PlantDescription& plant, const InputRoute& route) {
  const SubsystemDescription& consumer = plant.subsystems[route.consumer];
  return {.subsystem = route.consumer,
          .input = consumer.inputs_offset + route.input * sizeof(InputPolynomial),
          .source = plant.inputs_offset + route.plant_input * sizeof(double),
          .sampled = is_sampled(consumer)};
}

}  // namespace

std::vector<ReaderPoint> reader_points(const PlantDescription& plant) {
  std::vector<ReaderPoint> points;
  for (const ExchangePlan& exchange : plant.exchanges)
    if (exchange.delay.travel_s == 0.0) points.push_back(point_of(plant, exchange));  // a wave is no value to set
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
  std::vector<std::string> known;
  for (const MemoryEntry& entry : plant.table)
    if (fits(entry)) known.emplace_back(entry.path);
  const std::string hint = did_you_mean(path, known);
  return "; " + (hint.empty() ? "--list prints all names" : hint);
}

}  // namespace takt
