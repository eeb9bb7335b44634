#include "runtime/program/stop_signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

#include "runtime/executive/executive.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt {
namespace {

std::atomic<Executive*> running{nullptr};
std::atomic<int> first_signal{0};
std::atomic<WallTime> first{};
std::atomic<const char*> wanted{nullptr};  // an end, for a reason that is no signal

constexpr std::size_t most_continued = 64;
std::array<std::atomic<WallTime>, most_continued> continued{};
std::atomic<std::size_t> continued_count{0};

const char* reason(int signal) noexcept {
  if (signal == SIGHUP) return "stopped: terminal closed (SIGHUP)";
  return signal == SIGTERM ? "stopped by the user (SIGTERM)" : "stopped by the user";
}

extern "C" void on_stop_signal(int signal) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    first.store(wall_now());
  } else if (signal != SIGHUP && wall_now() - first.load() >= WallDuration{1'000'000'000}) {
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);  // comes when this handler ends
  }
  if (Executive* executive = running.load()) executive->request_stop(reason(first_signal.load()));
}

extern "C" void on_continue(int) {
  const std::size_t at = continued_count.load();
  if (at >= most_continued) return;
  continued[at].store(wall_now());
  continued_count.store(at + 1);
}

}  // namespace

void catch_stop_signals() noexcept {
  struct sigaction action {
  }, before{};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = on_continue;
  sigaction(SIGCONT, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

void stop_run(const char* because) noexcept {
  wanted.store(because);
  if (Executive* executive = running.load()) executive->request_stop(because);
}

void stop_on_signal(Executive* executive) noexcept {
  running.store(executive);
  if (const char* because = wanted.load(); executive != nullptr && because != nullptr) executive->request_stop(because);
  if (executive != nullptr && first_signal.load() != 0) executive->request_stop(reason(first_signal.load()));
}

std::vector<WallTime> continued_at() {
  std::vector<WallTime> times;
  for (std::size_t k = 0; k < continued_count.load(); ++k) times.push_back(continued[k].load());
  return times;
}

int stop_signal() noexcept { return first_signal.load(); }

}  // namespace takt
