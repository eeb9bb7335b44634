#include "runtime/io/can/slcan_client.hpp"

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

SlcanClient::SlcanClient(const std::string& host, std::uint16_t port, const std::string& token)
    : StreamClient(host, port, "slcan " + host + ":" + std::to_string(port)) {
  const WallTime until = wall_now() + handshake;
  link_.write_all("C\r" + (token.empty() ? "" : "s" + token + "\r") + "O\r");
  const std::uint64_t expected = token.empty() ? 2 : 3;
  while (answers_ < expected) {
    if (wall_now() >= until) link_.fail("no answer; is this an slcan server?");
    if (link_.wait(until - wall_now(), false)) read_some();
  }
}

void SlcanClient::take(std::string_view bytes, WallTime now) {
  while (!bytes.empty()) {
    bytes.remove_prefix(cutter_.feed(bytes));
    if (!cutter_.complete()) continue;
    if (cutter_.line().empty()) {
      ++answers_;
    } else if (const auto frame = parse_slcan(cutter_.line())) {
      keep(*frame, now);
    } else {
      ++garbage_;
    }
  }
}

}  // namespace takt::can
