#include "runtime/io/can/peer_user.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace takt::can {
namespace {

constexpr std::uint32_t any = 0xffffffffU;  // of cookies and states

struct Question {
  nlmsghdr head{};
  inet_diag_req_v2 about{};
};

/// The socket at the other end, by its two addresses: one question about one socket, whose answer waits when it has
/// been asked.
std::optional<uid_t> owner(const sockaddr_in& here, const sockaddr_in& there) noexcept {
  const int link = ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (link < 0) return std::nullopt;
  Question question;
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.about.sdiag_family = AF_INET;
  question.about.sdiag_protocol = IPPROTO_TCP;
  question.about.idiag_states = any;
  question.about.id.idiag_sport = there.sin_port, question.about.id.idiag_dport = here.sin_port;
  question.about.id.idiag_src[0] = there.sin_addr.s_addr, question.about.id.idiag_dst[0] = here.sin_addr.s_addr;
  question.about.id.idiag_cookie[0] = question.about.id.idiag_cookie[1] = any;
  alignas(nlmsghdr) std::array<char, 2048> answer{};
  ssize_t size = -1;
  if (::send(link, &question, sizeof question, 0) == static_cast<ssize_t>(sizeof question))
    size = ::recv(link, answer.data(), answer.size(), MSG_DONTWAIT);
  ::close(link);
  nlmsghdr head{};
  inet_diag_msg found{};
  if (size < static_cast<ssize_t>(NLMSG_LENGTH(sizeof found))) return std::nullopt;
  std::memcpy(&head, answer.data(), sizeof head);
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  return found.idiag_uid;
}

}  // namespace

std::optional<uid_t> user_of_peer(int socket) noexcept {
  sockaddr_in here{}, there{};
  socklen_t here_size = sizeof here, there_size = sizeof there;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &here_size) != 0) return std::nullopt;
  if (here.sin_family == AF_UNIX) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
    return peer.uid;
  }
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &there_size) != 0 || there.sin_family != AF_INET)
    return std::nullopt;
  return owner(here, there);
}

}  // namespace takt::can
