#include "tests/targets/adapters/wire.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <utility>

namespace takt::adapters {
namespace {

struct StateWord {
  const char* word;
  State state;
  Counters counters;  // where the command names none
};
constexpr StateWord state_words[] = {{"active", State::active, {0, 0}},
                                     {"warning", State::warning, {100, 0}},
                                     {"passive", State::passive, {140, 0}},
                                     {"bus_off", State::bus_off, {256, 0}}};

std::string channel_text(int channel) { return "channel " + std::to_string(channel); }

}  // namespace

void log(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard guard(mutex);
  std::fprintf(stderr, "%s\n", line.c_str());
}

void Wire::start(int channel) {
  const std::lock_guard guard(mutex_);
  Channel& it = channels_.at(static_cast<std::size_t>(channel));
  it = {.started = true, .state = State::active, .counters = {}, .session = it.session + 1};
  log(channel_text(channel) + " started");
}

void Wire::stop(int channel) {
  const std::lock_guard guard(mutex_);
  Channel& it = channels_.at(static_cast<std::size_t>(channel));
  it = {.started = false, .state = State::active, .counters = {}, .session = it.session + 1};
  log(channel_text(channel) + " stopped");
}

void Wire::restart(int channel) {
  const std::lock_guard guard(mutex_);
  Channel& it = channels_.at(static_cast<std::size_t>(channel));
  if (it.state != State::bus_off) return;
  it.state = State::active;
  it.counters = {};
  log(channel_text(channel) + " restarted");
}

void Wire::send(int channel, std::string frame) {
  const std::lock_guard guard(mutex_);
  if (!channels_.at(static_cast<std::size_t>(channel)).on_bus()) {
    log(channel_text(channel) + " discards a frame: it is off the bus");
    queue(Kind::discarded, channel, std::move(frame));
    return;
  }
  queue(Kind::frame, channel, std::move(frame));
}

State Wire::state(int channel) const {
  const std::lock_guard guard(mutex_);
  return channels_.at(static_cast<std::size_t>(channel)).state;
}

Counters Wire::counters(int channel) const {
  const std::lock_guard guard(mutex_);
  return channels_.at(static_cast<std::size_t>(channel)).counters;
}

void Wire::queue(Kind kind, int channel, std::string frame) {
  const Instant due = std::chrono::steady_clock::now() + (kind == Kind::frame ? delay_ : std::chrono::milliseconds{0});
  due_.emplace(due, Event{kind, channel, channels_.at(static_cast<std::size_t>(channel)).session, std::move(frame)});
  changed_.notify_one();
}

void Wire::carry(Host& host) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (due_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto first = due_.begin();
    const Instant due = first->first;
    if (due > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, due);
      continue;
    }
    Event event = std::move(first->second);
    due_.erase(first);
    const Channel channel = channels_.at(static_cast<std::size_t>(event.channel));
    if (!channel.started) continue;
    if (event.session != channel.session) {
      if (event.kind != Kind::frame) continue;
      event.kind = Kind::discarded;
    }
    bool arrives = false;
    if (event.kind == Kind::frame)
      arrives = !is_dropped(event) && channels_.at(1U - static_cast<unsigned>(event.channel)).on_bus();
    // Without the lock: the computer may be slow to listen while it wants to stop a channel.
    lock.unlock();
    tell(host, event, channel, arrives);
    lock.lock();
  }
}

bool Wire::is_dropped(const Event& event) {
  if (to_drop_ == 0) return false;
  --to_drop_;
  log(channel_text(event.channel) + " sent a frame that is lost");
  return true;
}

void Wire::tell(Host& host, const Event& event, const Channel& channel, bool arrives) {
  const Instant now = std::chrono::steady_clock::now();
  switch (event.kind) {
    case Kind::frame:
      host.sent(event.channel, event.frame, now);
      if (arrives) host.received(1 - event.channel, event.frame, now);
      break;
    case Kind::discarded:
      host.discarded(event.channel, event.frame);
      break;
    case Kind::state:
      host.state_changed(event.channel, channel.state, channel.counters);
      break;
    case Kind::no_acknowledge:
      host.not_acknowledged(event.channel, channel.counters);
      break;
  }
}

std::string Wire::set_state(int channel, State state, Counters counters) {
  Channel& it = channels_.at(static_cast<std::size_t>(channel));
  if (!it.started) return "error: " + channel_text(channel) + " is stopped";
  if (!it.on_bus()) return "error: " + channel_text(channel) + " is bus-off until its driver restarts it";
  it.state = state;
  it.counters = counters;
  if (state == State::bus_off) ++it.session;
  queue(Kind::state, channel, {});
  return "ok";
}

std::string Wire::describe(int channel) const {
  const Channel& it = channels_.at(static_cast<std::size_t>(channel));
  if (!it.started) return "ok stopped";
  return std::string("ok ") + state_words[static_cast<std::size_t>(it.state)].word + " transmit " +
         std::to_string(it.counters.transmit) + " receive " + std::to_string(it.counters.receive);
}

std::string Wire::obey(const std::string& line) {
  const std::lock_guard guard(mutex_);
  std::istringstream words(line);
  std::string verb;
  unsigned number = 0;
  if (!(words >> verb >> number)) return "error: wanted: COMMAND NUMBER";
  if (verb == "drop") {
    to_drop_ = number;
    return "ok";
  }
  if (verb == "delay") {
    delay_ = std::chrono::milliseconds{number};
    return "ok";
  }
  if (number > 1) return "error: channels are 0 and 1";
  const int channel = static_cast<int>(number);
  if (verb == "state") return describe(channel);
  if (verb == "ack_error") {
    if (!channels_.at(number).on_bus()) return "error: " + channel_text(channel) + " is off the bus";
    queue(Kind::no_acknowledge, channel, {});
    return "ok";
  }
  for (const StateWord& known : state_words) {
    if (verb != known.word) continue;
    Counters counters;
    if (!(words >> counters.transmit >> counters.receive)) counters = known.counters;
    return set_state(channel, known.state, counters);
  }
  return "error: no command " + verb + ": active, warning, passive, bus_off, ack_error, state, drop, delay";
}

void obey_input(Wire& wire) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string answer = wire.obey(line);
    log("command " + line + ": " + answer);
    std::cout << answer << std::endl;
  }
}

}  // namespace takt::adapters
