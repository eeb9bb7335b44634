#include "runtime/io/can/stream_client.hpp"

#include <array>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

void StreamClient::read_some() {
  std::array<char, 8192> bytes{};
  const std::string_view read = link_.read(bytes.data(), bytes.size());
  take(read, wall_now());
}

void StreamClient::keep(Frame frame, WallTime now) {
  frame.stamp = now;
  dropped_received_ += received_.push(frame) ? 0U : 1U;
}

void StreamClient::flush() {
  if (!send_pending(link_.socket(), out_)) link_.fail("the connection was closed");
}

void StreamClient::wait(WallTime until) {
  flush();
  if (!link_.wait(received_.empty() ? until - wall_now() : WallDuration{}, !out_.pending().empty())) return;
  read_some();
  flush();
}

bool StreamClient::send(const Frame& frame) {
  if (!carries(frame) || !out_.append(written(frame))) {
    ++dropped_;
    return false;
  }
  flush();
  return true;
}

std::vector<std::pair<std::string, std::uint64_t>> StreamClient::counters() const {
  return {{"frames_dropped", dropped_}, {"frames_dropped_received", dropped_received_}, {"garbage", garbage()}};
}

}  // namespace takt::can
