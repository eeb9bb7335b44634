#include "runtime/io/can/link/netlink.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace takt::can {
namespace {

constexpr std::size_t aligned(std::size_t size) { return (size + 3U) & ~std::size_t{3}; }

/// A socket for one request.
class Socket {
 public:
  Socket() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
    if (socket_ < 0) throw LinkError(std::string("no rtnetlink: ") + std::strerror(errno), errno);
    const int on = 1;
    ::setsockopt(socket_, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Socket() { ::close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send(std::span<const std::byte> bytes) const {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (::sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0)
      throw LinkError(std::strerror(errno), errno);
  }
  [[nodiscard]] std::vector<std::byte> receive() const {
    std::vector<std::byte> bytes(32'768);
    ssize_t size = 0;
    do size = ::recv(socket_, bytes.data(), bytes.size(), 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) throw LinkError(errno == EAGAIN ? "the kernel does not answer" : std::strerror(errno), errno);
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
  }

 private:
  int socket_;
};

/// @param payload  of an NLMSG_ERROR: struct nlmsgerr, the request as far as the kernel repeats it, then its words
std::string words_of_kernel(const nlmsghdr& header, std::span<const std::byte> payload, int number) {
  std::size_t skipped = sizeof(nlmsgerr);
  if ((header.nlmsg_flags & NLM_F_CAPPED) == 0 && payload.size() >= sizeof(nlmsgerr)) {
    nlmsgerr error{};
    std::memcpy(&error, payload.data(), sizeof error);
    skipped += aligned(error.msg.nlmsg_len) - sizeof(nlmsghdr);
  }
  std::string text;
  if ((header.nlmsg_flags & NLM_F_ACK_TLVS) != 0 && payload.size() > skipped)
    text = NetlinkAttributes(payload.subspan(skipped)).text(NLMSGERR_ATTR_MSG);
  return text.empty() ? std::strerror(number) : text + " (" + std::strerror(number) + ")";
}

}  // namespace

NetlinkRequest::NetlinkRequest(std::uint16_t type, int interface) {
  nlmsghdr header{};
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | (type == RTM_GETLINK ? 0 : NLM_F_ACK));
  ifinfomsg about{};
  about.ifi_family = AF_UNSPEC;
  about.ifi_index = interface;
  size_ = sizeof header + sizeof about;
  header.nlmsg_len = static_cast<std::uint32_t>(size_);
  std::memcpy(buffer_.data(), &header, sizeof header);
  std::memcpy(buffer_.data() + sizeof header, &about, sizeof about);
}

void NetlinkRequest::change_flags(unsigned flags, unsigned mask) {
  ifinfomsg about{};
  std::memcpy(&about, buffer_.data() + sizeof(nlmsghdr), sizeof about);
  about.ifi_flags = flags;
  about.ifi_change = mask;
  std::memcpy(buffer_.data() + sizeof(nlmsghdr), &about, sizeof about);
}

void NetlinkRequest::add(std::uint16_t type, std::span<const std::byte> data) {
  const std::size_t whole = sizeof(rtattr) + data.size();
  if (size_ + aligned(whole) > buffer_.size()) throw std::length_error("a netlink message is too long");
  const rtattr header{static_cast<std::uint16_t>(whole), type};
  std::memcpy(buffer_.data() + size_, &header, sizeof header);
  if (!data.empty()) std::memcpy(buffer_.data() + size_ + sizeof header, data.data(), data.size());
  size_ += aligned(whole);
  const auto length = static_cast<std::uint32_t>(size_);
  std::memcpy(buffer_.data(), &length, sizeof length);  // nlmsg_len is the first member
}

void NetlinkRequest::add_text(std::uint16_t type, const std::string& text) {
  add(type, std::as_bytes(std::span(text.c_str(), text.size() + 1)));
}

std::size_t NetlinkRequest::begin(std::uint16_t type) {
  const std::size_t nested = size_;
  add(type, std::span<const std::byte>{});
  return nested;
}

void NetlinkRequest::end(std::size_t nested) {
  const auto length = static_cast<std::uint16_t>(size_ - nested);
  std::memcpy(buffer_.data() + nested, &length, sizeof length);  // rta_len is the first member
}

std::span<const std::byte> NetlinkAttributes::find(std::uint16_t type) const noexcept {
  for (std::size_t at = 0; at + sizeof(rtattr) <= bytes_.size();) {
    rtattr header{};
    std::memcpy(&header, bytes_.data() + at, sizeof header);
    if (header.rta_len < sizeof header || at + header.rta_len > bytes_.size()) return {};
    if ((header.rta_type & NLA_TYPE_MASK) == type)
      return bytes_.subspan(at + sizeof header, header.rta_len - sizeof header);
    at += aligned(header.rta_len);
  }
  return {};
}

std::string NetlinkAttributes::text(std::uint16_t type) const {
  const auto data = find(type);
  std::string text(reinterpret_cast<const char*>(data.data()), data.size());
  return text.substr(0, text.find('\0'));
}

std::vector<std::byte> ask_kernel(const NetlinkRequest& request) {
  const Socket socket;
  socket.send(request.bytes());
  std::vector<std::byte> bytes = socket.receive();
  nlmsghdr header{};
  if (bytes.size() < sizeof header) throw LinkError("the kernel's answer is cut short", 0);
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t end = std::clamp(std::size_t{header.nlmsg_len}, sizeof header, bytes.size());
  const std::span<const std::byte> payload = std::span(bytes).subspan(sizeof header, end - sizeof header);
  if (header.nlmsg_type != NLMSG_ERROR) return {payload.begin(), payload.end()};
  int number = 0;  // the first member of struct nlmsgerr, negative
  if (payload.size() >= sizeof number) std::memcpy(&number, payload.data(), sizeof number);
  if (number != 0) throw LinkError(words_of_kernel(header, payload, -number), -number);
  return {};
}

}  // namespace takt::can
