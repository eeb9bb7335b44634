#pragma once
// What error frames of a SocketCAN interface say (linux/can/error.h): the state of the controller, and counts.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/can/link/link.hpp"
#include "runtime/plant/time.hpp"

namespace takt::can {

class ControllerErrors {
 public:
  /// @param id  with its flags  @param data  8 bytes  @param when  it has arrived
  void see(std::uint32_t id, std::span<const std::uint8_t, 8> data, WallTime when) noexcept;
  /// By the newest error frame that says one; unknown before.
  [[nodiscard]] LinkState state() const noexcept { return state_; }
  [[nodiscard]] WallTime since() const noexcept { return since_; }
  /// For the report, by name; what has not been is left out, but for the first two.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counts() const;

 private:
  LinkState state_ = LinkState::unknown;
  WallTime since_{};
  ErrorCounters most_;  // that error frames had with them
  std::uint64_t frames_ = 0, bus_off_ = 0, restarted_ = 0, no_acknowledge_ = 0, bus_errors_ = 0, lost_arbitration_ = 0,
                receive_overflows_ = 0, send_overflows_ = 0, send_timeouts_ = 0;
};

}  // namespace takt::can
