#pragma once
// A client that speaks slcan, the text protocol of serial CAN adapters (slcan_text.hpp); python-can's "slcan" interface
// on "socket://127.0.0.1:PORT" is one. Unlike socketcand it has CAN FD and remote requests.
//   O, L: open (L: it listens only)   C: close   S0..S9, Y0..Y9, sXXXX: bit rates, which a virtual bus has not
//   sTOKEN: presents the token of the bus   V, v: version   N: serial number   F: state   Z0: no time stamps
// Answers: a carriage return, or BEL where a line is refused. Frames are not acknowledged: nothing can keep them back.

#include "runtime/io/can/client_session.hpp"

namespace takt::can {

class SlcanSession final : public ClientSession {
 public:
  /// @param greeting  what the client has got as one of another protocol, or is still to get
  SlcanSession(BusAccess access, std::string_view greeting);

  std::size_t feed(std::string_view bytes, WallTime now, std::optional<Frame>& frame) override;
  [[nodiscard]] bool admitted() const override { return opened_; }
  [[nodiscard]] bool takes_frames(WallTime /*now*/) const override { return state_ != State::closed; }
  [[nodiscard]] const char* protocol() const override { return "slcan"; }
  /// Whether a line can begin so.
  [[nodiscard]] static bool begins(char first);

 private:
  enum class State : std::uint8_t { closed, open, listens };
  void handle(std::string_view line, std::optional<Frame>& frame);
  [[nodiscard]] bool command(std::string_view line);
  void open(State state);
  [[nodiscard]] std::string_view text_of(const OutgoingFrame& frame) const override { return frame.slcan.view(); }

  BusAccess access_;
  LineCutter cutter_;
  State state_ = State::closed;
  bool has_token_, spoke_ = false, opened_ = false;
};

}  // namespace takt::can
