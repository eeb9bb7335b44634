#include "runtime/io/can/socketcand_client.hpp"

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
SocketcandClient::SocketcandClient(const std::string& host, std::uint16_t port, const std::string& channel)
    : StreamClient(host, port,
                   "socketcand " + host + ":" + std::to_string(port) + "/" + channel.substr(0, channel.find('/'))) {
  const WallTime until = wall_now() + handshake;
  expect("hi", until);
  link_.write_all("< open " + channel + " >");
  expect("ok", until);
  link_.write_all("< rawmode >");
  expect("ok", until);
  raw_ = true;
}

void SocketcandClient::expect(std::string_view wanted, WallTime until) {
  while (replies_.empty()) {
    if (wall_now() >= until) link_.fail("no answer; '" + std::string(wanted) + "' expected");
    if (link_.wait(until - wall_now(), false)) read_some();
  }
  const std::string reply = replies_.front();
  replies_.erase(replies_.begin());
  if (reply != wanted) link_.fail("the server answered '" + reply + "' instead of '" + std::string(wanted) + "'");
}

void SocketcandClient::take(std::string_view bytes, WallTime now) {
  while (!bytes.empty()) {
    bytes.remove_prefix(cutter_.feed(bytes));
    if (!cutter_.complete()) continue;
    std::string_view arguments = cutter_.message();
    if (next_word(arguments) != "frame") {
      if (!raw_) replies_.emplace_back(cutter_.message());
    } else if (const auto frame = parse_frame(arguments)) {
      keep(*frame, now);
    }
  }
}

}  // namespace takt::can
