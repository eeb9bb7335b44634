#pragma once
// A SocketCAN interface (raw sockets, CAN FD where the interface has it, kernel receive time stamps).

#include <optional>
#include <string>
#include <vector>

#include "runtime/io/can/bus.hpp"

namespace takt::can {

class SocketCanBus : public Bus {
 public:
  /// Throws BusError: no such interface, no CAN in this kernel, interface down.
  explicit SocketCanBus(const std::string& interface);
  ~SocketCanBus() override;
  SocketCanBus(const SocketCanBus&) = delete;
  SocketCanBus& operator=(const SocketCanBus&) = delete;

  /// Is there such a CAN interface?
  [[nodiscard]] static bool exists(const std::string& interface);
  /// Lets the kernel pass only these messages; (id, extended).
  void only(const std::vector<std::pair<std::uint32_t, bool>>& ids);
  /// Refuses a second plant on the same interface (this network namespace). Throws BusError.
  void claim();

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] bool carries(const Frame& frame) const override { return !frame.fd || fd_capable_; }
  [[nodiscard]] std::string text() const override { return "SocketCAN " + interface_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;

 private:
  std::string interface_;
  int socket_ = -1, claim_ = -1;
  bool fd_capable_ = false;
  std::uint64_t send_refused_ = 0, error_frames_ = 0, bus_off_ = 0, overflows_ = 0;
};

}  // namespace takt::can
