#include "runtime/io/can/rehearsed_bus.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

RehearsedBus::RehearsedBus() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
    throw BusError(std::string("no pair of sockets for a rehearsal: ") + std::strerror(errno));
  near_ = ends[0], far_ = ends[1];
}

RehearsedBus::~RehearsedBus() {
  ::close(near_);
  ::close(far_);
}

void RehearsedBus::wait(WallTime until) {
  const timespec timeout = to_timespec(until - wall_now());
  pollfd polled{near_, POLLIN, 0};
  ::ppoll(&polled, 1, &timeout, nullptr);
}

bool RehearsedBus::receive(Frame& /*frame*/) {
  std::array<std::byte, sizeof(Frame)> nothing;
  return ::recv(near_, nothing.data(), nothing.size(), 0) > 0;
}

bool RehearsedBus::send(const Frame& frame) {
  std::array<std::byte, sizeof(Frame)> sunk;
  const bool sent = ::send(near_, &frame, sizeof frame, 0) == static_cast<ssize_t>(sizeof frame);
  return ::recv(far_, sunk.data(), sunk.size(), 0) > 0 && sent;
}

}  // namespace takt::can
