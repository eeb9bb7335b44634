#include "tools/dds/interface.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "tools/takt/arguments.hpp"

namespace takt::dds {
namespace {

using tools::UsageError;

int mtu_of(const std::string& name) {
  ifreq request{};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool good = socket >= 0 && ::ioctl(socket, SIOCGIFMTU, &request) == 0;
  if (socket >= 0) ::close(socket);
  return good ? request.ifr_mtu : 1500;
}

struct Found {
  std::string address;
  unsigned flags = 0;
};

std::map<std::string, Found> interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) throw std::system_error(errno, std::generic_category(), "network interfaces");
  std::map<std::string, Found> found;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    Found& interface = found[each->ifa_name];
    interface.flags = each->ifa_flags;
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET || !interface.address.empty()) continue;
    char text[INET_ADDRSTRLEN] = "";
    const auto* address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    ::inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
    interface.address = text;
  }
  ::freeifaddrs(first);
  return found;
}

std::string contents(const std::string& file) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(file, unreadable)) throw UsageError("--config: no file '" + file + "'");
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Interface find_interface(const std::string& name) {
  const auto all = interfaces();
  const auto found = all.find(name);
  if (found == all.end()) {
    std::string there;
    for (const auto& [other, interface] : all)
      if (!interface.address.empty()) there += (there.empty() ? "" : ", ") + other + " (" + interface.address + ")";
    throw UsageError("network interface " + name + ": there is none of this name; there are: " + there);
  }
  if ((found->second.flags & IFF_UP) == 0)
    throw UsageError("network interface " + name + " is down: ip link set up dev " + name);
  if (found->second.address.empty()) throw UsageError("network interface " + name + " has no IPv4 address");
  return {.name = name,
          .address = found->second.address,
          .multicast = (found->second.flags & IFF_MULTICAST) != 0 && (found->second.flags & IFF_LOOPBACK) == 0,
          .mtu = mtu_of(name)};
}

std::string domain_settings(const Interface& interface, const std::string& config) {
  // Fragments fit into the interface's own packets: a lost packet costs one fragment, not a whole sample.
  const int room = std::min(interface.mtu, 65'000) - 200;
  std::string text =
      "<General><Interfaces><NetworkInterface name=\"" + interface.name + "\"/></Interfaces><AllowMulticast>" +
      (interface.multicast ? "true" : "false") + "</AllowMulticast><FragmentSize>" + std::to_string(room) +
      "B</FragmentSize>" + (room > 14'000 ? "<MaxMessageSize>65000B</MaxMessageSize>" : "") + "</General>" +
      "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex>";
  // Without multicast others are sought at the ports of this address.
  if (!interface.multicast) text += "<Peers><Peer address=\"" + interface.address + "\"/></Peers>";
  // What readers have not acknowledged is bounded by the depth of each topic: writing waits for nobody.
  text +=
      "</Discovery><Internal><Watermarks><WhcAdaptive>false</WhcAdaptive><WhcHigh>1 GB</WhcHigh><WhcHighInit>1 GB"
      "</WhcHighInit></Watermarks></Internal>";
  text = "<CycloneDDS><Domain Id=\"any\">" + text + "</Domain></CycloneDDS>";
  if (config.empty()) return text;
  const std::string more = contents(config);
  if (config.find(',') != std::string::npos)
    throw UsageError("--config " + config + ": Cyclone DDS takes no path with a comma");
  for (const char* word : {"NetworkInterface", "Peer"})
    if (more.find(word) != std::string::npos)
      throw UsageError("--config " + config + " has <" + word + ">: --interface alone says where DDS is seen");
  return text + ",file://" + std::filesystem::absolute(config).string();
}

}  // namespace takt::dds
