#include "runtime/program/supervisor_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>

#include "runtime/executive/realtime_thread.hpp"
#include "runtime/io/passed_connection.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/program/watchdog.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

using Phase = SupervisionWords::Phase;

constexpr int longest_death_ms = 100;
constexpr WallDuration shortest_look{1'000'000}, longest_look{50'000'000};

/// Nothing of the plant is held: no file, no lock on one, no folder, no CPU, no signal of its terminal.
void leave_the_plant(const SupervisedPlant& plant, const char* name) {
  ::setsid();
  ::prctl(PR_SET_NAME, name);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU})
    (void)std::signal(signal, SIG_IGN);
  (void)std::signal(SIGCHLD, SIG_DFL);
  (void)std::signal(SIGCONT, SIG_DFL);
  const auto socket = static_cast<unsigned>(plant.socket);
  if (socket > 3) ::syscall(SYS_close_range, 3U, socket - 1, 0U);
  ::syscall(SYS_close_range, socket + 1, ~0U, 0U);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) nothing >= 0 ? ::dup2(nothing, stream) : ::close(stream);
  if (nothing > STDERR_FILENO) ::close(nothing);
  (void)!::chdir("/");
  for (const int cpu : plant.cpus) avoid_cpu(cpu);
  // Above the plant: a watch that a thread run wild can keep from looking is none. It sleeps but for a few
  // microseconds.
  const sched_param parameter{.sched_priority = plant.priority};
  (void)::sched_setscheduler(0, SCHED_FIFO, &parameter);
  // Only what is touched: the plant's own memory, which both still share, is none of its business.
  (void)::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

/// -1: it is gone, or this kernel has none.
int handle_of(int process) { return static_cast<int>(::syscall(SYS_pidfd_open, process, 0U)); }

class Watch {
 public:
  /// @param process  of the plant (pidfd)
  Watch(const SupervisedPlant& plant, int process)
      : plant_(plant),
        words_(plant.words),
        heartbeat_(plant.settings.heartbeat_ns),
        look_(std::clamp(heartbeat_ / 8, shortest_look, longest_look)),
        watchdog_(plant.settings.watchdog, plant.settings.watchdog_timeout_s),
        process_(process) {
    polled_.reserve(64);
    looked_ = wall_now();
  }

  void run() {
    while (wait(until_next_look())) {
      const WallTime now = wall_now();
      show_awake();
      plant_.sender.tidy();
      judge(now);
      if (!silent_) watchdog_.feed(now);
    }
    const Phase phase = words_.phase.load(std::memory_order_acquire);
    if (phase != Phase::ended && phase != Phase::closed) succeed_the_dead();
    watchdog_.disarm();
    words_.is_done.store(true, std::memory_order_release);
  }

 private:
  void show_awake() noexcept { words_.looks.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] WallTime until_next_look() const {
    const WallTime next = looked_ + look_;
    return silent_ ? std::min(next, plant_.sender.next_due()) : next;
  }

  /// @return false: the plant's process has ended
  bool wait(WallTime until) {
    polled_.clear();
    polled_.push_back({plant_.socket, POLLIN, 0});
    polled_.push_back({process_, POLLIN, 0});  // worker processes of the plant may hold the socket a little longer
    plant_.sender.add_to(polled_);
    const timespec timeout = to_timespec(until - wall_now());
    if (::ppoll(polled_.data(), polled_.size(), &timeout, nullptr) <= 0) return true;
    PassedConnection passed;
    while (take_connection(plant_.socket, passed)) plant_.sender.adopt(passed.bus, passed.connection);
    return (polled_[0].revents & (POLLHUP | POLLERR)) == 0 && polled_[1].revents == 0;
  }

  /// Time in which this process itself was kept from looking is no silence of the plant.
  void judge(WallTime now) {
    const std::uint64_t beats = words_.beats.load(std::memory_order_relaxed);
    const WallDuration since = std::min(now - looked_, look_ * 2);
    looked_ = now;
    if (beats != beats_ || words_.phase.load(std::memory_order_relaxed) != Phase::beating) {
      if (silent_) note_return(now);
      beats_ = beats, silence_ = {}, began_ = now;
      return;
    }
    silence_ += since;
    if (silence_ < heartbeat_) return;
    if (!silent_) {
      silent_ = true, killed_ = false;
      frames_ = plant_.sender.send_all(now);
      tell("takt: " + plant_.name + " is silent for " + formatted("%.3g s", (now - began_).seconds()) +
           ": its supervisor sends the safe values on " + plant_.sender.text() + "\n");
      return;
    }
    frames_ += plant_.sender.send_due(now);
    if (plant_.settings.give_up_ns > 0 && silence_.ns() >= plant_.settings.give_up_ns && !killed_) kill();
  }

  void note_return(WallTime now) {
    silent_ = false;
    const std::uint32_t count = words_.outage_count.load(std::memory_order_relaxed);  // its only writer
    if (count < SupervisionWords::most_outages) words_.outages[count] = {last_beat_time(), now - began_, frames_};
    words_.outage_count.store(count + 1, std::memory_order_release);
    tell("takt: " + plant_.name + " is back after " + formatted("%.3g s", (now - began_).seconds()) +
         ": it sends again itself\n");
  }

  [[nodiscard]] SimTime last_beat_time() const { return words_.beat_time.load(std::memory_order_relaxed); }

  void kill() {
    killed_ = true;
    tell("takt: " + plant_.name + " is still silent after " + formatted("%.3g s", silence_.seconds()) +
         ": its supervisor kills it ([supervisor] give_up)\n");
    if (process_ >= 0)
      ::syscall(SYS_pidfd_send_signal, process_, SIGKILL, nullptr, 0U);
    else if (::getppid() == plant_.process)
      ::kill(plant_.process, SIGKILL);
  }

  void succeed_the_dead() {
    const WallTime began = wall_now();
    std::uint64_t frames = plant_.sender.send_all(began);
    // Its socket may hang up before the rest of what it has had is free.
    pollfd process{process_, POLLIN, 0};
    if (process_ >= 0) (void)::poll(&process, 1, longest_death_ms);
    plant_.sender.take_over();
    if (frames == 0) frames = plant_.sender.send_all(wall_now());
    const WallDuration hold{plant_.settings.hold_ns};
    tell("takt: " + plant_.name + " has died: its supervisor sends the safe values on " + plant_.sender.text() +
         " for " + formatted("%.3g s", hold.seconds()) +
         (frames > 0 ? "\n" : "; at first no bus takes a frame, or nobody listens\n"));
    ::close(STDERR_FILENO);  // who waits for its end need not wait for the rest
    for (WallTime now = began; now - began < hold; now = wall_now()) {
      (void)plant_.sender.send_due(now);
      show_awake();
      watchdog_.feed(now);  // this time is limited
      const WallTime next = std::min({plant_.sender.next_due(), began + hold, now + longest_look});
      const timespec pause = to_timespec(next - wall_now());
      ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    }
  }

  const SupervisedPlant& plant_;
  SupervisionWords& words_;
  const WallDuration heartbeat_, look_;
  Watchdog watchdog_;
  int process_;
  std::vector<pollfd> polled_;
  WallTime looked_, began_;  // silence, if it is one, began then
  WallDuration silence_;
  std::uint64_t beats_ = 0, frames_ = 0;
  bool silent_ = false, killed_ = false;
};

/// Looks at the supervisor as that looks at the plant, and has all that it has but the watchdog, which one process can
/// have.
class Spare {
 public:
  Spare(const SupervisedPlant& plant, int supervisor)
      : plant_(plant),
        words_(plant.words),
        patience_(std::max(shortest_patience, WallDuration{plant.settings.heartbeat_ns} * 5)),
        supervisor_(handle_of(supervisor)),
        is_gone_(supervisor_ < 0 && errno == ESRCH),
        process_(handle_of(plant.process)) {
    polled_.reserve(64);
    looked_ = wall_now();
  }

  /// @return the supervisor is lost: its place is to be taken; false: all is over
  bool run() {
    for (;;) {
      const bool plant_ended = plant_ended_;
      wait();
      if (words_.is_done.load(std::memory_order_acquire)) return false;
      if (plant_ended && is_in_order()) return false;
      if (is_gone_ || (polled_[1].revents & POLLIN) != 0) return !is_in_order();
      plant_.sender.tidy();
      judge(wall_now());
    }
  }
  /// Opened while the plant was alive, so that it never is another process.
  [[nodiscard]] int process() const noexcept { return process_; }

 private:
  static constexpr WallDuration shortest_patience{1'000'000'000}, look{100'000'000};

  [[nodiscard]] bool is_in_order() const {
    const Phase phase = words_.phase.load(std::memory_order_acquire);
    return plant_ended_ && (phase == Phase::ended || phase == Phase::closed);
  }

  void wait() {
    polled_.clear();
    polled_.push_back({plant_ended_ ? -1 : plant_.socket, POLLIN, 0});  // of the dead it would be ready for ever
    polled_.push_back({supervisor_, POLLIN, 0});
    polled_.push_back({plant_ended_ ? -1 : process_, POLLIN, 0});
    plant_.sender.add_to(polled_);
    const timespec timeout = to_timespec(look);
    if (::ppoll(polled_.data(), polled_.size(), &timeout, nullptr) <= 0) {
      polled_[1].revents = 0;
      return;
    }
    PassedConnection passed;
    while (take_connection(plant_.socket, passed)) plant_.sender.adopt(passed.bus, passed.connection);
    plant_ended_ = plant_ended_ || (polled_[0].revents & (POLLHUP | POLLERR)) != 0 || polled_[2].revents != 0;
  }

  /// Time in which this process itself was kept from looking is no silence of the other one.
  void judge(WallTime now) {
    const std::uint64_t looks = words_.looks.load(std::memory_order_relaxed);
    const WallDuration since = std::min(now - looked_, look * 2);
    looked_ = now;
    silence_ = looks != looks_ ? WallDuration{} : silence_ + since;
    looks_ = looks;
    if (silence_ < patience_) return;
    silence_ = {};
    is_gone_ = supervisor_ < 0;  // a kernel that has no handles: it cannot be killed either
    tell("takt: the supervisor of " + plant_.name + " stands still: its spare kills it and takes its place\n");
    ::syscall(SYS_pidfd_send_signal, supervisor_, SIGKILL, nullptr, 0U);
  }

  const SupervisedPlant& plant_;
  SupervisionWords& words_;
  const WallDuration patience_;
  int supervisor_;
  bool is_gone_;
  int process_;
  std::vector<pollfd> polled_;
  bool plant_ended_ = false;
  std::uint64_t looks_ = 0;
  WallTime looked_;
  WallDuration silence_;
};

void say(int socket, std::string_view text) noexcept { (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL); }

}  // namespace

void supervise(const SupervisedPlant& plant) noexcept {
  leave_the_plant(plant, "takt-supervisor");
  try {
    plant.sender.prepare();
    Watch watch(plant, handle_of(plant.process));
    say(plant.socket, supervisor_is_ready);
    watch.run();
  } catch (const std::exception& error) {
    say(plant.socket, error.what());
    ::_exit(1);
  }
  ::_exit(0);
}

void stand_by(const SupervisedPlant& plant, int supervisor) noexcept {
  leave_the_plant(plant, "takt-spare");
  try {
    plant.sender.prepare();
    Spare spare(plant, supervisor);
    say(plant.socket, supervisor_is_ready);
    if (!spare.run()) ::_exit(0);
    ::prctl(PR_SET_NAME, "takt-supervisor");
    Watch(plant, spare.process()).run();  // with the watchdog, which the dead one has left counting
  } catch (const std::exception& error) {
    say(plant.socket, error.what());
    tell("takt: " + std::string(error.what()) + "\n");
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace takt
