#pragma once
// A client of the virtual bus with its socket. Which protocol it speaks is known by its first byte. It waits until it
// has opened the bus, then it wants a seat.

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "runtime/io/can/client_session.hpp"

namespace takt::can {

class VirtualClient {
 public:
  static constexpr std::size_t input_bytes = 4096;     ///< taken from the socket at once
  static constexpr std::size_t waiting_bytes = 512;    ///< the same before it has a seat
  static constexpr std::size_t waiting_messages = 32;  ///< to open the bus take a few
  /// A connection that does not open the bus within this ends: it would keep others out.
  static constexpr WallDuration patience{10'000'000'000};
  enum class End : std::uint8_t {
    none,
    by_client,
    not_the_protocol,
    line_too_long,
    without_token,
    not_opened,
    gave_way,
    no_seat
  };

  /// Takes the socket over.
  VirtualClient(int socket, std::uint64_t number, BusAccess access, WallTime now);
  ~VirtualClient();
  VirtualClient(const VirtualClient&) = delete;
  VirtualClient& operator=(const VirtualClient&) = delete;

  /// Reads once, where all that was read has been served. @return bytes
  std::size_t read();
  [[nodiscard]] bool has_input() const { return begin_ < end_; }
  /// Goes on to the end of one message. @return false: nothing was there
  bool serve(WallTime now, std::optional<Frame>& frame);
  /// Writes what the socket takes, and looks at the clock.
  void flush(WallTime now);
  void deliver(const OutgoingFrame& frame, WallTime now) { session_->deliver(frame, now); }

  /// It has opened the bus, and no seat yet: none of its frames may pass.
  [[nodiscard]] bool wants_seat() const { return !seated_ && why_ == End::none && session_->admitted(); }
  void take_seat() { seated_ = true; }
  [[nodiscard]] bool is_seated() const { return seated_; }
  /// Ended by the bus.  @param why  gave_way or no_seat
  void send_off(End why) { end(why); }

  /// No more is sent to it; what it still sends is thrown away by drain().
  void hang_up();
  /// @return false: it has closed, too
  [[nodiscard]] bool drain();

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] WallTime since() const { return since_; }
  [[nodiscard]] bool waits_for_room() const { return !session_->pending().empty(); }
  [[nodiscard]] bool takes_frames(WallTime now) const { return why_ == End::none && session_->takes_frames(now); }
  [[nodiscard]] bool speaks_slcan() const { return is_slcan_; }
  [[nodiscard]] bool is_over() const { return why_ != End::none && (why_ != End::by_client || !has_input()); }
  [[nodiscard]] End why() const { return why_; }
  [[nodiscard]] ClientReport report() const;

  bool passed_on = false;  ///< another process has the connection, too

 private:
  void recognise();
  void end(End why) { why_ = why_ == End::none || why_ == End::by_client ? why : why_; }

  int socket_;
  std::uint64_t number_;
  BusAccess access_;
  WallTime since_;
  std::unique_ptr<ClientSession> session_;  ///< socketcand, which greets, until something else is recognised
  bool recognised_ = false, is_slcan_ = false, is_deaf_ = false, seated_ = false;
  End why_ = End::none;
  std::array<char, input_bytes> input_{};
  std::size_t begin_ = 0, end_ = 0;
  std::size_t messages_ = 0;  // before it had a seat
};

[[nodiscard]] const char* text_of(VirtualClient::End end);

}  // namespace takt::can
