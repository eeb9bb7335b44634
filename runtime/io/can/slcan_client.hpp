#pragma once
// Client of an slcan server over TCP, such as the virtual bus of a plant: with CAN FD and remote requests.

#include "runtime/io/can/slcan_text.hpp"
#include "runtime/io/can/stream_client.hpp"

namespace takt::can {

class SlcanClient final : public StreamClient {
 public:
  /// Connects and opens the bus. Throws BusError.
  /// @param token  that the bus wants; empty: none
  SlcanClient(const std::string& host, std::uint16_t port, const std::string& token);

 private:
  void take(std::string_view bytes, WallTime now) override;
  [[nodiscard]] std::string written(const Frame& frame) const override {
    return std::string(slcan_message(frame).view());
  }
  [[nodiscard]] std::uint64_t garbage() const override { return garbage_; }

  LineCutter cutter_;
  std::uint64_t answers_ = 0, garbage_ = 0;
};

}  // namespace takt::can
