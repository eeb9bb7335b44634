#pragma once
// Client of an slcan server over TCP, such as the virtual bus of a plant: with CAN FD and remote requests.

#include <string>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/slcan_text.hpp"
#include "runtime/io/can/tcp_client.hpp"

namespace takt::can {

class SlcanClient : public Bus {
 public:
  static constexpr std::size_t queue_bytes = 65536;   ///< frames are dropped beyond
  static constexpr std::size_t max_received = 65536;  ///< frames kept for receive(); more are dropped and counted

  /// Connects and opens the bus. Throws BusError.
  /// @param token  that the bus wants; empty: none
  SlcanClient(const std::string& host, std::uint16_t port, const std::string& token);

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] std::string text() const override { return link_.text(); }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;

 private:
  void read_some();
  void flush();

  TcpClient link_;
  PendingText out_{queue_bytes};
  LineCutter cutter_;
  ReceivedFrames received_{max_received};
  std::uint64_t answers_ = 0, dropped_ = 0, dropped_received_ = 0, garbage_ = 0;
};

}  // namespace takt::can
