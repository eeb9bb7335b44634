#include "runtime/io/can/gateway_route.hpp"

#include <algorithm>

namespace takt::can {

GatewayRoute::GatewayRoute(const RoutePlan& route, WallDuration grid)
    : plan_(route), spacing_(route.spacing_ns), early_(grid / 2), queue_(route.queue) {
  while (queue_.push(Frame{})) {  // touches every page
  }
  queue_.reset();
}

const ForwardedIds* GatewayRoute::ids_of(const Frame& frame) const {
  const auto found = std::find_if(plan_.ids.begin(), plan_.ids.end(), [&](const ForwardedIds& ids) {
    if (!ids.group.empty() && frame.extended && is_same_group(ids.first, frame.id))
      return frame.id == ids.first || heard_as(ids.group, frame.id) == ids.first;
    return frame.extended == ids.extended && frame.id >= ids.first && frame.id <= ids.last;
  });
  return found == plan_.ids.end() ? nullptr : &*found;
}

void GatewayRoute::offer(const Frame& frame) {
  const ForwardedIds* const ids = ids_of(frame);
  if (ids == nullptr) return;
  ++taken_;
  Frame forwarded = frame;
  if (ids->is_renamed) forwarded.id = ids->id, forwarded.extended = ids->id_extended;
  if (!queue_.push(forwarded)) ++dropped_;
}

bool GatewayRoute::next(WallTime now, Frame& frame) const {
  if (now + early_ < free_ && spacing_ > WallDuration{}) return false;
  if (queue_.read_available() == 0) return false;
  frame = queue_.front();
  return true;
}

/// The mean distance is kept: a frame that has left half a step of the grid early does not bring the next one forward.
void GatewayRoute::take_away(WallTime now) {
  queue_.pop();
  free_ = std::max(free_, now) + spacing_;
}

void GatewayRoute::forwarded(WallTime now) {
  latencies_.record(now - queue_.front().stamp);
  ++forwarded_;
  take_away(now);
}

void GatewayRoute::cut() {
  ++cut_;
  queue_.pop();
}

void GatewayRoute::refused() {
  ++refused_;
  queue_.pop();
}

GatewayRoute::Counts GatewayRoute::counts() const {
  return {.taken = taken_,
          .dropped = dropped_,
          .forwarded = forwarded_,
          .cut = cut_,
          .refused = refused_,
          .waiting = queue_.read_available()};
}

}  // namespace takt::can
