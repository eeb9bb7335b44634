#include "tools/takt/can_replay.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <set>

#include "runtime/plant/wall_clock.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/can_log_file.hpp"
#include "tools/takt/can_printer.hpp"

namespace takt::tools {
namespace {

constexpr WallDuration spin{100'000};                // before a frame's time: no sleep is as exact
constexpr WallDuration room_again{100'000};          // where an interface has none: a frame of 1 Mbit/s takes as long
constexpr WallDuration longest_full{1'000'000'000};  // and this long it may have none
constexpr WallDuration tick{100'000'000};            // how often somebody is asked whether it goes on

std::string place(const ReplayLog& log, std::size_t frame) {
  return log.file + ":" + std::to_string(log.lines[frame]) + ": ";
}

void check_order(const ReplayLog& log) {
  for (std::size_t k = 1; k < log.frames.size(); ++k)
    if (log.frames[k].time_s < log.frames[k - 1].time_s)
      throw UsageError(place(log, k) + "this frame is older than the one before it (line " +
                       std::to_string(log.lines[k - 1]) + "): sort the log by time; of candump: sort -s -k1,1");
}

void check_channels(const ReplayLog& log) {
  std::set<std::string> channels;
  for (const LoggedFrame& logged : log.frames) channels.insert(logged.channel);
  if (channels.size() < 2) return;
  std::string names;
  for (const std::string& name : channels) names += (names.empty() ? "" : ", ") + name;
  throw UsageError(log.file + " has frames of several channels (" + names + "): choose one with --channel");
}

void check_carried(const ReplayLog& log, const can::Bus& bus) {
  for (std::size_t k = 0; k < log.frames.size(); ++k) {
    const can::Frame& frame = log.frames[k].frame;
    if (bus.carries(frame)) continue;
    throw UsageError(place(log, k) + bus.text() + " does not carry " +
                     (frame.fd       ? "CAN FD frames"
                      : frame.remote ? "remote requests"
                                     : "this frame") +
                     ", such as " + frame_text(frame) +
                     "; of a virtual bus the protocol slcan has them (--to slcan:ADDRESS:PORT). Nothing has been sent");
  }
}

/// What others send is read and dropped, so that no queue to us fills up.
void drop_received(can::Bus& bus) {
  can::Frame other;
  while (bus.receive(other)) {
  }
}

/// @return false: asked to stop
bool wait_until(WallTime due, can::Bus& bus, const ReplayPace& pace) {
  for (WallTime now = wall_now(); now < due; now = wall_now()) {
    if (pace.goes_on != nullptr && !pace.goes_on()) return false;
    if (due - now <= spin) continue;
    bus.wait(std::min(due - spin, now + tick));
    drop_received(bus);
  }
  return pace.goes_on == nullptr || pace.goes_on();
}

/// An interface sends one after the other: it may have no room for a moment.
void send(const can::Frame& frame, can::Bus& bus) {
  const WallTime give_up = wall_now() + longest_full;
  while (!bus.send(frame)) {
    if (wall_now() > give_up) throw can::BusError(bus.text() + " has taken no frame for 1 s");
    bus.wait(wall_now() + room_again);
    drop_received(bus);
  }
}

/// Sleeps last up to 50 us longer by default. Where the system grants it, other programs do not come between; plants
/// do.
void ask_for_punctuality() {
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // ns
  sched_param parameters{};
  parameters.sched_priority = 1;
  (void)::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters);
}

double microseconds(const std::vector<std::int64_t>& sorted_ns, double share) {
  if (sorted_ns.empty()) return 0.0;
  const auto index = static_cast<std::size_t>(share * static_cast<double>(sorted_ns.size() - 1) + 0.5);
  return static_cast<double>(sorted_ns[index]) / 1e3;
}

}  // namespace

ReplayLog read_replay(const std::string& file, const ReplaySelection& selection) {
  ReplayLog log;
  log.file = file;
  const FramePrinter filter(selection.dbc, selection.only, false);
  const LogCounts counts = read_log(file, [&](const LoggedFrame& logged, std::uint64_t line) {
    if (!selection.channel.empty() && logged.channel != selection.channel) return;
    if (selection.way != LoggedFrame::Way::unknown && logged.way != selection.way) return;
    if (!filter.wants(logged)) return;
    log.frames.push_back(logged);
    log.lines.push_back(line);
  });
  log.passed_over = counts.events;
  if (counts.not_understood > 0)
    throw UsageError(
        file + ":" + std::to_string(counts.first_not_understood) + ": this line is not understood" +
        (counts.not_understood > 1 ? ", nor are " + std::to_string(counts.not_understood - 1) + " others" : "") +
        ": mend it or take it out. The last line of a log whose writer was killed may be half a one");
  if (counts.frames == 0) throw UsageError(file + " has no frames");
  if (log.frames.empty())
    throw UsageError("of " + std::to_string(counts.frames) + " frames in " + file + " none is selected");
  check_channels(log);
  check_order(log);
  return log;
}

ReplayResult replay(const ReplayLog& log, can::Bus& bus, const ReplayPace& pace) {
  check_carried(log, bus);
  if (pace.loops != 1 && log.frames.back().time_s <= log.frames.front().time_s)
    throw UsageError(log.file + " lasts no time: --loop would send without a pause; `takt can send --period` has one");
  ask_for_punctuality();
  const auto after = [&](double seconds) {
    return WallDuration{static_cast<std::int64_t>(seconds / pace.speed * 1e9)};
  };
  const double first = log.frames.front().time_s, lasting = log.frames.back().time_s - first;
  // From the last frame to the first one again it is as far as between two frames on average.
  const double round = lasting + (log.frames.size() > 1 ? lasting / static_cast<double>(log.frames.size() - 1) : 0.0);
  ReplayResult result;
  std::vector<std::int64_t> late_ns;
  late_ns.reserve(log.frames.size());
  constexpr std::size_t most_kept = 4'000'000;
  const WallTime begin = wall_now() + spin * 2;
  bool goes_on = true;
  while (goes_on && (pace.loops == 0 || result.loops < pace.loops)) {
    const WallTime origin = begin + after(round) * static_cast<std::int64_t>(result.loops);
    for (std::size_t k = 0; k < log.frames.size() && goes_on; ++k) {
      const WallTime due = origin + after(log.frames[k].time_s - first);
      goes_on = wait_until(due, bus, pace);
      if (!goes_on) break;
      send(log.frames[k].frame, bus);
      if (late_ns.size() < most_kept) late_ns.push_back((wall_now() - due).ns());
      ++result.frames;
    }
    result.loops += goes_on ? 1U : 0U;
  }
  for (const WallTime until = wall_now() + tick; goes_on && wall_now() < until;) {  // a closed connection may lose them
    bus.wait(until);
    drop_received(bus);
  }
  std::sort(late_ns.begin(), late_ns.end());
  result.p50_us = microseconds(late_ns, 0.5);
  result.p99_us = microseconds(late_ns, 0.99);
  result.max_us = microseconds(late_ns, 1.0);
  return result;
}

}  // namespace takt::tools
