#pragma once
// A client that speaks socketcand:
//   connected: "< hi >"   "< open BUS >" or, where there is a token, "< open BUS/TOKEN >": "< ok >"
//   "< rawmode >": "< ok >", from then on frames
//   any time:  "< echo >"   "< statistics MS >": "< stat RBYTES RPACKETS TBYTES TPACKETS >" each MS

#include "runtime/io/can/client_session.hpp"

namespace takt::can {

class SocketcandSession final : public ClientSession {
 public:
  /// python-can reads "< ok >" with one recv() and wants nothing behind it: a client gets frames only after it has
  /// sent something in raw mode, or this long after the "< ok >".
  static constexpr WallDuration settle{200'000'000};

  explicit SocketcandSession(BusAccess access);

  std::size_t feed(std::string_view bytes, WallTime now, std::optional<Frame>& frame) override;
  /// Statistics asked for.
  void tick(WallTime now) override;
  [[nodiscard]] bool admitted() const override { return mode_ != Mode::no_bus; }
  [[nodiscard]] bool takes_frames(WallTime now) const override { return mode_ == Mode::raw && now >= ready_; }
  [[nodiscard]] const char* protocol() const override { return "socketcand"; }
  /// How every message begins.
  [[nodiscard]] static bool begins(char first) { return first == '<'; }

 private:
  enum class Mode : std::uint8_t { no_bus, bus, raw, control };
  void handle(std::string_view message, WallTime now, std::optional<Frame>& frame);
  void handle_open(std::string_view name);
  void handle_send(std::string_view arguments, std::optional<Frame>& frame);
  void handle_statistics(std::string_view arguments, WallTime now);
  void refuse(std::string_view reason);
  [[nodiscard]] std::string_view text_of(const OutgoingFrame& frame) const override { return frame.socketcand.view(); }

  BusAccess access_;
  MessageCutter cutter_;
  Mode mode_ = Mode::no_bus;
  WallTime ready_, statistics_due_;
  WallDuration statistics_every_;  // 0: none
  std::uint64_t cut_ = 0;          // garbage of the cutter that has been counted
};

}  // namespace takt::can
