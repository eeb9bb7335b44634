#pragma once
// One client of the virtual bus, without its socket: bytes in, frames and bytes out. What every protocol has.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/slcan_text.hpp"
#include "runtime/io/can/socketcand_text.hpp"

namespace takt::can {

/// What a client opens, and with what right.
struct BusAccess {
  std::string channel;
  std::string token;  ///< empty: whoever reaches the port may
};

/// A frame for all clients: its text is written once per protocol.
struct OutgoingFrame {
  OutgoingFrame(const Frame& outgoing, std::int64_t time_of_day_us) : frame(outgoing), slcan(slcan_message(outgoing)) {
    if (!outgoing.fd && outgoing.len <= 8 && !outgoing.remote) socketcand = frame_message(outgoing, time_of_day_us);
  }
  const Frame& frame;
  MessageText socketcand;  ///< empty: the protocol has no such frames
  SlcanText slcan;
};

class ClientSession {
 public:
  static constexpr std::size_t queue_bytes = 65536;  ///< frames for a client that does not read are dropped beyond

  /// Why the bus ends a connection.
  enum class End : std::uint8_t { none, not_the_protocol, line_too_long, without_token };
  struct Counts {
    std::uint64_t frames_from = 0, frames_to = 0, bytes_from = 0, bytes_to = 0;  ///< data of frames; seen from the bus
    std::uint64_t dropped = 0;      ///< frames: the client reads too slowly
    std::uint64_t not_carried = 0;  ///< frames that its protocol does not have
    std::uint64_t garbage = 0;      ///< bytes and messages without meaning
  };

  ClientSession() = default;
  virtual ~ClientSession() = default;
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  /// Takes bytes from the client until one message is complete. @param frame  what it sends, if it is one
  /// @return bytes taken; 0 only where there were none
  virtual std::size_t feed(std::string_view bytes, WallTime now, std::optional<Frame>& frame) = 0;
  /// What is due by the clock.
  virtual void tick(WallTime /*now*/) {}
  /// It speaks the protocol and has presented what it must.
  [[nodiscard]] virtual bool admitted() const = 0;
  [[nodiscard]] virtual bool takes_frames(WallTime now) const = 0;
  [[nodiscard]] virtual const char* protocol() const = 0;

  /// A frame for the client, dropped where its queue is full; nothing where it does not take frames (yet).
  void deliver(const OutgoingFrame& frame, WallTime now) {
    if (!takes_frames(now)) return;
    const std::string_view text = text_of(frame);
    if (text.empty()) {
      ++counts_.not_carried;
    } else if (!reply(text)) {
      ++counts_.dropped;
    } else {
      ++counts_.frames_to;
      counts_.bytes_to += frame.frame.len;
    }
  }

  [[nodiscard]] std::string_view pending() const { return out_.pending(); }
  void consumed(std::size_t bytes) { out_.consumed(bytes); }
  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

 protected:
  [[nodiscard]] virtual std::string_view text_of(const OutgoingFrame& frame) const = 0;
  bool reply(std::string_view text) { return out_.append(text); }
  void end(End why) { end_ = end_ == End::none ? why : end_; }
  void count_from(const Frame& frame) {
    ++counts_.frames_from;
    counts_.bytes_from += frame.len;
  }
  Counts counts_;

 private:
  PendingText out_{queue_bytes};
  End end_ = End::none;
};

}  // namespace takt::can
