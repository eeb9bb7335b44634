#include "runtime/io/can/virtual_bus.hpp"

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
#include <ctime>
#include <utility>

#include "runtime/io/can/socketcand_session.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

namespace {

std::int64_t time_of_day_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

struct VirtualBus::Client {
  explicit Client(int fd, const std::string& channel) : socket(fd), session(channel) {}
  ~Client() { ::close(socket); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  int socket;
  SocketcandSession session;
  bool dead = false, passed_on = false;
};

VirtualBus::VirtualBus(std::string channel, std::uint16_t port) : channel_(std::move(channel)), port_(port) {
  from_client_.reserve(max_received);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) throw BusError("bus " + channel_ + ": no TCP socket: " + std::strerror(errno));
  const int on = 1;  // allows connections that still linger, not a second listener
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 8) != 0) {
    const int reason = errno;
    ::close(listener_);
    const std::string where = "127.0.0.1:" + std::to_string(port);
    if (reason == EADDRINUSE) {
      throw BusError("bus " + channel_ + ": " + where +
                     " is taken; is another plant running on this bus? Give it another port "
                     "([bus.NAME] port, or --bus NAME.port=N)");
    }
    throw BusError("bus " + channel_ + ": cannot listen on " + where + ": " + std::strerror(reason));
  }
  socklen_t size = sizeof address;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

VirtualBus::~VirtualBus() {
  clients_.clear();
  if (listener_ >= 0) ::close(listener_);
}

void VirtualBus::adopt(int socket) {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
  clients_.push_back(std::make_unique<Client>(socket, channel_));
  ++connections_;
}

void VirtualBus::accept_clients() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    if (clients_.size() >= max_clients) {
      ++refused_;
      ::close(socket);
      continue;
    }
    const int on = 1;  // a frame is worth its own segment: without this it waits for the last one's acknowledgement
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    adopt(socket);
  }
}

void VirtualBus::read_client(Client& client, WallTime now) {
  std::array<char, 4096> bytes{};
  for (std::size_t total = 0; total < read_bytes;) {
    const auto size = ::recv(client.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) {
      client.dead = true;
      return;
    }
    total += static_cast<std::size_t>(size);
    from_client_.clear();
    client.session.feed({bytes.data(), static_cast<std::size_t>(size)}, now, from_client_);
    for (auto& frame : from_client_) {
      frame.stamp = now;
      dropped_received_ += received_.push(frame) ? 0U : 1U;
      distribute(frame, &client, now);
    }
    if (static_cast<std::size_t>(size) < bytes.size()) return;
  }
}

void VirtualBus::distribute(const Frame& frame, const Client* sender, WallTime now) {
  const std::int64_t time_of_day_us = (time_of_day_ns() - (now - frame.stamp).ns()) / 1000;
  for (const auto& client : clients_) {
    if (client.get() != sender) client->session.deliver(frame, now, time_of_day_us);
  }
}

void VirtualBus::flush(Client& client) { client.dead = client.dead || !send_pending(client.socket, client.session); }

void VirtualBus::show_to_taker(Client& client, WallTime now) {
  if (client.passed_on || !taker_ || client.dead || !client.session.takes_frames(now)) return;
  client.passed_on = taker_(client.socket);
}

void VirtualBus::remove_dead() {
  std::erase_if(clients_, [&](const auto& client) {
    if (!client->dead) return false;
    dropped_to_clients_ += client->session.dropped();
    garbage_ += client->session.garbage();
    return true;
  });
}

void VirtualBus::wait(WallTime until) {
  WallTime now = wall_now();
  std::array<pollfd, max_clients + 1> polled{};
  std::size_t count = 0;
  polled[count++] = {listener_, POLLIN, 0};
  for (const auto& client : clients_) {
    client->session.tick(now);
    flush(*client);
    show_to_taker(*client, now);
    const bool waiting = !client->dead && !client->session.pending().empty();
    if (count < polled.size())
      polled[count++] = {client->socket, static_cast<short>(waiting ? POLLIN | POLLOUT : POLLIN), 0};
  }
  const timespec timeout = to_timespec(received_.empty() ? until - wall_now() : WallDuration{});
  if (::ppoll(polled.data(), count, &timeout, nullptr) <= 0) {
    remove_dead();
    return;
  }
  now = wall_now();
  for (std::size_t k = 1; k < count; ++k) {
    if ((polled[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_client(*clients_[k - 1], now);
  }
  if ((polled[0].revents & POLLIN) != 0) accept_clients();
  for (const auto& client : clients_) flush(*client);
  remove_dead();
}

bool VirtualBus::receive(Frame& frame) { return received_.take(frame); }

bool VirtualBus::send(const Frame& frame) {
  if (!carries(frame)) {
    ++not_classic_;
    return false;
  }
  distribute(frame, nullptr, wall_now());
  return true;
}

std::string VirtualBus::text() const {
  return "virtual bus " + channel_ + " on 127.0.0.1:" + std::to_string(port_) + " (socketcand)";
}

std::vector<std::pair<std::string, std::uint64_t>> VirtualBus::counters() const {
  std::uint64_t dropped = dropped_to_clients_, garbage = garbage_;
  for (const auto& client : clients_) {
    dropped += client->session.dropped();
    garbage += client->session.garbage();
  }
  return {{"client_connections", connections_},
          {"clients_refused", refused_},
          {"frames_dropped_to_slow_clients", dropped},
          {"frames_dropped_from_clients", dropped_received_},
          {"garbage", garbage},
          {"frames_not_classic", not_classic_}};
}

}  // namespace takt::can
