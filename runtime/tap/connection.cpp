#include "runtime/tap/connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

namespace takt {

namespace {

std::optional<ucred> credentials_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

}  // namespace

std::string peer_of(int socket) {
  const auto peer = credentials_of(socket);
  if (!peer) return "a client";
  return "user " + std::to_string(peer->uid) + ", process " + std::to_string(peer->pid);
}

Connection::Connection(int socket, TapDesk& desk, Usher usher)
    : socket_(socket),
      process_(credentials_of(socket).value_or(ucred{}).pid),
      since_(wall_now()),
      usher_(std::move(usher)),
      session_(std::make_shared<Session>(desk, peer_of(socket))) {}

Connection::~Connection() { close(); }

void Connection::close() noexcept {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

pollfd Connection::waited_for() const noexcept {
  const int in = takes_requests() && !ends_ ? POLLIN : 0, out = has_output() ? POLLOUT : 0;
  return {socket_, static_cast<short>(in | out), 0};
}

void Connection::receive() {
  std::array<char, 1U << 16U> piece;
  while (takes_requests() && !ends_ && socket_ >= 0) {
    const ssize_t size = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return take_lines();
    if (size < 0) return close();
    if (size == 0) {  // nothing more is asked; what is under way may still be answered
      take_lines();
      return has_output() ? void(ends_ = true) : close();
    }
    input_.append(piece.data(), static_cast<std::size_t>(size));
    take_lines();
  }
}

void Connection::take_lines() {
  std::size_t begin = 0;
  while (takes_requests() && !ends_) {
    const std::size_t end = input_.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(input_).substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!has_seat()) return input_.clear();
    session_->take(line);
  }
  input_.erase(0, begin);
  if (input_.size() <= Session::longest_line || input_.find('\n') < Session::longest_line) return;
  session_->tell_problem("a request of more than " + std::to_string(Session::longest_line) + " bytes; good bye");
  ends_ = true;
  input_.clear();
}

bool Connection::has_seat() {
  if (seated_) return true;
  const std::string why = usher_(*this);
  seated_ = why.empty();
  if (!seated_) refuse(why);
  return seated_;
}

void Connection::refuse(const std::string& why) {
  session_->tell_problem(why);
  ends_ = true;
}

void Connection::send() {
  std::string& output = session_->output;
  while (has_output() && socket_ >= 0) {
    const ssize_t size = ::send(socket_, output.data() + sent_, output.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (size <= 0) return close();
    sent_ += static_cast<std::size_t>(size);
  }
  if (sent_ > output.size() / 2) output.erase(0, sent_), sent_ = 0;
  if (ends_ && !has_output()) return close();
  if (!input_.empty() && takes_requests()) take_lines();  // that waited for room
}

}  // namespace takt
