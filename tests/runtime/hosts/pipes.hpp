#pragma once
// Hosts of one process for tests: what one sends comes to all others, whole and in order, each time a little later.

#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "runtime/hosts/transport.hpp"

namespace takt::test {

class Pipes;

class Pipe final : public hosts::Transport {
 public:
  Pipe(Pipes& pipes, std::size_t host) : pipes_(pipes), host_(host) {}
  bool try_send(std::span<const std::byte> message) override;
  bool try_receive(std::vector<std::byte>& message) override;
  void wait(std::int64_t at_most_ns) override { std::this_thread::sleep_for(std::chrono::nanoseconds(at_most_ns)); }
  std::string problem() const override;

 private:
  Pipes& pipes_;
  std::size_t host_;
};

class Pipes {
 public:
  /// @param most_delay_us  a message waits up to so long
  Pipes(std::size_t hosts, std::uint32_t seed, int most_delay_us = 0)
      : queues_(hosts), random_(seed), most_delay_us_(most_delay_us) {
    for (std::size_t host = 0; host < hosts; ++host) ends.emplace_back(*this, host);
  }
  std::deque<Pipe> ends;
  int only_to = -1;  ///< which host's messages are delayed; -1: all
  /// Nothing gets through any more.
  void cut() {
    const std::lock_guard lock(mutex_);
    is_cut_ = true;
  }
  /// To one of them, by nobody.
  void put(std::size_t host, std::vector<std::byte> message) {
    const std::lock_guard lock(mutex_);
    queues_[host].emplace_back(Clock::now(), std::move(message));
  }
  std::vector<std::vector<std::byte>> seen;  // all that was sent

 private:
  friend class Pipe;
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  std::vector<std::deque<std::pair<Clock::time_point, std::vector<std::byte>>>> queues_;
  std::mt19937 random_;
  int most_delay_us_;
  bool is_cut_ = false;
};

inline bool Pipe::try_send(std::span<const std::byte> message) {
  const std::lock_guard lock(pipes_.mutex_);
  if (pipes_.is_cut_) return true;
  const int any_delay = pipes_.most_delay_us_ == 0
                            ? 0
                            : static_cast<int>(pipes_.random_() % static_cast<std::uint32_t>(pipes_.most_delay_us_));
  pipes_.seen.emplace_back(message.begin(), message.end());
  for (std::size_t host = 0; host < pipes_.queues_.size(); ++host)
    if (const int delay = pipes_.only_to < 0 || pipes_.only_to == static_cast<int>(host) ? any_delay : 0; host != host_)
      pipes_.queues_[host].emplace_back(Pipes::Clock::now() + std::chrono::microseconds(delay),
                                        std::vector<std::byte>(message.begin(), message.end()));
  return true;
}

inline bool Pipe::try_receive(std::vector<std::byte>& message) {
  const std::lock_guard lock(pipes_.mutex_);
  auto& queue = pipes_.queues_[host_];
  if (queue.empty() || queue.front().first > Pipes::Clock::now()) return false;
  message = std::move(queue.front().second);
  queue.pop_front();
  return true;
}

inline std::string Pipe::problem() const { return {}; }

}  // namespace takt::test
