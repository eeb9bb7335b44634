#pragma once
// A CAN bus inside this process for machines whose kernel has none. Its clients come over TCP on 127.0.0.1 and speak
// the socketcand text protocol; python-can's "socketcand" interface is one. It is a bus: what one client sends,
// the plant and all other clients see, the sender does not.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/byte_stream.hpp"

namespace takt::can {

class VirtualBus : public Bus {
 public:
  static constexpr std::size_t max_clients = 16;
  static constexpr std::size_t max_received = 4096;  ///< frames kept for receive(); more are dropped and counted
  static constexpr std::size_t read_bytes = 16384;   ///< taken from one client per wait()

  /// @param channel  the name clients open.  Throws BusError where the port is taken.
  VirtualBus(std::string channel, std::uint16_t port);
  ~VirtualBus() override;
  VirtualBus(const VirtualBus&) = delete;
  VirtualBus& operator=(const VirtualBus&) = delete;

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  /// The protocol carries classic frames only.
  [[nodiscard]] bool carries(const Frame& frame) const override { return !frame.fd && frame.len <= 8; }
  [[nodiscard]] std::string text() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;

  /// Takes over a connected stream socket as a client.
  void adopt(int socket);
  /// Called once for each client as soon as it takes frames, with its socket; again where it returns false.
  void pass_on(std::function<bool(int socket)> taker) { taker_ = std::move(taker); }

 private:
  struct Client;
  void accept_clients();
  void read_client(Client& client, WallTime now);
  void flush(Client& client);
  void remove_dead();
  void show_to_taker(Client& client, WallTime now);
  void distribute(const Frame& frame, const Client* sender, WallTime now);

  std::string channel_;
  std::uint16_t port_;
  int listener_ = -1;
  std::vector<std::unique_ptr<Client>> clients_;
  ReceivedFrames received_{max_received};
  std::vector<Frame> from_client_;
  std::function<bool(int)> taker_;
  std::uint64_t connections_ = 0, refused_ = 0, dropped_to_clients_ = 0, garbage_ = 0, dropped_received_ = 0,
                not_classic_ = 0;
};

}  // namespace takt::can
