#pragma once
// What a supervisor sends on CAN buses in place of their plant: the last sent frame of every message with its safe
// signals encoded over it.

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/can/last_frame.hpp"
#include "runtime/io/can/plan.hpp"
#include "runtime/io/can/protection_states.hpp"
#include "runtime/io/can/socketcan_bus.hpp"
#include "runtime/io/shared_array.hpp"
#include "runtime/io/supervision.hpp"

namespace takt::can {

/// SocketCAN: a socket of its own. Virtual bus: the connections of its clients, which the plant passes on as they come.
/// A message that was never sent and has no safe value is left out.
class SafeFrames final : public SafeSender {
 public:
  using LastFrames = SharedArray<LastFrame>;
  struct BusSettings {
    const BusPlan& plan;
    std::string channel;  ///< after overrides
    bool virtual_only = false;
    std::shared_ptr<const LastFrames> last;  ///< by message sent, those of the rest bus behind
    std::shared_ptr<SendProtection> protection;
    std::shared_ptr<const SharedArray<std::atomic<bool>>> rest_has_begun = {};  ///< nullptr: it waits for nothing
  };
  explicit SafeFrames(std::vector<BusSettings> buses);
  ~SafeFrames() override;
  SafeFrames(const SafeFrames&) = delete;
  SafeFrames& operator=(const SafeFrames&) = delete;

  void prepare() override;
  [[nodiscard]] bool owns(std::uint32_t bus) const override;
  void adopt(std::uint32_t bus, int connection) override;
  void add_to(std::vector<pollfd>& polled) const override;
  void tidy() override;
  void take_over() override;
  std::uint64_t send_all(WallTime now) override;
  std::uint64_t send_due(WallTime now) override;
  [[nodiscard]] WallTime next_due() const override;
  [[nodiscard]] std::string text() const override;

 private:
  struct Connection;
  struct Line;
  static void open(Line& line);
  static bool keep_last(const Line& line, std::size_t message, Frame& frame);
  bool send(Line& line, std::size_t message, WallTime now);
  std::vector<std::unique_ptr<Line>> lines_;
  bool alone_ = false;  // the plant is dead
};

}  // namespace takt::can
