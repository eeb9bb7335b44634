#include "runtime/io/udp/udp_socket.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "runtime/plant/wall_clock.hpp"

namespace takt::udp {
namespace {

sockaddr_in to_system(const Address& address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(address.ip);
  out.sin_port = htons(address.port);
  return out;
}

Address from_system(const sockaddr_in& address) { return {ntohl(address.sin_addr.s_addr), ntohs(address.sin_port)}; }

/// CLOCK_REALTIME of the kernel as CLOCK_MONOTONIC; now where somebody has set the clock meanwhile.
WallTime arrival_of(const timespec& stamp, WallTime now) {
  timespec wall{};
  clock_gettime(CLOCK_REALTIME, &wall);
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t age = (std::int64_t{wall.tv_sec} - stamp.tv_sec) * second + (wall.tv_nsec - stamp.tv_nsec);
  return age < 0 || age > 10 * second ? now : now - WallDuration{age};
}

}  // namespace

struct UdpSocket::Batch {
  std::array<Datagram, batch> datagrams;
  std::array<sockaddr_in, batch> senders{};
  std::array<iovec, batch> pieces{};
  struct alignas(cmsghdr) Control {
    std::array<char, 128> bytes;
  };
  std::array<Control, batch> controls{};
  std::array<mmsghdr, batch> messages{};
};

UdpSocket::UdpSocket(const Endpoint& endpoint) : peer_(endpoint.peer), batch_(std::make_unique<Batch>()) {
  socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) throw UdpError("bus " + endpoint.bus + ": no socket: " + std::strerror(errno));
  try {
    bind_to(endpoint);
  } catch (...) {
    ::close(socket_);
    throw;
  }
  const int on = 1, bytes = 4 << 20;
  ::setsockopt(socket_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  ::setsockopt(socket_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0)
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  for (std::size_t k = 0; k < batch; ++k)
    batch_->pieces[k] = {batch_->datagrams[k].bytes.data(), batch_->datagrams[k].bytes.size()};
}

UdpSocket::~UdpSocket() { ::close(socket_); }

/// SO_REUSEADDR is not asked for: two sockets on one port would share what comes.
void UdpSocket::bind_to(const Endpoint& endpoint) {
  const std::string head = "bus " + endpoint.bus + ": ";
  const auto ip = interface_address(endpoint.interface, endpoint.peer.ip);
  if (!ip)
    throw UdpError(head + "this machine has no interface '" + endpoint.interface + "' with an IPv4 address; it has " +
                   interface_names());
  if (is_loopback(*ip) != is_loopback(endpoint.peer.ip))
    throw UdpError(head + "the peer " + text(endpoint.peer) + " is not on the interface " + endpoint.interface);
  if (!is_loopback(*ip) && ::setsockopt(socket_, SOL_SOCKET, SO_BINDTODEVICE, endpoint.interface.c_str(),
                                        static_cast<socklen_t>(endpoint.interface.size())) != 0)
    throw UdpError(head + "it cannot keep to the interface " + endpoint.interface + ": " + std::strerror(errno) +
                   (errno == EPERM ? "; give the executable the capability CAP_NET_RAW" : ""));
  sockaddr_in address = to_system({*ip, endpoint.port});
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int reason = errno;
    throw UdpError(head + "it cannot receive on " + text(Address{*ip, endpoint.port}) + ": " + std::strerror(reason) +
                   (reason == EADDRINUSE ? ", another program has the port; end it, or choose another one: --bus " +
                                               endpoint.bus + ".port=5010"
                                         : ""));
  }
  socklen_t size = sizeof address;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  own_ = from_system(address);
  if (own_ == peer_) throw UdpError(head + "its peer " + text(peer_) + " is the plant itself");
}

bool send_from(int socket, const Address& to, std::span<const std::uint8_t> bytes) noexcept {
  const sockaddr_in address = to_system(to);
  const ssize_t sent = ::sendto(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return sent == static_cast<ssize_t>(bytes.size());
}

std::span<const Datagram> UdpSocket::receive() noexcept {
  Batch& all = *batch_;
  for (std::size_t k = 0; k < batch; ++k) {
    msghdr& header = all.messages[k].msg_hdr;
    header = {};
    header.msg_name = &all.senders[k], header.msg_namelen = sizeof(sockaddr_in);
    header.msg_iov = &all.pieces[k], header.msg_iovlen = 1;
    header.msg_control = all.controls[k].bytes.data(), header.msg_controllen = all.controls[k].bytes.size();
  }
  const int count = ::recvmmsg(socket_, all.messages.data(), batch, MSG_DONTWAIT, nullptr);
  const WallTime now = wall_now();
  for (int k = 0; k < count; ++k) {
    const auto place = static_cast<std::size_t>(k);
    msghdr& header = all.messages[place].msg_hdr;
    Datagram& datagram = all.datagrams[place];
    datagram.length = all.messages[place].msg_len, datagram.from = from_system(all.senders[place]);
    datagram.arrival = now;
    for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr; control = CMSG_NXTHDR(&header, control)) {
      if (control->cmsg_level != SOL_SOCKET) continue;
      timespec stamp{};
      if (control->cmsg_type == SO_RXQ_OVFL) std::memcpy(&dropped_, CMSG_DATA(control), sizeof dropped_);
      if (control->cmsg_type != SCM_TIMESTAMPNS) continue;
      std::memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
      datagram.arrival = arrival_of(stamp, now);
    }
  }
  return {all.datagrams.data(), static_cast<std::size_t>(std::max(count, 0))};
}

std::uint64_t UdpSocket::drain() noexcept {
  std::uint64_t count = 0;
  for (std::size_t turns = 0; turns < 4096; ++turns) {  // whoever sends without end is not waited for
    const std::size_t more = receive().size();
    count += more;
    if (more < batch) break;
  }
  return count;
}

std::string why_not_bound(const Endpoint& endpoint) {
  try {
    const UdpSocket tried(endpoint);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace takt::udp
