#pragma once
// Where a UDP bus is on the network: addresses (IPv4) and interfaces of this machine. Not real-time.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::udp {

struct Address {
  std::uint32_t ip = 0;  ///< 127.0.0.1 is 0x7F000001
  std::uint16_t port = 0;
  [[nodiscard]] friend constexpr bool operator==(const Address&, const Address&) noexcept = default;
};

/// "127.0.0.1:5006".  @return nothing where it is none, or has the port 0
[[nodiscard]] std::optional<Address> read_address(std::string_view text);
[[nodiscard]] std::string text(const Address& address);

[[nodiscard]] constexpr bool is_loopback(std::uint32_t ip) noexcept { return ip >> 24U == 127; }
/// An address of one machine: neither 0.0.0.0 and what is reserved, nor one of many.
[[nodiscard]] constexpr bool is_of_one(std::uint32_t ip) noexcept { return ip >> 24U != 0 && ip >> 28U < 0xE; }

/// The address of an interface, by its name; the one in whose network the peer is, where there are several.
/// @return nothing where there is no such interface, or it has no IPv4 address.  Throws std::runtime_error.
[[nodiscard]] std::optional<std::uint32_t> interface_address(const std::string& name, std::uint32_t peer);

/// Names of the interfaces that have an IPv4 address.  Throws std::runtime_error.
[[nodiscard]] std::string interface_names();

}  // namespace takt::udp
