#include "codegen/rig/emit_gateway.hpp"

#include "codegen/dbc/emit_codec.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

std::string flag(bool value) { return value ? "true" : "false"; }

/// @param group  the array of its parameter group; empty: it has none
std::string ids(const ForwardedMap& forwarded, const std::string& group) {
  const IdRange &from = forwarded.from, &to = forwarded.to;
  const bool is_renamed = from.first != to.first || from.extended != to.extended;
  return "    {.first = " + std::to_string(from.first) + ", .last = " + std::to_string(from.last) +
         ", .extended = " + flag(from.extended) + ", .fd = " + flag(forwarded.fd) +
         ", .text = " + string_literal(forwarded.text) +
         (is_renamed
              ? ", .is_renamed = true, .id = " + std::to_string(to.first) + ", .id_extended = " + flag(to.extended)
              : "") +
         (group.empty() ? "" : ", .group = " + group) + "},\n";
}

std::vector<const RouteMap*> routes_of(const Rig& rig, const BusMap& bus) {
  std::vector<const RouteMap*> routes;
  for (const RouteMap& route : rig.routes)
    if (&rig.buses[route.from] == &bus) routes.push_back(&route);
  return routes;
}

}  // namespace

std::string routes_table(const Rig& rig, const BusMap& bus) {
  const auto routes = routes_of(rig, bus);
  if (routes.empty()) return {};
  std::string tables, rows;
  for (const RouteMap* route : routes) {
    const std::string name = "forwarded_" + bus.name + "_" + std::to_string(route->gateway);
    std::string entries;
    for (std::size_t k = 0; k < route->messages.size(); ++k) {
      const ForwardedMap& forwarded = route->messages[k];
      const std::string group = forwarded.group.empty() ? "" : name + "_group_" + std::to_string(k);
      if (!group.empty()) tables += emit_group(forwarded.group, group);
      entries += ids(forwarded, group);
    }
    tables += "constexpr std::array<can::ForwardedIds, " + std::to_string(route->messages.size()) + "> " + name +
              "{{\n" + entries + "}};\n";
    rows += "    {.name = " + string_literal(route->name) + ", .gateway = " + std::to_string(route->gateway) +
            ", .to = " + std::to_string(route->to) + ", .queue = " + std::to_string(route->queue) +
            ", .spacing_ns = " + std::to_string(route->spacing_ns) + ", .ids = " + name + "},\n";
  }
  return tables + "constexpr std::array<can::RoutePlan, " + std::to_string(routes.size()) + "> routes_" + bus.name +
         "{{\n" + rows + "}};\n\n";
}

std::string routes_field(const Rig& rig, const BusMap& bus) {
  return routes_of(rig, bus).empty() ? "" : ", .routes = routes_" + bus.name;
}

}  // namespace takt::codegen
