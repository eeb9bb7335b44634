#include "runtime/io/udp/safe_datagrams.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "runtime/io/udp/udp_socket.hpp"

namespace takt::udp {

namespace {
constexpr WallTime no_more{std::numeric_limits<std::int64_t>::max()};
}

SafeDatagrams::SafeDatagrams(const std::vector<BusSettings>& buses) {
  for (const BusSettings& bus : buses) {
    Line line{.plan = &bus.plan, .peer = bus.peer, .writers = {}, .due = {}};
    for (std::size_t k = 0; k < bus.plan.send.size(); ++k) line.writers.emplace_back(bus.plan, k, bus.memory);
    line.due.resize(bus.plan.send.size(), no_more);
    lines_.push_back(std::move(line));
  }
}

SafeDatagrams::~SafeDatagrams() {
  for (const Line& line : lines_)
    if (line.socket >= 0) ::close(line.socket);
}

void SafeDatagrams::adopt(std::uint32_t bus, int connection) {
  const std::uint32_t index = bus & ~socket_mark;
  if (index >= lines_.size() || lines_[index].socket >= 0) {
    ::close(connection);
    return;
  }
  lines_[index].socket = connection;
}

bool SafeDatagrams::send(Line& line, std::size_t frame, WallTime now) {
  line.due[frame] = now + WallDuration{line.plan->send[frame].period_ns};
  const std::span<const std::uint8_t> bytes = line.writers[frame].write_safe();
  return !bytes.empty() && line.socket >= 0 && send_from(line.socket, line.peer, bytes);
}

std::uint64_t SafeDatagrams::send_all(WallTime now) {
  std::uint64_t sent = 0;
  for (Line& line : lines_)
    for (std::size_t k = 0; k < line.due.size(); ++k) sent += send(line, k, now) ? 1U : 0U;
  return sent;
}

std::uint64_t SafeDatagrams::send_due(WallTime now) {
  std::uint64_t sent = 0;
  for (Line& line : lines_)
    for (std::size_t k = 0; k < line.due.size(); ++k)
      if (line.due[k] <= now) sent += send(line, k, now) ? 1U : 0U;
  return sent;
}

WallTime SafeDatagrams::next_due() const {
  WallTime next = no_more;
  for (const Line& line : lines_)
    for (const WallTime due : line.due) next = std::min(next, due);
  return next;
}

std::string SafeDatagrams::text() const {
  std::string names;
  for (const Line& line : lines_) names += (names.empty() ? "" : ", ") + std::string(line.plan->name);
  return names;
}

}  // namespace takt::udp
