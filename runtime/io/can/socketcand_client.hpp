#pragma once
// Client of a socketcand server in raw mode.

#include <string>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/socketcand_text.hpp"
#include "runtime/io/can/tcp_client.hpp"

namespace takt::can {

class SocketcandClient : public Bus {
 public:
  static constexpr std::size_t queue_bytes = 65536;   ///< frames are dropped beyond
  static constexpr std::size_t max_received = 65536;  ///< frames kept for receive(); more are dropped and counted

  /// Connects and opens the bus. Throws BusError.
  /// @param channel  "NAME", or "NAME/TOKEN" where the bus wants one
  SocketcandClient(const std::string& host, std::uint16_t port, const std::string& channel);

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] bool carries(const Frame& frame) const override { return !frame.fd && !frame.remote && frame.len <= 8; }
  [[nodiscard]] std::string text() const override { return link_.text(); }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;

 private:
  void expect(std::string_view wanted, WallTime until);
  void read_some();
  void flush();

  TcpClient link_;
  PendingText out_{queue_bytes};
  MessageCutter cutter_;
  ReceivedFrames received_{max_received};
  std::vector<std::string> replies_;  ///< messages that are not frames, during the handshake
  bool raw_ = false;
  std::uint64_t dropped_ = 0, dropped_received_ = 0;
};

}  // namespace takt::can
