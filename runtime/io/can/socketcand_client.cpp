#include "runtime/io/can/socketcand_client.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

constexpr WallDuration handshake{3'000'000'000};

}  // namespace

SocketcandClient::SocketcandClient(const std::string& host, std::uint16_t port, const std::string& channel)
    : text_("socketcand " + host + ":" + std::to_string(port) + "/" + channel) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &address.sin_addr) != 1) {
    throw BusError(text_ + ": the host must be an IPv4 address such as 127.0.0.1");
  }
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) throw BusError(text_ + ": no TCP socket: " + std::strerror(errno));
  try {
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw BusError(text_ + ": cannot connect: " + std::strerror(errno));
    }
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
    const WallTime until = wall_now() + handshake;
    expect("hi", until);
    write_all("< open " + channel + " >");
    expect("ok", until);
    write_all("< rawmode >");
    expect("ok", until);
  } catch (...) {
    ::close(socket_);
    throw;
  }
  raw_ = true;
}

SocketcandClient::~SocketcandClient() { ::close(socket_); }

void SocketcandClient::expect(std::string_view wanted, WallTime until) {
  while (replies_.empty()) {
    const std::int64_t left = (until - wall_now()).ns() / 1'000'000;
    pollfd polled{socket_, POLLIN, 0};
    if (left <= 0 || ::poll(&polled, 1, static_cast<int>(left)) == 0) {
      throw BusError(text_ + ": no answer; '" + std::string(wanted) + "' expected");
    }
    if (!read_some()) throw BusError(text_ + ": the server closed the connection");
  }
  const std::string reply = replies_.front();
  replies_.erase(replies_.begin());
  if (reply != wanted)
    throw BusError(text_ + ": the server answered '" + reply + "' instead of '" + std::string(wanted) + "'");
}

void SocketcandClient::write_all(std::string_view text) {
  if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) {
    throw BusError(text_ + ": the connection was closed");
  }
}

bool SocketcandClient::read_some() {
  std::array<char, 8192> bytes{};
  const auto size = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  if (size == 0) return false;
  const WallTime now = wall_now();
  std::string_view left(bytes.data(), static_cast<std::size_t>(size));
  while (!left.empty()) {
    left.remove_prefix(cutter_.feed(left));
    if (!cutter_.complete()) continue;
    std::string_view arguments = cutter_.message();
    if (next_word(arguments) != "frame") {
      if (!raw_) replies_.emplace_back(cutter_.message());
      continue;
    }
    auto frame = parse_frame(arguments);
    if (!frame) continue;
    frame->stamp = now;
    dropped_received_ += received_.push(*frame) ? 0U : 1U;
  }
  return true;
}

void SocketcandClient::flush() {
  if (!send_pending(socket_, out_)) throw BusError(text_ + ": the connection was closed");
}

void SocketcandClient::wait(WallTime until) {
  flush();
  const timespec timeout = to_timespec(received_.empty() ? until - wall_now() : WallDuration{});
  pollfd polled{socket_, static_cast<short>(out_.pending().empty() ? POLLIN : POLLIN | POLLOUT), 0};
  if (::ppoll(&polled, 1, &timeout, nullptr) <= 0) return;
  if ((polled.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_some()) {
    throw BusError(text_ + ": the server closed the connection");
  }
  flush();
}

bool SocketcandClient::receive(Frame& frame) { return received_.take(frame); }

bool SocketcandClient::send(const Frame& frame) {
  if (frame.fd || frame.len > 8 || !out_.append(send_message(frame).view())) {
    ++dropped_;
    return false;
  }
  flush();
  return true;
}

std::vector<std::pair<std::string, std::uint64_t>> SocketcandClient::counters() const {
  return {{"frames_dropped", dropped_}, {"frames_dropped_received", dropped_received_}, {"garbage", cutter_.garbage()}};
}

}  // namespace takt::can
