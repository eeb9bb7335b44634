#include <charconv>
#include <ctime>
#include <string_view>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/socketcan_bus.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

std::unique_ptr<Bus> open_once(const std::string& where) {
  constexpr std::string_view scheme = "socketcand:";
  if (!where.starts_with(scheme)) return std::make_unique<SocketCanBus>(where);
  const std::string address = where.substr(scheme.size());
  const auto slash = address.find('/');
  const auto colon = address.find(':');
  std::uint16_t port = 29536;
  bool ok = slash != std::string::npos && slash + 1 < address.size() && colon != 0;
  if (ok && colon < slash) {
    const auto [end, error] = std::from_chars(address.data() + colon + 1, address.data() + slash, port);
    ok = error == std::errc{} && end == address.data() + slash;
  }
  if (!ok)
    throw std::invalid_argument("bus '" + where +
                                "': write socketcand:127.0.0.1:29536/can0, or the name of a CAN interface");
  return std::make_unique<SocketcandClient>(address.substr(0, std::min(colon, slash)), port, address.substr(slash + 1));
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
