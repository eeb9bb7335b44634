#pragma once
// The thread of a bus: a small stack, since memory is locked, and no signals, which belong to the main thread.

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "runtime/plant/wall_clock.hpp"

namespace takt {

class IoThread {
 public:
  IoThread() = default;
  ~IoThread() { stop(); }
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  /// @param self  has a member run(), which ends soon after is_stopping().  @return false: the system has no thread
  template <class Owner>
  [[nodiscard]] bool start(Owner* self) {
    stopping_.store(false);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{256} * 1024);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto body = [](void* owner) -> void* {
      static_cast<Owner*>(owner)->run();
      return nullptr;
    };
    started_ = pthread_create(&thread_, &attributes, body, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started_;
  }
  /// Waits for its end.
  void stop() {
    if (!started_) return;
    stopping_.store(true);
    pthread_join(thread_, nullptr);
    started_ = false;
  }
  [[nodiscard]] bool is_stopping() const noexcept { return stopping_.load(); }
  [[nodiscard]] bool has_started() const noexcept { return started_; }

  // of the thread itself
  /// @return false: the system does not grant it
  static bool take_priority(int priority) noexcept {
    sched_param parameters{};
    parameters.sched_priority = priority;
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
  }
  static void sleep_until(WallTime time) noexcept {
    const timespec until = to_timespec(time);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
  }

 private:
  pthread_t thread_{};
  bool started_ = false;
  std::atomic<bool> stopping_{false};
};

}  // namespace takt
