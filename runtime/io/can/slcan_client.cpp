#include "runtime/io/can/slcan_client.hpp"

#include <array>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

constexpr WallDuration handshake{3'000'000'000};

}  // namespace

SlcanClient::SlcanClient(const std::string& host, std::uint16_t port, const std::string& token)
    : link_(host, port, "slcan " + host + ":" + std::to_string(port)) {
  const WallTime until = wall_now() + handshake;
  link_.write_all("C\r" + (token.empty() ? "" : "s" + token + "\r") + "O\r");
  const std::uint64_t expected = token.empty() ? 2 : 3;
  while (answers_ < expected) {
    if (wall_now() >= until) link_.fail("no answer; is this an slcan server?");
    if (link_.wait(until - wall_now(), false)) read_some();
  }
}

void SlcanClient::read_some() {
  std::array<char, 8192> bytes{};
  std::string_view left = link_.read(bytes.data(), bytes.size());
  const WallTime now = wall_now();
  while (!left.empty()) {
    left.remove_prefix(cutter_.feed(left));
    if (!cutter_.complete()) continue;
    if (cutter_.line().empty()) {
      ++answers_;
    } else if (auto frame = parse_slcan(cutter_.line())) {
      frame->stamp = now;
      dropped_received_ += received_.push(*frame) ? 0U : 1U;
    } else {
      ++garbage_;
    }
  }
}

void SlcanClient::flush() {
  if (!send_pending(link_.socket(), out_)) link_.fail("the connection was closed");
}

void SlcanClient::wait(WallTime until) {
  flush();
  if (!link_.wait(received_.empty() ? until - wall_now() : WallDuration{}, !out_.pending().empty())) return;
  read_some();
  flush();
}

bool SlcanClient::receive(Frame& frame) { return received_.take(frame); }

bool SlcanClient::send(const Frame& frame) {
  if (!out_.append(slcan_message(frame).view())) {
    ++dropped_;
    return false;
  }
  flush();
  return true;
}

std::vector<std::pair<std::string, std::uint64_t>> SlcanClient::counters() const {
  return {{"frames_dropped", dropped_}, {"frames_dropped_received", dropped_received_}, {"garbage", garbage_}};
}

}  // namespace takt::can
