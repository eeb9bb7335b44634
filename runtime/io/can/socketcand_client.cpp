#include "runtime/io/can/socketcand_client.hpp"

#include <array>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

constexpr WallDuration handshake{3'000'000'000};

}  // namespace

SocketcandClient::SocketcandClient(const std::string& host, std::uint16_t port, const std::string& channel)
    : link_(host, port,
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

void SocketcandClient::read_some() {
  std::array<char, 8192> bytes{};
  std::string_view left = link_.read(bytes.data(), bytes.size());
  const WallTime now = wall_now();
  while (!left.empty()) {
    left.remove_prefix(cutter_.feed(left));
    if (!cutter_.complete()) continue;
    std::string_view arguments = cutter_.message();
    if (next_word(arguments) != "frame") {
      if (!raw_) replies_.emplace_back(cutter_.message());
      continue;
    }
    auto frame = parse_frame(arguments);
    if (!frame) continue;
    frame->stamp = now;
    dropped_received_ += received_.push(*frame) ? 0U : 1U;
  }
}

void SocketcandClient::flush() {
  if (!send_pending(link_.socket(), out_)) link_.fail("the connection was closed");
}

void SocketcandClient::wait(WallTime until) {
  flush();
  if (!link_.wait(received_.empty() ? until - wall_now() : WallDuration{}, !out_.pending().empty())) return;
  read_some();
  flush();
}

bool SocketcandClient::receive(Frame& frame) { return received_.take(frame); }

bool SocketcandClient::send(const Frame& frame) {
  if (!carries(frame) || !out_.append(send_message(frame).view())) {
    ++dropped_;
    return false;
  }
  flush();
  return true;
}

std::vector<std::pair<std::string, std::uint64_t>> SocketcandClient::counters() const {
  return {{"frames_dropped", dropped_}, {"frames_dropped_received", dropped_received_}, {"garbage", cutter_.garbage()}};
}

}  // namespace takt::can
