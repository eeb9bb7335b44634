#pragma once
// A client of a server of a text protocol: what socketcand and slcan have in common.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/tcp_client.hpp"

namespace takt::can {

class StreamClient : public Bus {
 public:
  static constexpr std::size_t queue_bytes = 65536;   ///< frames are dropped beyond
  static constexpr std::size_t max_received = 65536;  ///< frames kept for receive(); more are dropped and counted

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override { return received_.take(frame); }
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] std::string text() const override { return link_.text(); }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;

 protected:
  static constexpr WallDuration handshake{3'000'000'000};  ///< how long the server may take to open the bus

  /// Connects. Throws BusError.
  StreamClient(const std::string& host, std::uint16_t port, std::string text) : link_(host, port, std::move(text)) {}

  /// Bytes of the server.
  virtual void take(std::string_view bytes, WallTime now) = 0;
  /// A frame as the server reads it.
  [[nodiscard]] virtual std::string written(const Frame& frame) const = 0;
  /// Bytes and messages without meaning.
  [[nodiscard]] virtual std::uint64_t garbage() const = 0;

  void read_some();
  void keep(Frame frame, WallTime now);

  TcpClient link_;

 private:
  void flush();

  PendingText out_{queue_bytes};
  ReceivedFrames received_{max_received};
  std::uint64_t dropped_ = 0, dropped_received_ = 0;
};

}  // namespace takt::can
