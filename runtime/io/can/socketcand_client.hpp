#pragma once
// Client of a socketcand server in raw mode.

#include <string>
#include <vector>

#include "runtime/io/can/socketcand_text.hpp"
#include "runtime/io/can/stream_client.hpp"

namespace takt::can {

class SocketcandClient final : public StreamClient {
 public:
  /// Connects and opens the bus. Throws BusError.
  /// @param channel  "NAME", or "NAME/TOKEN" where the bus wants one
  SocketcandClient(const std::string& host, std::uint16_t port, const std::string& channel);

  [[nodiscard]] bool carries(const Frame& frame) const override { return !frame.fd && !frame.remote && frame.len <= 8; }

 private:
  void expect(std::string_view wanted, WallTime until);
  void take(std::string_view bytes, WallTime now) override;
  [[nodiscard]] std::string written(const Frame& frame) const override {
    return std::string(send_message(frame).view());
  }
  [[nodiscard]] std::uint64_t garbage() const override { return cutter_.garbage(); }

  MessageCutter cutter_;
  std::vector<std::string> replies_;  ///< messages that are not frames, during the handshake
  bool raw_ = false;
};

}  // namespace takt::can
