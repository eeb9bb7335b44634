#include "runtime/io/can/tcp_client.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

TcpClient::TcpClient(const std::string& host, std::uint16_t port, std::string text) : text_(std::move(text)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &address.sin_addr) != 1)
    fail("the host must be an IPv4 address such as 127.0.0.1");
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) fail(std::string("no TCP socket: ") + std::strerror(errno));
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int reason = errno;
    ::close(socket_);
    fail(std::string("cannot connect: ") + std::strerror(reason));
  }
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

TcpClient::~TcpClient() { ::close(socket_); }

void TcpClient::write_all(std::string_view text) const {
  if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    fail("the connection was closed");
}

std::string_view TcpClient::read(char* bytes, std::size_t size) const {
  const auto got = ::recv(socket_, bytes, size, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return {};
  if (got <= 0) fail("the server closed the connection");
  return {bytes, static_cast<std::size_t>(got)};
}

bool TcpClient::wait(WallDuration longest, bool is_writing) const {
  const timespec timeout = to_timespec(std::max(longest, WallDuration{}));
  pollfd polled{socket_, static_cast<short>(is_writing ? POLLIN | POLLOUT : POLLIN), 0};
  return ::ppoll(&polled, 1, &timeout, nullptr) > 0 && (polled.revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

}  // namespace takt::can
