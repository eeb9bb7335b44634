#pragma once
// The socket of a UDP bus. Its calls are for the I/O thread and for the supervisor, never for a real-time thread.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/io/udp/address.hpp"
#include "runtime/io/udp/plan.hpp"
#include "runtime/plant/time.hpp"

namespace takt::udp {

/// What the machine refuses, with what mends it.
struct UdpError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What one bus uses, after overrides.
struct Endpoint {
  std::string bus;  ///< for messages
  std::string interface;
  std::uint16_t port = 0;  ///< 0: any that is free
  Address peer;
};

struct Datagram {
  std::array<std::uint8_t, most_bytes + 1> bytes;  ///< one more than a frame has: a longer one is not taken for it
  std::size_t length = 0;
  Address from;
  WallTime arrival;
  [[nodiscard]] std::span<const std::uint8_t> data() const noexcept { return {bytes.data(), length}; }
};

/// @return false: the system did not take it
bool send_from(int socket, const Address& to, std::span<const std::uint8_t> bytes) noexcept;

/// Bound to the address of one interface, and to the interface itself where it is not the loopback.
class UdpSocket {
 public:
  /// Datagrams that one receive() brings at most.
  static constexpr std::size_t batch = 64;

  /// Throws UdpError: no such interface, port in use, no permission.
  explicit UdpSocket(const Endpoint& endpoint);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  /// To the peer.  @return false: the system did not take it
  bool send(std::span<const std::uint8_t> bytes) noexcept { return send_from(socket_, peer_, bytes); }
  /// What has come, up to a batch; valid until the next call. Never waits.
  [[nodiscard]] std::span<const Datagram> receive() noexcept;
  /// Throws away what has come.  @return how many
  std::uint64_t drain() noexcept;
  /// Datagrams that the kernel had no room for.
  [[nodiscard]] std::uint64_t dropped_by_kernel() const noexcept { return dropped_; }
  [[nodiscard]] const Address& own() const noexcept { return own_; }
  /// For another process that sends from it, too.
  [[nodiscard]] int descriptor() const noexcept { return socket_; }

 private:
  struct Batch;  // what recvmmsg() wants
  void bind_to(const Endpoint& endpoint);
  int socket_ = -1;
  Address own_, peer_;
  std::uint32_t dropped_ = 0;
  std::unique_ptr<Batch> batch_;
};

/// Whether the port could be bound now.  @return why not; empty: it could
[[nodiscard]] std::string why_not_bound(const Endpoint& endpoint);

}  // namespace takt::udp
