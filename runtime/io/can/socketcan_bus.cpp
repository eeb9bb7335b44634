#include "runtime/io/can/socketcan_bus.hpp"

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
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

/// The command for a virtual interface of this name.
std::string makes(const std::string& interface) {
  return "ip link add dev " + interface + " type vcan && ip link set " + interface + " up";
}

/// CLOCK_REALTIME of the kernel as CLOCK_MONOTONIC; now where it makes no sense.
WallTime monotonic(const timespec& stamp, WallTime now) {
  timespec wall{};
  clock_gettime(CLOCK_REALTIME, &wall);
  const std::int64_t age = (std::int64_t{wall.tv_sec} - stamp.tv_sec) * 1'000'000'000 + (wall.tv_nsec - stamp.tv_nsec);
  return age >= 0 && age < 10'000'000'000 ? now - WallDuration{age} : now;
}

}  // namespace

bool SocketCanBus::exists(const std::string& interface) {
  const int socket = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
  if (socket < 0) return false;
  const auto found = query(socket, interface);
  ::close(socket);
  return found && (found->mtu == CAN_MTU || found->mtu == CANFD_MTU);
}

SocketCanBus::SocketCanBus(const std::string& interface) : interface_(interface), text_("SocketCAN " + interface) {
  socket_ = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  if (socket_ < 0)
    throw BusError("bus " + interface + ": this kernel has no CAN sockets: " + std::strerror(errno) +
                   "; where it has them as a module: modprobe can_raw && " + makes(interface));
  const auto found = query(socket_, interface);
  std::string problem;
  sockaddr_can address{};
  address.can_family = AF_CAN;
  if (!found) {
    problem = "no such network interface; a virtual one is made by: " + makes(interface) +
              "; that of an adapter is there when it is plugged in (ip link shows all)";
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
    const can_err_mask_t errors = CAN_ERR_MASK;
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

void SocketCanBus::only(const std::vector<const MessageInfo*>& messages) {
  std::vector<can_filter> filters;
  for (const MessageInfo* info : messages) {
    const canid_t bits = !info->group.empty() ? group_mask(info->id) : info->extended ? CAN_EFF_MASK : CAN_SFF_MASK;
    filters.push_back({info->id | (info->extended ? CAN_EFF_FLAG : 0U), CAN_EFF_FLAG | CAN_RTR_FLAG | bits});
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

void SocketCanBus::join(const LinkSettings& settings) {
  const std::string set_up = "takt can setup " + interface_ + " " + options_text(settings);
  Link link;
  try {
    watch_.emplace(interface_, WallDuration{std::int64_t{std::max(settings.restart_ms, 0)} * 1'000'000});
    link = read_link(interface_);
  } catch (const LinkError& error) {
    if (settings.says_something() || settings.hardware_stamps) throw BusError("bus " + std::string(error.what()));
    return;
  }
  if (const std::string wrong = differences(link, settings); !wrong.empty())
    throw BusError("bus " + interface_ + ": the interface has " + wrong + "; set it up as the rig says: " + set_up);
  if (link.state == LinkState::bus_off)
    throw BusError("bus " + interface_ + ": its controller is bus-off; once the bus is in order: takt can restart " +
                   interface_);
  told_ = link.state;
  has_controller_ = link.is_settable();
  if (link.nominal) text_ += ", " + can::text(*link.nominal);
  if (link.data && link.fd) text_ += ", data " + can::text(*link.data);
  if (!link.is_settable() && settings.says_something()) text_ += " (" + link.kind + ": without bit rate)";
  if (settings.hardware_stamps) ask_for_hardware_stamps();
}

void SocketCanBus::ask_for_hardware_stamps() {
  ethtool_ts_info info{};
  info.cmd = ETHTOOL_GET_TS_INFO;
  ifreq request{};
  std::memcpy(request.ifr_name, interface_.data(), std::min(interface_.size(), sizeof request.ifr_name - 1));
  request.ifr_data = reinterpret_cast<char*>(&info);
  const bool has = ::ioctl(socket_, SIOCETHTOOL, &request) == 0 &&
                   (info.so_timestamping & SOF_TIMESTAMPING_RAW_HARDWARE) != 0 &&
                   (info.so_timestamping & SOF_TIMESTAMPING_RX_HARDWARE) != 0;
  if (!has) throw BusError("bus " + interface_ + ": its driver has no hardware time stamps; take stamps = \"kernel\"");
  const int on = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                 SOF_TIMESTAMPING_SOFTWARE;
  const int off = 0;
  ::setsockopt(socket_, SOL_SOCKET, SO_TIMESTAMPNS, &off, sizeof off);
  if (::setsockopt(socket_, SOL_SOCKET, SO_TIMESTAMPING, &on, sizeof on) != 0)
    throw BusError("bus " + interface_ + ": no hardware time stamps: " + std::strerror(errno));
  hardware_stamps_ = true;
  text_ += ", hardware time stamps";
}

/// By the controller, else by the kernel, else now.
WallTime SocketCanBus::arrival(const msghdr& message) {
  const WallTime now = wall_now();
  for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_TIMESTAMPNS) {
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
      return monotonic(stamp, now);
    }
    if (header->cmsg_type != SCM_TIMESTAMPING) continue;
    scm_timestamping stamps{};  // [0] the kernel's, [2] the controller's
    std::memcpy(&stamps, CMSG_DATA(header), sizeof stamps);
    const WallTime by_kernel = stamps.ts[0].tv_sec == 0 ? now : monotonic(stamps.ts[0], now);
    const std::int64_t hardware = std::int64_t{stamps.ts[2].tv_sec} * 1'000'000'000 + stamps.ts[2].tv_nsec;
    if (hardware != 0) return clock_.at(hardware, by_kernel);
    ++without_stamp_;
    return by_kernel;
  }
  return now;
}

/// An error frame is newer than what was asked for before it; states that a driver does not keep are passed over.
LinkState SocketCanBus::state() const {
  if (!watch_) return errors_.state();
  const auto [asked_state, asked] = watch_->state();
  const bool says_nothing = asked_state == LinkState::unknown || asked_state == LinkState::stopped;
  if (asked_state == LinkState::down) return watch_->is_restarting() ? told_ : asked_state;
  return says_nothing || (errors_.state() != LinkState::unknown && errors_.since() >= asked) ? errors_.state()
                                                                                             : asked_state;
}

bool SocketCanBus::take_change(LinkChange& change) {
  const std::uint64_t restarts = watch_ ? watch_->restarts() : 0;
  change = {.state = state(), .restarted = restarts != told_restarts_};
  if (change.restarted) {
    told_restarts_ = restarts;
    told_ = change.state = LinkState::error_active;
    return true;
  }
  const bool has_begun = told_ == LinkState::unknown && change.state == LinkState::error_active;
  if (change.state == LinkState::unknown || change.state == told_) return false;
  told_ = change.state;
  return !has_begun;
}

void SocketCanBus::finish() {
  if (watch_) watch_->stop();
}

std::vector<std::string> SocketCanBus::remarks() const {
  std::vector<std::string> remarks;
  if (watch_ && !watch_->report().problem.empty())
    remarks.push_back("it was not restarted after bus-off: " + watch_->report().problem +
                      " (the plant needs CAP_NET_ADMIN)");
  if (clock_.jumps() > 0)
    remarks.push_back("the clock of the controller has jumped " + std::to_string(clock_.jumps()) +
                      " times: stamps of frames just after that are those of the kernel");
  return remarks;
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
    if (size < 0) refuse_what_went_down();
    if (size != CAN_MTU && size != CANFD_MTU) return false;
    if ((raw.can_id & CAN_ERR_FLAG) != 0) {
      errors_.see(raw.can_id, std::span(raw.data).first<8>(), wall_now());
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
  // Without a way to the wire the kernel says yes, and throws frames away.
  if (const LinkState now = state(); has_controller_ && (now == LinkState::bus_off || now == LinkState::down)) {
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
  if (written == size) return true;
  if (written < 0) refuse_what_went_down();
  overflows_ += errno == ENOBUFS || errno == EAGAIN ? 1U : 0U;
  ++send_refused_;
  return false;
}

/// Throws BusError by errno, unless it is down for a restart.
void SocketCanBus::refuse_what_went_down() const {
  if (errno != ENETDOWN && errno != ENODEV) return;
  if (errno == ENETDOWN && watch_ && (watch_->is_restarting() || watch_->restarts() != told_restarts_)) return;
  throw BusError("bus " + interface_ + ": the interface went down");
}

std::vector<std::pair<std::string, std::uint64_t>> SocketCanBus::counters() const {
  std::vector<std::pair<std::string, std::uint64_t>> all{{"send_refused", send_refused_},
                                                         {"send_queue_full", overflows_}};
  for (auto& count : errors_.counts()) all.push_back(std::move(count));
  if (hardware_stamps_) all.emplace_back("without_hardware_stamp", without_stamp_);
  return all;
}

}  // namespace takt::can
