#pragma once
// A SocketCAN interface (raw sockets, CAN FD where the interface has it, kernel receive time stamps).

#include <optional>
#include <string>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/link/controller_errors.hpp"
#include "runtime/io/can/link/hardware_clock.hpp"
#include "runtime/io/can/link/link_watch.hpp"

struct msghdr;

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
  /// Lets the kernel pass only these messages; of J1939 all of their parameter groups.
  void only(const std::vector<const MessageInfo*>& messages);
  /// Refuses a second plant on the same interface (this network namespace). Throws BusError.
  void claim();
  /// Refuses an interface that is not as the rig says, or bus-off; watches it from now on. Throws BusError.
  void join(const LinkSettings& settings);

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] bool carries(const Frame& frame) const override { return !frame.fd || fd_capable_; }
  [[nodiscard]] std::string text() const override { return text_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;
  [[nodiscard]] LinkState state() const override;
  [[nodiscard]] bool take_change(LinkChange& change) override;
  [[nodiscard]] WallDuration stamps_behind() const override {
    return WallDuration{hardware_stamps_ ? 50'000'000 : 0};  // far more than a USB adapter takes
  }
  void finish() override;
  [[nodiscard]] const LinkReport* link() const override { return watch_ ? &watch_->report() : nullptr; }
  [[nodiscard]] std::vector<std::string> remarks() const override;

 private:
  void ask_for_hardware_stamps();
  void refuse_what_went_down() const;
  [[nodiscard]] WallTime arrival(const msghdr& message);

  std::string interface_, text_;
  int socket_ = -1, claim_ = -1;
  bool fd_capable_ = false, hardware_stamps_ = false, has_controller_ = false;
  std::uint64_t send_refused_ = 0, overflows_ = 0, without_stamp_ = 0, told_restarts_ = 0;
  ControllerErrors errors_;
  HardwareClock clock_;
  std::optional<LinkWatch> watch_;
  LinkState told_ = LinkState::unknown;
};

}  // namespace takt::can
