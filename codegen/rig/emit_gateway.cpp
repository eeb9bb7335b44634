#include "codegen/rig/emit_gateway.hpp"

#include "codegen/dbc/emit_codec.hpp"

namespace takt::codegen {
namespace {

/// @param group  the array of its parameter group; empty: it has none
std::string ids(const ForwardedMap& forwarded, const std::string& group) {
  const IdRange &from = forwarded.from, &to = forwarded.to;
  Aggregate row;
  row.number("first", from.first).number("last", from.last).number("extended", from.extended);
  row.number("fd", forwarded.fd).text("text", forwarded.text);
  if (from.first != to.first || from.extended != to.extended)
    row.number("is_renamed", true).number("id", to.first).number("id_extended", to.extended);
  if (!group.empty()) row.code("group", group);
  return row.code();
}

std::vector<const RouteMap*> routes_of(const Rig& rig, const BusMap& bus) {
  std::vector<const RouteMap*> routes;
  for (const RouteMap& route : rig.routes)
    if (&rig.buses[route.from] == &bus) routes.push_back(&route);
  return routes;
}

void write_forwarded(Writer& text, const RouteMap& route, const std::string& name) {
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < route.messages.size(); ++k) {
    const ForwardedMap& forwarded = route.messages[k];
    const std::string group = forwarded.group.empty() ? "" : name + "_group_" + std::to_string(k);
    if (!group.empty()) write_group(text, forwarded.group, group);
    rows.push_back(ids(forwarded, group));
  }
  write_array(text, {"can::ForwardedIds", name}, rows);
}

}  // namespace

void write_routes(Writer& text, const Rig& rig, const BusMap& bus) {
  const auto routes = routes_of(rig, bus);
  if (routes.empty()) return;
  std::vector<std::string> rows;
  for (const RouteMap* route : routes) {
    const std::string name = "forwarded_" + bus.name + "_" + std::to_string(route->gateway);
    write_forwarded(text, *route, name);
    Aggregate row;
    row.text("name", route->name).number("gateway", route->gateway).number("to", route->to);
    row.number("queue", route->queue).number("spacing_ns", route->spacing_ns).code("ids", name);
    rows.push_back(row.code());
  }
  write_array(text, {"can::RoutePlan", "routes_" + bus.name}, rows);
  text.blank();
}

void add_routes(Aggregate& plan, const Rig& rig, const BusMap& bus) {
  if (!routes_of(rig, bus).empty()) plan.code("routes", "routes_" + bus.name);
}

}  // namespace takt::codegen
