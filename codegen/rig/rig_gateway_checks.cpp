// What gateways must not do: send what somebody else sends, and forward in a circle.

#include <algorithm>
#include <compare>
#include <set>

#include "codegen/rig/rig_gateway.hpp"

namespace takt::codegen {
namespace {

/// Messages that the rig sends on the bus that a gateway sends on.
void check_senders(const Rig& rig, const RouteMap& route, const ForwardedMap& forwarded,
                   Diagnostics& diagnostics) {
  const BusMap& bus = rig.buses[route.to];
  if (!bus.dbc) return;
  std::set<std::size_t> sent;
  for (const MessageMap& map : bus.send) sent.insert(map.message);
  for (const RestMessage& rest : bus.rest) sent.insert(rest.message);
  for (const std::size_t k : sent) {
    const DbcMessage& message = bus.dbc->messages[k];
    const IdRange id{message.id, message.id, message.extended};
    if (!common(forwarded.to, id)) continue;
    diagnostics.error("B047", forwarded.where,
                      "gateway " + route.name + " sends '" + forwarded.text + "' on bus " +
                          bus.name + ", where the rig itself sends " + message.name + " (" +
                          range_text(id) + ")",
                      "forward ids without it (a range is written in two), in one direction, or "
                      "with another `id`; or "
                      "leave it to the gateway: \"" +
                          message.name + "\" = { off = true } in [bus." + bus.name + ".send]");
  }
}

void check_other_gateways(const Rig& rig, std::size_t at, const ForwardedMap& forwarded,
                          Diagnostics& diagnostics) {
  const RouteMap& route = rig.routes[at];
  for (std::size_t k = 0; k < at; ++k) {
    const RouteMap& other = rig.routes[k];
    if (other.to != route.to) continue;
    for (const ForwardedMap& of_other : other.messages)
      if (const auto both = common(forwarded.to, of_other.to))
        diagnostics.error("B047", forwarded.where,
                          "gateways " + other.name + " (line " +
                              std::to_string(of_other.where.line) + ") and " + route.name +
                              " both send " + range_text(*both) + " on bus " +
                              rig.buses[route.to].name,
                          "leave it to one of them");
  }
}

/// Ids on their way through one entry of a route, by the ids that they have on its target.
struct Hop {
  std::size_t route = 0, entry = 0;
  std::uint32_t first = 0, last = 0;
  auto operator<=>(const Hop&) const = default;
};

/// Follows ids from gateway to gateway. Ids become fewer on the way or are renamed, so there are
/// finitely many hops.
class CircleSearch {
 public:
  explicit CircleSearch(const Rig& rig) : rig_(rig) {}

  /// @return the hops of a circle; empty: there is none
  [[nodiscard]] std::vector<Hop> run() {
    for (std::size_t route = 0; route < rig_.routes.size(); ++route)
      for (std::size_t entry = 0; entry < rig_.routes[route].messages.size(); ++entry) {
        const IdRange& ids = rig_.routes[route].messages[entry].to;
        if (follow({route, entry, ids.first, ids.last})) return path_;
      }
    return {};
  }

 private:
  /// @return true: path_ is a circle
  bool follow(const Hop& hop) {  // NOLINT(misc-no-recursion): no deeper than there are hops
    if (const auto again = std::find(path_.begin(), path_.end(), hop); again != path_.end()) {
      path_.erase(path_.begin(), again);
      return true;
    }
    if (!done_.insert(hop).second) return false;
    path_.push_back(hop);
    const RouteMap& here = rig_.routes[hop.route];
    const IdRange ids{hop.first, hop.last, here.messages[hop.entry].to.extended};
    for (std::size_t k = 0; k < rig_.routes.size(); ++k) {
      const RouteMap& next = rig_.routes[k];
      if (next.from != here.to || next.gateway == here.gateway) continue;
      for (std::size_t entry = 0; entry < next.messages.size(); ++entry) {
        const ForwardedMap& forwarded = next.messages[entry];
        const auto taken = common(ids, forwarded.from);
        if (!taken) continue;
        const bool is_renamed =
            forwarded.to.first != forwarded.from.first || forwarded.to.extended != taken->extended;
        const IdRange& left = is_renamed ? forwarded.to : *taken;
        if (follow({k, entry, left.first, left.last})) return true;
      }
    }
    path_.pop_back();
    return false;
  }

  const Rig& rig_;
  std::vector<Hop> path_;
  std::set<Hop> done_;
};

void check_circles(const Rig& rig, Diagnostics& diagnostics) {
  const std::vector<Hop> circle = CircleSearch(rig).run();
  if (circle.empty()) return;
  const auto forwarded_of = [&](const Hop& hop) -> const ForwardedMap& {
    return rig.routes[hop.route].messages[hop.entry];
  };
  std::string text = rig.buses[rig.routes[circle.front().route].from].name;
  Location last = forwarded_of(circle.front()).where;
  for (const Hop& hop : circle) {
    const RouteMap& route = rig.routes[hop.route];
    text += " -> " + rig.buses[route.to].name + " (" + route.name + ", line " +
            std::to_string(forwarded_of(hop).where.line) + ")";
    if (forwarded_of(hop).where.line > last.line) last = forwarded_of(hop).where;
  }
  const Hop& hop = circle.back();
  const IdRange ids{hop.first, hop.last, forwarded_of(hop).to.extended};
  diagnostics.error(
      "B048", last, "gateways forward " + range_text(ids) + " in a circle: " + text,
      "leave these ids out of `messages` of one of them; for two buses both ways, one gateway with "
      "both = true");
}

}  // namespace

void check_gateways(const Rig& rig, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < rig.routes.size(); ++k)
    for (const ForwardedMap& forwarded : rig.routes[k].messages) {
      check_senders(rig, rig.routes[k], forwarded, diagnostics);
      check_other_gateways(rig, k, forwarded, diagnostics);
    }
  check_circles(rig, diagnostics);
}

}  // namespace takt::codegen
