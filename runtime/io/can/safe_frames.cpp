#include "runtime/io/can/safe_frames.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/client_session.hpp"
#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/rest_bus.hpp"
#include "runtime/io/can/virtual_bus.hpp"

namespace takt::can {
namespace {

constexpr WallDuration try_again{1'000'000};  // where the interface had no room
constexpr WallTime never{std::numeric_limits<std::int64_t>::max()};

std::int64_t time_of_day_us() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

/// All signals of a message: the safe value, a constant, or nothing known.
Frame safe_frame(const SendPlan& plan) {
  std::vector<double> values;
  for (const SignalPlan& signal : plan.signals) {
    const bool has_safe = signal.safe == signal.safe;  // not `absent`
    values.push_back(has_safe ? signal.safe : signal.constant);
  }
  Frame frame;
  plan.encode(values.data(), frame);
  return frame;
}

bool has_safe_value(const SendPlan& plan) {
  return std::any_of(plan.signals.begin(), plan.signals.end(), [](const auto& s) { return s.safe == s.safe; });
}

/// What clients still send: unread, it would reset the connection at its end, and take frames on their way along.
void drop_input(int socket) {
  std::array<char, 4096> dropped{};
  while (::recv(socket, dropped.data(), dropped.size(), MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

struct SafeFrames::Connection {
  explicit Connection(int descriptor) : socket(descriptor) {}
  ~Connection() { ::close(socket); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  int socket;
  PendingText text{4096};
  bool speaks_slcan = false, dead = false;
};

struct SafeFrames::Line {
  explicit Line(BusSettings given) : settings(std::move(given)) {}
  BusSettings settings;
  std::optional<SocketCanBus> can;
  bool lost = false;  // another plant has the interface
  std::vector<std::unique_ptr<Connection>> connections;
  std::vector<Frame> safe;          // by message
  std::vector<WallTime> due;        // by message
  std::vector<std::uint64_t> seen;  // by message: version of its last frame when it was due
};

SafeFrames::SafeFrames(std::vector<BusSettings> buses) {
  for (BusSettings& bus : buses) lines_.push_back(std::make_unique<Line>(std::move(bus)));
}

SafeFrames::~SafeFrames() = default;

void SafeFrames::prepare() {
  for (const auto& line : lines_) {
    const auto& plan = line->settings.plan;
    line->connections.reserve(2 * VirtualBus::max_clients);
    line->due.resize(plan.send.size() + plan.rest.size(), never);
    for (const SendPlan& message : plan.send) line->safe.push_back(safe_frame(message));
    line->seen.resize(line->due.size());
    const RestBus rest(plan);
    for (std::size_t k = 0; k < rest.size(); ++k) line->safe.push_back(rest.frame(k));
    open(*line);
  }
}

/// An interface that was down when the plant began may be up by now.
void SafeFrames::open(Line& line) {
  if (line.can || line.settings.virtual_only || !SocketCanBus::exists(line.settings.channel)) return;
  try {
    line.can.emplace(line.settings.channel);
    line.can->only({});  // nothing is received
  } catch (const BusError&) {
    line.can.reset();  // the plant cannot open it either, and says so
  }
}

bool SafeFrames::owns(std::uint32_t bus) const { return (bus & ~speaks_slcan_mark) < lines_.size(); }

void SafeFrames::adopt(std::uint32_t bus, int connection) {
  const std::uint32_t line = bus & ~speaks_slcan_mark;
  if (line >= lines_.size()) {
    ::close(connection);
    return;
  }
  auto& connections = lines_[line]->connections;
  connections.push_back(std::make_unique<Connection>(connection));
  connections.back()->speaks_slcan = line != bus;
}

void SafeFrames::add_to(std::vector<pollfd>& polled) const {
  for (const auto& line : lines_)
    for (const auto& connection : line->connections) polled.push_back({connection->socket, POLLRDHUP, 0});
}

void SafeFrames::tidy() {
  for (const auto& line : lines_) {
    std::erase_if(line->connections, [](const auto& connection) {
      pollfd state{connection->socket, POLLRDHUP, 0};
      return connection->dead ||
             (::poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0);
    });
  }
}

void SafeFrames::take_over() {
  alone_ = true;
  for (const auto& line : lines_) {
    try {
      open(*line);
      if (line->can) line->can->claim();
    } catch (const BusError&) {
      line->lost = true;  // the next plant is there already: it speaks for itself
    }
  }
}

/// What the plant sent last, where it has no safe value.  @return false: nothing is known that could be sent
bool SafeFrames::keep_last(const Line& line, std::size_t message, Frame& frame) {
  const SendPlan& plan = line.settings.plan.send[message];
  LastFrame::Data last{};
  if (!(*line.settings.last)[message].load(last)) return has_safe_value(plan) && is_known_without_plant(plan);
  for (std::size_t k = 0; k < last.size(); ++k)
    frame.data[k] = static_cast<std::uint8_t>((last[k] & ~plan.safe_bits[k]) | (frame.data[k] & plan.safe_bits[k]));
  return true;
}

bool SafeFrames::send(Line& line, std::size_t message, WallTime now) {
  const BusPlan& bus = line.settings.plan;
  const bool is_rest = message >= bus.send.size();
  const std::int64_t period_ns =
      is_rest ? bus.rest[message - bus.send.size()].info.period_ns : bus.send[message].period_ns;
  line.due[message] = period_ns > 0 ? now + WallDuration{period_ns} : never;
  Frame frame = line.safe[message];
  const std::uint64_t version = (*line.settings.last)[message].version();
  const bool still_sent = std::exchange(line.seen[message], version) != version;
  const auto& begun = line.settings.rest_has_begun;
  if (is_rest && begun && !(*begun)[0].load(std::memory_order_relaxed)) return false;
  if (is_rest && still_sent) return false;  // the plant computes no more, but its I/O thread sends this by itself
  if (!is_rest && !keep_last(line, message, frame)) return false;
  const Frame unguarded = frame;
  frame = line.settings.protection->guarded(message, unguarded);
  bool sent = false;
  try {
    if (line.can && !line.lost) sent = line.can->send(frame);
  } catch (const BusError&) {  // the interface is down: it may come back before the hold time is over
  }
  if (line.can && !line.lost && !sent) line.due[message] = now + try_again;
  const OutgoingFrame texts(frame, time_of_day_us());
  for (const auto& connection : line.connections) {
    if (alone_) drop_input(connection->socket);
    const std::string_view text = connection->speaks_slcan ? texts.slcan.view() : texts.socketcand.view();
    if (text.empty() || !connection->text.append(text)) continue;  // CAN FD by socketcand; a client that does not read
    connection->dead = connection->dead || !send_pending(connection->socket, connection->text);
    sent = sent || !connection->dead;
  }
  if (sent) line.settings.protection->passed(message, unguarded);
  return sent;
}

std::uint64_t SafeFrames::send_all(WallTime now) {
  std::uint64_t sent = 0;
  for (const auto& line : lines_) {
    open(*line);
    for (std::size_t k = 0; k < line->due.size(); ++k) sent += send(*line, k, now) ? 1U : 0U;
  }
  return sent;
}

std::uint64_t SafeFrames::send_due(WallTime now) {
  std::uint64_t sent = 0;
  for (const auto& line : lines_)
    for (std::size_t k = 0; k < line->due.size(); ++k)
      if (line->due[k] <= now) sent += send(*line, k, now) ? 1U : 0U;
  return sent;
}

WallTime SafeFrames::next_due() const {
  WallTime next = never;
  for (const auto& line : lines_)
    for (const WallTime due : line->due) next = std::min(next, due);
  return next;
}

std::string SafeFrames::text() const {
  std::string names;
  for (const auto& line : lines_) names += (names.empty() ? "" : ", ") + std::string(line->settings.plan.name);
  return names;
}

}  // namespace takt::can
