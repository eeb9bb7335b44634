#include "runtime/io/can/link/link_watch.hpp"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>

#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

constexpr WallDuration period{100'000'000}, second{1'000'000'000};
constexpr double bits_of_a_frame = 47.0, bits_of_a_byte = 8.0;

double bits(const LinkTraffic& from, const LinkTraffic& to) {
  return bits_of_a_frame * static_cast<double>(to.frames - from.frames) +
         bits_of_a_byte * static_cast<double>(to.bytes - from.bytes);
}

}  // namespace

LinkCounts LinkReport::counts() const {
  const LinkCounts a = first.counts.value_or(LinkCounts{}), b = last.counts.value_or(LinkCounts{});
  return {b.bus_errors - a.bus_errors,
          b.warnings - a.warnings,
          b.passives - a.passives,
          b.bus_offs - a.bus_offs,
          b.lost_arbitration - a.lost_arbitration,
          b.restarts - a.restarts};
}

LinkWatch::LinkWatch(std::string interface, WallDuration restart)
    : interface_(std::move(interface)), restart_(restart) {
  begun_ = second_ = wall_now();
  report_.first = report_.last = read_link(interface_);
  begun_traffic_ = second_traffic_ = report_.first.traffic;
  publish(report_.first.up ? report_.first.state : LinkState::down, begun_);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals belong to the main thread
  const auto body = [](void* self) -> void* {
    static_cast<LinkWatch*>(self)->work();
    return nullptr;
  };
  const int error = pthread_create(&thread_, nullptr, body, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) throw LinkError(interface_ + ": cannot start a thread", error);
  started_ = true;
}

LinkWatch::~LinkWatch() { stop(); }

void LinkWatch::stop() {
  if (!started_) return;
  stopping_.store(true);
  pthread_join(thread_, nullptr);
  started_ = false;
}

void LinkWatch::work() noexcept {
  WallTime next = wall_now();
  while (!stopping_.load()) {
    try {
      look();
    } catch (const std::exception&) {
      publish(LinkState::unknown, wall_now());  // it went away; the I/O thread says so
    }
    next = std::max(next + period, wall_now());
    const timespec until = to_timespec(next);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
  }
  try {
    look();
  } catch (const std::exception&) {  // as above
  }
}

void LinkWatch::look() {
  const WallTime now = wall_now();
  Link link = read_link(interface_);
  if (link.errors) {
    report_.most.sent = std::max(report_.most.sent, link.errors->sent);
    report_.most.received = std::max(report_.most.received, link.errors->received);
  }
  note_load(link, now);
  const bool is_off = link.up && link.state == LinkState::bus_off;
  if (!is_off) bus_off_since_.reset();
  if (is_off && !bus_off_since_) bus_off_since_ = now;
  publish(link.up ? link.state : LinkState::down, now);
  report_.last = std::move(link);
  const bool by_driver = report_.last.restart_ms.value_or(0) > 0;
  if (is_off && restart_ > WallDuration{} && !by_driver && !stopping_.load() && now - *bus_off_since_ >= restart_)
    restart(now);
}

void LinkWatch::note_load(const Link& link, WallTime now) {
  if (!link.nominal || link.fd) return;
  const auto load = [&](WallTime from, const LinkTraffic& traffic) {
    return bits(traffic, link.traffic) / ((now - from).seconds() * link.nominal->bitrate);
  };
  if (now > begun_) report_.mean_load = load(begun_, begun_traffic_);
  if (now - second_ < second) return;
  report_.most_load = std::max(report_.most_load.value_or(0.0), load(second_, second_traffic_));
  second_ = now;
  second_traffic_ = link.traffic;
}

void LinkWatch::restart(WallTime now) {
  restarting_.store(true, std::memory_order_release);
  try {
    restart_link(interface_);
    report_.problem.clear();
    ++report_.restarts;
    publish(LinkState::error_active, wall_now());
    restarts_.fetch_add(1, std::memory_order_release);
    bus_off_since_.reset();
  } catch (const LinkError& error) {
    report_.problem = error.what();
    bus_off_since_ = now;  // the next try comes as late as this one did
  }
  restarting_.store(false, std::memory_order_release);
}

void LinkWatch::publish(LinkState state, WallTime asked) noexcept {
  const auto moment = static_cast<std::uint64_t>(asked.ns()) & ~std::uint64_t{7};
  state_.store(moment | static_cast<std::uint64_t>(state), std::memory_order_release);
}

std::pair<LinkState, WallTime> LinkWatch::state() const noexcept {
  const std::uint64_t both = state_.load(std::memory_order_acquire);
  return {static_cast<LinkState>(both & 7U), WallTime{static_cast<std::int64_t>(both & ~std::uint64_t{7})}};
}

}  // namespace takt::can
