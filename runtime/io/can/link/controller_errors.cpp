#include "runtime/io/can/link/controller_errors.hpp"

#include <linux/can.h>
#include <linux/can/error.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace takt::can {
namespace {

std::optional<LinkState> state_of(std::uint32_t id, std::uint8_t controller) noexcept {
  if ((id & CAN_ERR_BUSOFF) != 0) return LinkState::bus_off;
  if ((id & CAN_ERR_CRTL) != 0) {
    if ((controller & (CAN_ERR_CRTL_RX_PASSIVE | CAN_ERR_CRTL_TX_PASSIVE)) != 0) return LinkState::error_passive;
    if ((controller & (CAN_ERR_CRTL_RX_WARNING | CAN_ERR_CRTL_TX_WARNING)) != 0) return LinkState::error_warning;
    if ((controller & CAN_ERR_CRTL_ACTIVE) != 0) return LinkState::error_active;
  }
  if ((id & CAN_ERR_RESTARTED) != 0) return LinkState::error_active;
  return std::nullopt;
}

}  // namespace

void ControllerErrors::see(std::uint32_t id, std::span<const std::uint8_t, 8> data, WallTime when) noexcept {
  const auto count = [id](std::uint32_t flag, std::uint64_t& counter) { counter += (id & flag) != 0 ? 1U : 0U; };
  ++frames_;
  count(CAN_ERR_BUSOFF, bus_off_);
  count(CAN_ERR_RESTARTED, restarted_);
  count(CAN_ERR_ACK, no_acknowledge_);
  count(CAN_ERR_BUSERROR, bus_errors_);
  count(CAN_ERR_LOSTARB, lost_arbitration_);
  count(CAN_ERR_TX_TIMEOUT, send_timeouts_);
  if ((id & CAN_ERR_CRTL) != 0) {
    receive_overflows_ += (data[1] & CAN_ERR_CRTL_RX_OVERFLOW) != 0 ? 1U : 0U;
    send_overflows_ += (data[1] & CAN_ERR_CRTL_TX_OVERFLOW) != 0 ? 1U : 0U;
  }
  if ((id & CAN_ERR_CNT) != 0) {
    most_.sent = std::max<std::uint16_t>(most_.sent, data[6]);
    most_.received = std::max<std::uint16_t>(most_.received, data[7]);
  }
  const auto state = state_of(id, data[1]);
  if (!state) return;
  state_ = *state;
  since_ = when;
}

std::vector<std::pair<std::string, std::uint64_t>> ControllerErrors::counts() const {
  std::vector<std::pair<std::string, std::uint64_t>> counts{{"error_frames", frames_}, {"bus_off", bus_off_}};
  for (const auto& [name, count] : {std::pair{"restarted", restarted_},
                                    {"no_acknowledge", no_acknowledge_},
                                    {"bus_errors_seen", bus_errors_},
                                    {"lost_arbitration", lost_arbitration_},
                                    {"receive_overflows", receive_overflows_},
                                    {"send_overflows", send_overflows_},
                                    {"send_timeouts", send_timeouts_},
                                    {"error_counter_sent_most", std::uint64_t{most_.sent}},
                                    {"error_counter_received_most", std::uint64_t{most_.received}}})
    if (count > 0) counts.emplace_back(name, count);
  return counts;
}

}  // namespace takt::can
