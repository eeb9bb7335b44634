#include "runtime/tap/keeper_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <exception>
#include <string>

#include "runtime/executive/realtime_thread.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/tap/server.hpp"

namespace takt {
namespace {

constexpr int look_ms = 500, last_words_ms = 400;
constexpr WallDuration longest_silence{3'000'000'000};
constexpr WallDuration minute{60'000'000'000};
constexpr std::size_t starts_per_minute = 4;
constexpr int cannot_open = 3;  // exit code: the socket is not to be had

int handle_of(pid_t process) { return static_cast<int>(::syscall(SYS_pidfd_open, process, 0U)); }

/// Closes all but standard error and these.
void close_but(int a, int b) {
  const auto low = static_cast<unsigned>(std::min(a, b)), high = static_cast<unsigned>(std::max(a, b));
  if (low > 3) ::syscall(SYS_close_range, 3U, low - 1, 0U);
  if (high > low + 1) ::syscall(SYS_close_range, low + 1, high - 1, 0U);
  ::syscall(SYS_close_range, high + 1, ~0U, 0U);
}

/// Nothing of the plant is held: no file, no lock on one, no CPU, no signal of its terminal.
void leave_the_plant(const KeptTap& tap) {
  ::setsid();
  ::prctl(PR_SET_NAME, "takt-tap-keeper");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2})
    (void)std::signal(signal, SIG_IGN);
  (void)std::signal(SIGCHLD, SIG_DFL);
  (void)std::signal(SIGCONT, SIG_DFL);
  close_but(tap.pipe, tap.folder);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) nothing >= 0 ? ::dup2(nothing, stream) : ::close(stream);
  if (nothing > STDERR_FILENO) ::close(nothing);
  (void)!::fchdir(tap.folder);
  for (const int cpu : tap.cpus) avoid_cpu(cpu);
}

/// The whole life of a service.
[[noreturn]] void be_service(const KeptTap& tap, pid_t keeper, int pipe) noexcept {
  ::prctl(PR_SET_NAME, "takt-tap");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);  // its memory is a copy of the plant's
  TapServices& services = tap.segment.services;
  try {
    const int listener = listen_in_working_directory();
    TapServer server(tap.plant, tap.segment, listener);
    services.state.store(TapServices::State::open, std::memory_order_release);
    while (server.serve(pipe)) {
    }
    server.say_good_bye();
  } catch (const std::exception& error) {
    const bool opened = services.state.load(std::memory_order_relaxed) == TapServices::State::open;
    add_service_event(tap.segment, std::string("tap: ") + error.what());
    if (!opened) services.state.store(TapServices::State::cannot_open, std::memory_order_release);
    ::_exit(opened ? 1 : cannot_open);
  }
  ::_exit(0);
}

class KeeperWatch {
 public:
  explicit KeeperWatch(const KeptTap& tap)
      : tap_(tap), services_(tap.segment.services), plant_(handle_of(tap.plant_process)) {}

  void run() {
    looked_ = wall_now();
    while (::getppid() == tap_.plant_process) {
      if (process_ == 0 && !given_up_) start();
      services_.keeper_beats.fetch_add(1, std::memory_order_relaxed);
      std::array<pollfd, 3> polled{{{tap_.pipe, POLLIN, 0}, {plant_, POLLIN, 0}, {handle_, POLLIN, 0}}};
      (void)::poll(polled.data(), polled.size(), look_ms);
      if (polled[0].revents != 0 || polled[1].revents != 0) break;
      if (polled[2].revents != 0) note_death("tap: its service died");
      judge();
    }
    end();
  }

 private:
  /// At most so many in a minute.
  void start() {
    const WallTime now = wall_now();
    while (!starts_.empty() && now - starts_.front() > minute) starts_.pop_front();
    if (starts_.size() >= starts_per_minute) return;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    starts_.push_back(now);
    services_.generation.fetch_add(1, std::memory_order_relaxed);
    const pid_t own = ::getpid(), child = ::fork();
    if (child == 0) {
      ::close(ends[1]);
      be_service(tap_, own, ends[0]);
    }
    ::close(ends[0]);
    if (child < 0) {
      ::close(ends[1]);
      return;
    }
    process_ = child, pipe_ = ends[1], handle_ = handle_of(child);
    beats_ = services_.server_beats.load(std::memory_order_relaxed);
    silence_ = {};
    looked_ = now;
  }

  /// Time in which this process itself was kept from looking is no silence of the service.
  void judge() {
    const WallTime now = wall_now();
    const WallDuration since = std::min(now - looked_, WallDuration{2'000'000LL * look_ms});
    looked_ = now;
    const std::uint64_t beats = services_.server_beats.load(std::memory_order_relaxed);
    if (process_ == 0 || beats != beats_) {
      beats_ = beats, silence_ = {};
      return;
    }
    silence_ += since;
    if (silence_ <= longest_silence) return;
    ::kill(process_, SIGKILL);
    note_death("tap: its service was killed, silent for 3 s");
  }

  void note_death(std::string text) {
    int status = 0;
    if (::waitpid(process_, &status, 0) != process_) return;
    forget();
    given_up_ = WIFEXITED(status) && WEXITSTATUS(status) == cannot_open;
    if (given_up_) return;
    services_.state.store(TapServices::State::down, std::memory_order_release);
    if (WIFSIGNALED(status)) text += " (signal " + std::to_string(WTERMSIG(status)) + ")";
    text += starts_.size() >= starts_per_minute ? "; it has been started often: again in a minute" : "; started again";
    add_service_event(tap_.segment, text + ", what clients watched has ended");
  }

  void forget() {
    if (handle_ >= 0) ::close(handle_);
    ::close(pipe_);
    process_ = 0, handle_ = pipe_ = -1;
  }

  void end() {
    if (process_ > 0) {
      ::close(pipe_);
      pollfd ended{handle_, POLLIN, 0};
      if (::poll(&ended, 1, last_words_ms) <= 0) ::kill(process_, SIGKILL);
      (void)::waitpid(process_, nullptr, 0);
    }
    ::unlink(tap_socket_name);
  }

  const KeptTap& tap_;
  TapServices& services_;
  int plant_;
  pid_t process_ = 0;
  int handle_ = -1, pipe_ = -1;
  bool given_up_ = false;
  std::deque<WallTime> starts_;
  WallTime looked_;
  WallDuration silence_;
  std::uint64_t beats_ = 0;
};

}  // namespace

void keep(const KeptTap& tap) noexcept {
  leave_the_plant(tap);
  // Where kernels have no handles of processes, this ends a wait early.
  struct sigaction wake {};
  wake.sa_handler = [](int) {};
  ::sigaction(SIGUSR2, &wake, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR2);
  KeeperWatch(tap).run();
  ::_exit(0);
}

}  // namespace takt
