#include "runtime/io/can/rest_bus.hpp"

#include <algorithm>

namespace takt::can {

RestBus::RestBus(const BusPlan& bus) : bus_(bus), due_(bus.rest.size()) {
  if (bus.rest_start.kind == RestStart::Kind::when) values_.resize(bus.receive[bus.rest_start.message].signals.size());
}

/// What has an id of the plant's own messages comes from its supervisor, which spoke while the plant hung.
bool RestBus::is_called_by(const Frame& frame) const {
  if (began_ || bus_.rest_start.kind != RestStart::Kind::heard) return false;
  const auto is_own = [&](const auto& plan) { return has_id(frame, plan.info); };
  return std::none_of(bus_.send.begin(), bus_.send.end(), is_own) &&
         std::none_of(bus_.rest.begin(), bus_.rest.end(), is_own);
}

bool RestBus::is_allowed_by(const Frame& frame) {
  const RestStart& start = bus_.rest_start;
  if (began_ || start.kind != RestStart::Kind::when || frame.plan != start.message) return false;
  return bus_.receive[start.message].decode(frame, values_.data()) &&
         holds(values_[start.signal], start.comparison, start.value);
}

void RestBus::begin(WallTime now) {
  began_ = now;
  for (std::size_t k = 0; k < size(); ++k) due_[k] = now + WallDuration{plan(k).delay_ns};
}

void RestBus::start_node(std::uint16_t node, WallTime now) {
  for (std::size_t k = 0; k < size(); ++k)
    if (plan(k).node == node) due_[k] = now + WallDuration{plan(k).delay_ns};
}

Frame RestBus::frame(std::size_t message) const {
  Frame frame = make_frame(plan(message).info);
  frame.data = plan(message).data;
  return frame;
}

bool RestBus::take_due(std::size_t message, WallTime now) {
  if (waits() || now < due_[message]) return false;
  const WallDuration period{plan(message).info.period_ns};
  due_[message] = due_[message] + period * ((now - due_[message]) / period + 1);
  return true;
}

}  // namespace takt::can
