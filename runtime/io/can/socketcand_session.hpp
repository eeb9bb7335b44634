#pragma once
// One client of the socketcand server, without its socket: bytes in, frames and bytes out.
//   connected: "< hi >"   "< open BUS >": "< ok >"   "< rawmode >": "< ok >", from then on frames
//   any time:  "< echo >"   "< statistics MS >": "< stat RBYTES RPACKETS TBYTES TPACKETS >" each MS

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/socketcand_text.hpp"

namespace takt::can {

class SocketcandSession {
 public:
  /// python-can reads "< ok >" with one recv() and wants nothing behind it: a client gets frames only after it has
  /// sent something in raw mode, or this long after the "< ok >".
  static constexpr WallDuration settle{200'000'000};
  static constexpr std::size_t queue_bytes = 65536;  ///< frames for a client that does not read are dropped beyond

  explicit SocketcandSession(std::string channel);

  /// Bytes from the client; frames it sends are appended to `frames`.
  void feed(std::string_view bytes, WallTime now, std::vector<Frame>& frames);
  /// A frame for the client, dropped where it is not ready or its queue is full.
  void deliver(const Frame& frame, WallTime now, std::int64_t time_of_day_us);
  /// Statistics asked for, when due.
  void tick(WallTime now);

  [[nodiscard]] std::string_view pending() const { return out_.pending(); }
  void consumed(std::size_t bytes) { out_.consumed(bytes); }
  [[nodiscard]] bool raw() const { return mode_ == Mode::raw; }
  [[nodiscard]] bool takes_frames(WallTime now) const { return mode_ == Mode::raw && now >= ready_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] std::uint64_t garbage() const { return garbage_ + cutter_.garbage(); }

 private:
  enum class Mode : std::uint8_t { no_bus, bus, raw, control };
  void handle(std::string_view message, WallTime now, std::vector<Frame>& frames);
  void handle_send(std::string_view arguments, std::vector<Frame>& frames);
  void handle_statistics(std::string_view arguments, WallTime now);
  void refuse(std::string_view reason);
  bool reply(std::string_view text) { return out_.append(text); }

  std::string channel_;
  MessageCutter cutter_;
  Mode mode_ = Mode::no_bus;
  PendingText out_{queue_bytes};
  WallTime ready_, statistics_due_;
  WallDuration statistics_every_;  // 0: none
  std::uint64_t dropped_ = 0, garbage_ = 0;
  std::uint64_t received_bytes_ = 0, received_frames_ = 0, sent_bytes_ = 0, sent_frames_ = 0;  ///< seen from the bus
};

}  // namespace takt::can
