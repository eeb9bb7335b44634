#include "runtime/io/udp/address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace takt::udp {
namespace {

using Interfaces = std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)>;

Interfaces all_interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0)
    throw std::runtime_error(std::string("the interfaces of this machine cannot be listed: ") + std::strerror(errno));
  return {first, &::freeifaddrs};
}

std::uint32_t ip_of(const sockaddr* address) {
  sockaddr_in ipv4{};
  std::memcpy(&ipv4, address, sizeof ipv4);
  return ntohl(ipv4.sin_addr.s_addr);
}

bool has_ipv4(const ifaddrs& entry) { return entry.ifa_addr != nullptr && entry.ifa_addr->sa_family == AF_INET; }

}  // namespace

std::optional<Address> read_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string ip(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  in_addr read{};
  unsigned port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (::inet_pton(AF_INET, ip.c_str(), &read) != 1 || error != std::errc{} || end != digits.data() + digits.size() ||
      port == 0 || port > 65535)
    return std::nullopt;
  return Address{ntohl(read.s_addr), static_cast<std::uint16_t>(port)};
}

std::string text(const Address& address) {
  std::string out;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    out += std::to_string(address.ip >> (shift - 8) & 255U) + (shift > 8 ? "." : ":");
  return out + std::to_string(address.port);
}

std::optional<std::uint32_t> interface_address(const std::string& name, std::uint32_t peer) {
  const Interfaces interfaces = all_interfaces();
  std::optional<std::uint32_t> found;
  for (const ifaddrs* entry = interfaces.get(); entry != nullptr; entry = entry->ifa_next) {
    if (!has_ipv4(*entry) || name != entry->ifa_name) continue;
    const std::uint32_t ip = ip_of(entry->ifa_addr);
    const std::uint32_t net = entry->ifa_netmask != nullptr ? ip_of(entry->ifa_netmask) : 0xFFFFFFFFU;
    if (!found || (ip & net) == (peer & net)) found = ip;
  }
  return found;
}

std::string interface_names() {
  const Interfaces interfaces = all_interfaces();
  std::string names;
  for (const ifaddrs* entry = interfaces.get(); entry != nullptr; entry = entry->ifa_next)
    if (has_ipv4(*entry) && (", " + names + ",").find(std::string(", ") + entry->ifa_name + ",") == std::string::npos)
      names += (names.empty() ? "" : ", ") + std::string(entry->ifa_name);
  return names;
}

}  // namespace takt::udp
