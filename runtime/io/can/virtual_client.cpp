#include "runtime/io/can/virtual_client.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/io/can/slcan_session.hpp"
#include "runtime/io/can/socketcand_session.hpp"

namespace takt::can {

VirtualClient::VirtualClient(int socket, std::uint64_t number, BusAccess access, WallTime now)
    : socket_(socket),
      number_(number),
      access_(std::move(access)),
      since_(now),
      session_(std::make_unique<SocketcandSession>(access_)) {}

/// A supervisor has the connection, too: for the client it ends only by a shutdown.
VirtualClient::~VirtualClient() {
  if (why_ != End::none && why_ != End::by_client) ::shutdown(socket_, SHUT_RDWR);
  ::close(socket_);
}

std::size_t VirtualClient::read() {
  if (has_input() || why_ != End::none) return 0;
  const auto size = ::recv(socket_, input_.data(), seated_ ? input_.size() : waiting_bytes, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
  if (size <= 0) {
    end(End::by_client);
    return 0;
  }
  begin_ = 0, end_ = static_cast<std::size_t>(size);
  return end_;
}

void VirtualClient::recognise() {
  recognised_ = true;
  const char first = input_[begin_];
  if (SocketcandSession::begins(first)) return;
  if (!SlcanSession::begins(first)) return end(End::not_the_protocol);
  session_ = std::make_unique<SlcanSession>(access_, session_->pending());
  is_slcan_ = true;
}

bool VirtualClient::serve(WallTime now, std::optional<Frame>& frame) {
  if (!has_input() || is_over()) return false;
  if (!recognised_) recognise();
  if (!is_over() && !seated_ && ++messages_ > waiting_messages) end(End::not_opened);
  if (is_over()) return true;
  begin_ += session_->feed({input_.data() + begin_, end_ - begin_}, now, frame);
  switch (session_->end()) {
    case ClientSession::End::none:
      break;
    case ClientSession::End::not_the_protocol:
      end(End::not_the_protocol);
      break;
    case ClientSession::End::line_too_long:
      end(End::line_too_long);
      break;
    case ClientSession::End::without_token:
      end(End::without_token);
      break;
  }
  return true;
}

void VirtualClient::flush(WallTime now) {
  session_->tick(now);
  if (!seated_ && !session_->admitted() && now - since_ > patience) end(End::not_opened);
  if (is_deaf_ || !send_pending(socket_, *session_)) {
    is_deaf_ = true;  // it has gone, but what it sent before may still be to read
    session_->consumed(session_->pending().size());
  }
}

void VirtualClient::hang_up() {
  (void)!send_pending(socket_, *session_);
  ::shutdown(socket_, SHUT_WR);
}

bool VirtualClient::drain() {
  for (int pieces = 0; pieces < 64; ++pieces) {
    const auto size = ::recv(socket_, input_.data(), input_.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
  return true;
}

ClientReport VirtualClient::report() const {
  const auto& counts = session_->counts();
  return {.number = number_,
          .protocol = recognised_ && why_ != End::not_the_protocol ? session_->protocol() : "none",
          .frames_from = counts.frames_from,
          .frames_to = counts.frames_to,
          .dropped = counts.dropped,
          .not_carried = counts.not_carried,
          .garbage = counts.garbage,
          .end = text_of(why_)};
}

const char* text_of(VirtualClient::End end) {
  switch (end) {
    case VirtualClient::End::none:
      return "there at the end";
    case VirtualClient::End::by_client:
      return "left";
    case VirtualClient::End::not_the_protocol:
      return "ended: spoke no protocol of the bus";
    case VirtualClient::End::line_too_long:
      return "ended: a line too long for any frame";
    case VirtualClient::End::without_token:
      return "ended: without the token";
    case VirtualClient::End::not_opened:
      return "ended: had not opened the bus within 10 s or 32 messages";
    case VirtualClient::End::gave_way:
      return "ended: had not opened the bus when others came";
    case VirtualClient::End::no_seat:
      return "ended: found all seats taken";
  }
  return "";
}

}  // namespace takt::can
