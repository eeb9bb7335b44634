#pragma once
// What both ends of a socketcand connection buffer: frames that came and are not yet taken, text that waits for the
// socket. Not real-time.

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/can/bus.hpp"

namespace takt::can {

/// Frames in order of arrival. Room is made where all have been taken.
class ReceivedFrames {
 public:
  explicit ReceivedFrames(std::size_t limit) : limit_(limit) { frames_.reserve(std::min<std::size_t>(limit, 4096)); }
  /// @return false: full, the frame is dropped
  [[nodiscard]] bool push(const Frame& frame) {
    if (frames_.size() >= limit_) return false;
    frames_.push_back(frame);
    return true;
  }
  [[nodiscard]] bool empty() const { return next_ >= frames_.size(); }
  [[nodiscard]] bool take(Frame& frame) {
    if (empty()) {
      frames_.clear();
      next_ = 0;
      return false;
    }
    frame = frames_[next_++];
    return true;
  }

 private:
  std::size_t limit_;
  std::vector<Frame> frames_;
  std::size_t next_ = 0;
};

/// Text on its way to a socket, whole messages only.
class PendingText {
 public:
  explicit PendingText(std::size_t limit) : limit_(limit) { text_.reserve(limit); }
  /// @return false: no room, nothing is appended
  [[nodiscard]] bool append(std::string_view text) {
    if (pending().size() + text.size() > limit_) return false;
    if (text_.size() + text.size() > limit_) {
      text_.erase(0, sent_);
      sent_ = 0;
    }
    text_.append(text);
    return true;
  }
  [[nodiscard]] std::string_view pending() const { return std::string_view(text_).substr(sent_); }
  void consumed(std::size_t bytes) {
    sent_ += bytes;
    if (sent_ < text_.size()) return;
    text_.clear();
    sent_ = 0;
  }

 private:
  std::size_t limit_;
  std::string text_;
  std::size_t sent_ = 0;
};

/// Hands the socket what it takes now. `Text` has pending() and consumed().
/// @return false: the connection is lost
template <class Text>
[[nodiscard]] bool send_pending(int socket, Text& text) {
  while (!text.pending().empty()) {
    const std::string_view bytes = text.pending();
    const auto size = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    text.consumed(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace takt::can
