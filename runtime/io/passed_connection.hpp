#pragma once
// An open connection on its way from one process to another (SCM_RIGHTS): from then on both have it.

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace takt {

/// @param to  a Unix socket of kind SOCK_SEQPACKET
/// @param bus  what the receiver is told about it
/// @return false: the receiver has no room, try again. True also where it is gone.  Never waits.
[[nodiscard]] inline bool pass_connection(int to, std::uint32_t bus, int connection) noexcept {
  iovec part{&bus, sizeof bus};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof connection)] = {};
  msghdr message{};
  message.msg_iov = &part, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof connection);
  std::memcpy(CMSG_DATA(header), &connection, sizeof connection);
  return ::sendmsg(to, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || (errno != EAGAIN && errno != EINTR);
}

struct PassedConnection {
  std::uint32_t bus = 0;
  int connection = -1;
};

/// The next one that has been passed.  @return false: none is there.  Never waits.
[[nodiscard]] inline bool take_connection(int from, PassedConnection& passed) noexcept {
  iovec part{&passed.bus, sizeof passed.bus};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof passed.connection)] = {};
  msghdr message{};
  message.msg_iov = &part, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  if (::recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof passed.bus))
    return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return false;
  std::memcpy(&passed.connection, CMSG_DATA(header), sizeof passed.connection);
  return true;
}

}  // namespace takt
