#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/slcan_client.hpp"
#include "runtime/io/can/socketcan_bus.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

/// SCHEME:HOST[:PORT]/REST
struct Address {
  std::string host, rest;
  std::uint16_t port = 29536;
};

/// @param with_rest  it has to be there, and not be empty
std::optional<Address> parse_address(const std::string& text, bool with_rest) {
  const auto slash = std::min(text.find('/'), text.size()), colon = text.find(':');
  Address address{.host = text.substr(0, std::min(colon, slash)),
                  .rest = slash == text.size() ? "" : text.substr(slash + 1)};
  if (address.host.empty() || (with_rest && address.rest.empty())) return std::nullopt;
  if (colon < slash) {
    const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + slash, address.port);
    if (error != std::errc{} || end != text.data() + slash) return std::nullopt;
  }
  return address;
}

std::unique_ptr<Bus> open_once(const std::string& where) {
  constexpr std::string_view socketcand = "socketcand:", slcan = "slcan:";
  if (where.starts_with(socketcand)) {
    const auto address = parse_address(where.substr(socketcand.size()), true);
    if (address) return std::make_unique<SocketcandClient>(address->host, address->port, address->rest);
    throw std::invalid_argument("bus '" + where +
                                "': write socketcand:127.0.0.1:29536/can0, or the name of a CAN interface");
  }
  if (where.starts_with(slcan)) {
    const auto address = parse_address(where.substr(slcan.size()), false);
    if (address) return std::make_unique<SlcanClient>(address->host, address->port, address->rest);
    throw std::invalid_argument("bus '" + where +
                                "': write slcan:127.0.0.1:29536, with /TOKEN behind it where the bus wants one");
  }
  return std::make_unique<SocketCanBus>(where);
}

}  // namespace

std::unique_ptr<Bus> open_bus(const std::string& where, WallDuration patience) {
  const WallTime until = wall_now() + patience;
  for (;;) {
    try {
      return open_once(where);
    } catch (const BusError&) {
      if (wall_now() >= until) throw;
    }
    const timespec pause{0, 100'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace takt::can
