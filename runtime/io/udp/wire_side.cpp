#include "runtime/io/udp/wire_side.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>

#include "runtime/io/step_grid.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::udp {
namespace {

/// Releases that the I/O thread may be behind.
constexpr std::size_t least_rows_to_send = 64;
/// A power of two: with room for what is handed over in two steps of the grid.
std::size_t rows_to_send(const BusPlan& bus, const FramePlan& frame) {
  const auto in_a_step = static_cast<std::size_t>(bus.grid_ns / std::max<std::int64_t>(frame.period_ns, 1));
  return std::bit_ceil(std::max(least_rows_to_send, 2 * in_a_step));
}
/// Batches that one step takes at most: who sends more waits in the queue of the kernel.
constexpr std::size_t most_batches = 64;

}  // namespace

WireSide::WireSide(const BusPlan& plan, const Settings& settings)
    : endpoint{plan.name, plan.interface, plan.port, read_address(plan.peer).value_or(Address{})},
      priority(settings.priority),
      plan_(plan),
      receiver_(plan, settings.rows),
      memory_(std::make_shared<SentMemory>(plan)) {
  for (std::size_t k = 0; k < plan.send.size(); ++k) {
    Outlet& outlet = outlets_.emplace_back(FrameWriter(plan, k, memory_));
    outlet.frozen.resize(joined_fields(plan.send[k]).size());
    outlet.ring = std::make_unique<ValueRing>(rows_to_send(plan, plan.send[k]), outlet.frozen.size());
    outlet.fault = std::make_unique<FaultPoint>();
  }
}

void WireSide::open() {
  receiver_.prepare();
  delayed_.prepare();
  if (!is_rehearsal_) socket_.emplace(endpoint);
}

void WireSide::start() {
  if (socket_) counts_.stale = socket_->drain();
  if (!thread_.start(this)) throw UdpError("bus " + endpoint.bus + ": cannot start the I/O thread");
}

std::string WireSide::text() const {
  return "UDP " + (socket_ ? udp::text(socket_->own()) : "rehearsed") + ", peer " + udp::text(endpoint.peer) +
         ", interface " + endpoint.interface + (plan_.big_endian ? ", big-endian" : ", little-endian");
}

void WireSide::run() noexcept {
  is_real_time_ = IoThread::take_priority(priority);
  const WallDuration grid{plan_.grid_ns};
  WallTime next = wall_now();
  while (!thread_.is_stopping()) {
    cycle();
    next = next_step(next, grid, due_at_.load(std::memory_order_relaxed));
    const WallTime now = wall_now();
    if (next < now) next = next_step(now, grid, due_at_.load(std::memory_order_relaxed));  // some rest in any case
    IoThread::sleep_until(next);
  }
  cycle();  // what the plant handed over last
}

void WireSide::cycle() noexcept {
  send_all(wall_now());
  receive_all();
  say_events();
  tell_counts();
}

void WireSide::send_all(WallTime now) noexcept {
  while (const auto frame = delayed_.take(now)) send(frame->place, frame->data());
  for (std::size_t k = 0; k < outlets_.size(); ++k)
    for (std::size_t taken = 0; taken < outlets_[k].ring->size(); ++taken) {
      const ValueRing::Row* const row = outlets_[k].ring->front();
      if (row == nullptr) break;
      leave(k, *row, now);
      outlets_[k].ring->pop();
    }
}

/// A frame that a fault meets has its counter already: the receiver finds it lost or late.
void WireSide::leave(std::size_t frame, const ValueRing::Row& row, WallTime now) noexcept {
  Outlet& outlet = outlets_[frame];
  const Fault fault = outlet.fault->meet();
  std::span<const double> values(row.values, outlet.frozen.size());
  if (fault.kind == Fault::Kind::freeze) {
    if (!outlet.is_frozen) std::copy(values.begin(), values.end(), outlet.frozen.begin());
    values = outlet.frozen;
  }
  outlet.is_frozen = fault.kind == Fault::Kind::freeze;
  const std::span<const std::uint8_t> bytes = outlet.writer.write(values, row.time_ns);
  if (fault.kind == Fault::Kind::drop) return;
  if (fault.kind == Fault::Kind::delay) {
    (void)delayed_.put(bytes, frame, now + WallDuration{std::int64_t{fault.delay_us} * 1000});
    return;
  }
  send(frame, bytes);
  window_to_send_.record(static_cast<std::uint64_t>(std::max<std::int64_t>((wall_now() - row.stamp).ns(), 0)));
}

void WireSide::send(std::size_t frame, std::span<const std::uint8_t> bytes) noexcept {
  SentCounts& counts = outlets_[frame].counts;
  if (bus_fault_.meet().kind != Fault::Kind::none) {
    ++counts_.cut;
    return;
  }
  if (socket_ && !socket_->send(bytes)) {
    if (counts.failed++ == 0) counts.reason = errno;
    ++failed_;
    return;
  }
  const WallTime now = wall_now();
  if (counts.frames++ == 0) counts.first = now;
  counts.newest = now;
  ++left_;
}

void WireSide::receive_all() noexcept {
  if (!socket_) return;
  receiver_.hear_delayed(wall_now());
  for (std::size_t turn = 0; turn < most_batches; ++turn) {
    const std::span<const Datagram> come = socket_->receive();
    for (const Datagram& datagram : come) {
      if (datagram.from != endpoint.peer) {
        if (counts_.foreign++ == 0) counts_.first_foreign = datagram.from;
        continue;
      }
      if (bus_fault_.meet().kind != Fault::Kind::none) {
        ++counts_.cut;
        continue;
      }
      ++counts_.received;
      receiver_.hear(datagram.data(), datagram.arrival);
    }
    if (come.size() < UdpSocket::batch) return;
  }
}

void WireSide::tell_counts() noexcept {
  if (told_counts == nullptr) return;
  constexpr auto any = std::memory_order_relaxed;
  told_counts->received.store(counts_.received, any);
  told_counts->sent.store(left_, any);
  told_counts->failed.store(failed_, any);
}

}  // namespace takt::udp
