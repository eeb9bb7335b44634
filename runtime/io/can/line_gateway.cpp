// Gateways as the I/O thread of one bus sees them: what they take from it, what they bring.

#include "runtime/io/can/line.hpp"
#include "runtime/io/can/virtual_bus.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

/// @param by  the gateway that has sent it: it does not take it back
void CanPort::Line::offer_to_gateways(Frame frame, WallTime since, std::optional<std::uint16_t> by) {
  frame.stamp = since;
  for (std::size_t k = 0; k < routes_from.size(); ++k) {
    GatewayRoute& route = *routes_from[k];
    if (route.plan().gateway == by || !route.has(frame) || gateway_faults.loses(static_cast<std::uint16_t>(k)))
      continue;
    route.offer(frame);
  }
}

/// In a step of the grid, of each gateway no more than a bus carries. What has left is on this bus: further gateways
/// take it, and so do the nodes that the plant simulates.
void CanPort::Line::bring_forwarded(WallTime now) {
  const std::size_t most = messages_per_grid(WallDuration{plan.grid_ns});
  Frame frame;
  for (GatewayRoute* const route : routes_to) {
    for (std::size_t taken = 0; taken < most && route->next(now, frame); ++taken) {
      if (bus_faults.cuts()) {
        route->cut();
        continue;
      }
      if (!bus->carries(frame)) {
        route->refused();
        continue;
      }
      if (!bus->send(frame)) break;  // no room: it waits
      const WallTime left_at = wall_now();
      route->forwarded(left_at);
      if (trace) trace->push_sent(frame, left_at);
      offer_to_gateways(frame, left_at, route->plan().gateway);
      frame.stamp = left_at;
      if (received_as(frame) < plan.receive.size() || rest.waits()) (void)hear(frame, left_at);
    }
  }
}

std::vector<std::string> CanPort::Line::gateway_texts(const std::vector<std::unique_ptr<Line>>& lines) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < routes_from.size(); ++k) {
    const auto& route = routes_from[k];
    const GatewayRoute::Counts counts = route->counts();
    std::string text = std::string("gateway ") + route->plan().name + ", " + plan.name + " to " +
                       lines[route->plan().to]->plan.name + ": " + std::to_string(counts.forwarded) +
                       " frames forwarded";
    for (const auto& [count, what] : {std::pair{counts.dropped, " dropped: more came than could leave"},
                                      {counts.refused, " refused: the bus carries no CAN FD"},
                                      {counts.cut, " lost on a bus that was cut"},
                                      {counts.waiting, " waiting at the end"},
                                      {gateway_faults.lost_with(k), " lost while it was stopped"}})
      if (count > 0) text += ", " + std::to_string(count) + what;
    texts.push_back(text);
  }
  return texts;
}

}  // namespace takt::can
