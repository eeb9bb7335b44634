#include "runtime/io/can/socketcan_bus.hpp"

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "runtime/io/can/dlc.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

struct InterfaceQuery {
  int index = 0, mtu = 0;
  bool up = false;
};

std::optional<InterfaceQuery> query(int socket, const std::string& interface) {
  ifreq request{};
  if (interface.empty() || interface.size() >= IFNAMSIZ) return std::nullopt;
  std::memcpy(request.ifr_name, interface.data(), interface.size());
  InterfaceQuery result;
  if (::ioctl(socket, SIOCGIFINDEX, &request) != 0) return std::nullopt;
  result.index = request.ifr_ifindex;
  if (::ioctl(socket, SIOCGIFMTU, &request) != 0) return std::nullopt;
  result.mtu = request.ifr_mtu;
  if (::ioctl(socket, SIOCGIFFLAGS, &request) != 0) return std::nullopt;
  result.up = (request.ifr_flags & IFF_UP) != 0;
  return result;
}

/// Kernel receive time (CLOCK_REALTIME) as CLOCK_MONOTONIC; now where there is none or it makes no sense.
WallTime arrival(const msghdr& message) {
  const WallTime now = wall_now();
  for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{}, wall{};
    std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
    clock_gettime(CLOCK_REALTIME, &wall);
    const std::int64_t age =
        (std::int64_t{wall.tv_sec} - stamp.tv_sec) * 1'000'000'000 + (wall.tv_nsec - stamp.tv_nsec);
    if (age >= 0 && age < 10'000'000'000) return now - WallDuration{age};
  }
  return now;
}

}  // namespace

bool SocketCanBus::exists(const std::string& interface) {
  const int socket = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
  if (socket < 0) return false;
  const auto found = query(socket, interface);
  ::close(socket);
  return found && (found->mtu == CAN_MTU || found->mtu == CANFD_MTU);
}

SocketCanBus::SocketCanBus(const std::string& interface) : interface_(interface) {
  socket_ = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  if (socket_ < 0) throw BusError("bus " + interface + ": this kernel has no CAN sockets: " + std::strerror(errno));
  const auto found = query(socket_, interface);
  std::string problem;
  sockaddr_can address{};
  address.can_family = AF_CAN;
  if (!found) {
    problem = "no such network interface";
  } else if (found->mtu != CAN_MTU && found->mtu != CANFD_MTU) {
    problem = "this network interface is no CAN interface";
  } else if (!found->up) {
    problem = "the interface is down; try: ip link set " + interface + " up";
  } else {
    address.can_ifindex = found->index;
    fd_capable_ = found->mtu == CANFD_MTU;
    const int on = 1;
    if (fd_capable_) ::setsockopt(socket_, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &on, sizeof on);
    ::setsockopt(socket_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    const can_err_mask_t errors = CAN_ERR_BUSOFF | CAN_ERR_CRTL | CAN_ERR_ACK | CAN_ERR_BUSERROR;
    ::setsockopt(socket_, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      problem = std::strerror(errno);
  }
  if (problem.empty()) return;
  ::close(socket_);
  throw BusError("bus " + interface + ": " + problem);
}

SocketCanBus::~SocketCanBus() {
  ::close(socket_);
  if (claim_ >= 0) ::close(claim_);
}

void SocketCanBus::only(const std::vector<std::pair<std::uint32_t, bool>>& ids) {
  std::vector<can_filter> filters;
  for (const auto& [id, extended] : ids) {
    const canid_t mask = CAN_EFF_FLAG | CAN_RTR_FLAG | (extended ? CAN_EFF_MASK : CAN_SFF_MASK);
    filters.push_back({id | (extended ? CAN_EFF_FLAG : 0U), mask});
  }
  // The kernel takes 512 filters; beyond that everything comes through and is sorted out here.
  if (filters.size() <= CAN_RAW_FILTER_MAX) {
    ::setsockopt(socket_, SOL_CAN_RAW, CAN_RAW_FILTER, filters.data(),
                 static_cast<socklen_t>(filters.size() * sizeof(can_filter)));
  }
}

void SocketCanBus::claim() {
  // An abstract socket address is owned by one process of the network namespace and freed with it.
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "takt.can." + interface_;
  std::memcpy(address.sun_path + 1, name.data(), std::min(name.size(), sizeof address.sun_path - 1));
  claim_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (claim_ >= 0 && ::bind(claim_, reinterpret_cast<const sockaddr*>(&address), size) != 0 && errno == EADDRINUSE) {
    throw BusError("bus " + interface_ + ": another plant is running on this interface");
  }
}

void SocketCanBus::wait(WallTime until) {
  const timespec timeout = to_timespec(until - wall_now());
  pollfd polled{socket_, POLLIN, 0};
  ::ppoll(&polled, 1, &timeout, nullptr);
}

bool SocketCanBus::receive(Frame& frame) {
  // Bounded: error frames are counted and passed over.
  for (int passed = 0; passed < 64; ++passed) {
    canfd_frame raw{};
    iovec part{&raw, sizeof raw};
    alignas(cmsghdr) std::array<char, 128> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const auto size = ::recvmsg(socket_, &message, MSG_DONTWAIT);
    if (size < 0 && (errno == ENETDOWN || errno == ENODEV))
      throw BusError("bus " + interface_ + ": the interface went down");
    if (size != CAN_MTU && size != CANFD_MTU) return false;
    if ((raw.can_id & CAN_ERR_FLAG) != 0) {
      ++error_frames_;
      bus_off_ += (raw.can_id & CAN_ERR_BUSOFF) != 0 ? 1U : 0U;
      continue;
    }
    frame = Frame{};
    frame.stamp = arrival(message);
    frame.extended = (raw.can_id & CAN_EFF_FLAG) != 0;
    frame.id = raw.can_id & (frame.extended ? CAN_EFF_MASK : CAN_SFF_MASK);
    frame.remote = (raw.can_id & CAN_RTR_FLAG) != 0;
    frame.fd = size == CANFD_MTU;
    frame.brs = frame.fd && (raw.flags & CANFD_BRS) != 0;
    frame.esi = frame.fd && (raw.flags & CANFD_ESI) != 0;
    frame.len = std::min<std::uint8_t>(raw.len, frame.fd ? 64 : 8);
    std::copy_n(raw.data, frame.len, frame.data.begin());
    return true;
  }
  return false;
}

bool SocketCanBus::send(const Frame& frame) {
  if (frame.fd && !fd_capable_) {
    ++send_refused_;
    return false;
  }
  canfd_frame raw{};
  raw.can_id = frame.id | (frame.extended ? CAN_EFF_FLAG : 0U) | (frame.remote ? CAN_RTR_FLAG : 0U);
  raw.len = frame.fd ? fd_length(frame.len) : frame.len;
  raw.flags = frame.fd && frame.brs ? CANFD_BRS : 0;
  std::copy_n(frame.data.begin(), frame.len, raw.data);
  const auto size = static_cast<ssize_t>(frame.fd ? CANFD_MTU : CAN_MTU);
  const auto written = ::send(socket_, &raw, static_cast<std::size_t>(size), MSG_DONTWAIT);
  if (written < 0 && (errno == ENETDOWN || errno == ENODEV))
    throw BusError("bus " + interface_ + ": the interface went down");
  if (written == size) return true;
  overflows_ += errno == ENOBUFS || errno == EAGAIN ? 1U : 0U;
  ++send_refused_;
  return false;
}

std::vector<std::pair<std::string, std::uint64_t>> SocketCanBus::counters() const {
  return {{"send_refused", send_refused_},
          {"send_queue_full", overflows_},
          {"error_frames", error_frames_},
          {"bus_off", bus_off_}};
}

}  // namespace takt::can
