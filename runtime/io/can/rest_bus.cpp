#include "runtime/io/can/rest_bus.hpp"

namespace takt::can {

void RestBus::start(WallTime now) {
  for (std::size_t k = 0; k < plans_.size(); ++k) due_[k] = now + WallDuration{plans_[k].delay_ns};
}

void RestBus::start_node(std::uint16_t node, WallTime now) {
  for (std::size_t k = 0; k < plans_.size(); ++k)
    if (plans_[k].node == node) due_[k] = now + WallDuration{plans_[k].delay_ns};
}

Frame RestBus::frame(std::size_t message) const {
  Frame frame = make_frame(plans_[message].info);
  frame.data = plans_[message].data;
  return frame;
}

bool RestBus::take_due(std::size_t message, WallTime now) {
  if (now < due_[message]) return false;
  const WallDuration period{plans_[message].info.period_ns};
  due_[message] = due_[message] + period * ((now - due_[message]) / period + 1);
  return true;
}

}  // namespace takt::can
