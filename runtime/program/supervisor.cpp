#include "runtime/program/supervisor.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "runtime/program/supervisor_process.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr int patience_ms = 5000;  // for a supervisor on a machine that does much else

// One run, one supervisor. The handler below is the only one that looks for its end.
std::atomic<pid_t> process{0};
std::atomic<int> early_end{-1};  // how it ended, where the plant has not asked for it
std::atomic<bool> asked{false};

extern "C" void on_child_end(int) {
  const int before = errno;
  int status = 0;
  if (const pid_t child = process.load(); child > 0 && ::waitpid(child, &status, WNOHANG) == child) {
    process.store(0);
    if (!asked.load()) {
      early_end.store(status);
      constexpr std::string_view text =
          "takt: the supervisor has died: nobody will send safe values in place of this plant\n";
      (void)!::write(STDERR_FILENO, text.data(), text.size());
    }
  }
  errno = before;
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Supervisor::Supervisor(IoPort& io, const Settings& settings) : sender_(io.safe_sender()) {
  if (!sender_) return;
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error(std::string("no socket for the supervisor: ") + std::strerror(errno));
  struct sigaction action {};
  action.sa_handler = on_child_end;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  ::sigaction(SIGCHLD, &action, nullptr);
  SupervisedPlant plant{.words = words_[0],
                        .sender = *sender_,
                        .settings = settings.supervisor,
                        .name = settings.plant,
                        .cpus = settings.cpus,
                        .priority = std::min(settings.priority + 1, 99),
                        .socket = ends[1]};
  plant.settings.heartbeat_ns = std::max(plant.settings.heartbeat_ns, 2 * settings.macro_step.ns());
  if (plant.settings.give_up_ns > 0)
    plant.settings.give_up_ns = std::max(plant.settings.give_up_ns, 4 * plant.settings.heartbeat_ns);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    supervise(plant);
  }
  ::close(ends[1]);
  socket_ = ends[0];
  if (child < 0) throw std::runtime_error(std::string("cannot fork the supervisor: ") + std::strerror(errno));
  process.store(child);
  wait_until_ready();
  io.pass_connections_to(socket_);
}

Supervisor::~Supervisor() { end(); }

void Supervisor::wait_until_ready() {
  std::array<char, 1024> text{};
  pollfd state{socket_, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&state, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  const ssize_t size = ready > 0 ? ::recv(socket_, text.data(), text.size(), MSG_DONTWAIT) : 0;
  const std::string_view said(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  if (said == supervisor_is_ready) return;
  const std::string why = said.empty() ? "the supervisor does not start" : std::string(said);
  end();
  throw std::runtime_error(why);
}

void Supervisor::end() noexcept {
  asked.store(true);
  enter(SupervisionWords::Phase::ended);
  if (socket_ < 0) return;
  ::shutdown(socket_, SHUT_RDWR);  // processes of workers have it, too
  ::close(socket_);
  socket_ = -1;
  const timespec pause{0, 1'000'000};
  for (int turn = 0; process.load() != 0; ++turn) {
    if (turn == patience_ms) ::kill(process.load(), SIGKILL);
    on_child_end(SIGCHLD);  // also where the signal is blocked
    if (process.load() != 0) ::nanosleep(&pause, nullptr);
  }
}

std::vector<IoEvent> Supervisor::events() const {
  std::vector<IoEvent> all;
  const std::uint32_t count = words_[0].outage_count.load(std::memory_order_acquire);
  for (std::uint32_t k = 0; k < std::min<std::size_t>(count, SupervisionWords::most_outages); ++k) {
    const Outage& outage = words_[0].outages[k];
    all.push_back({outage.time, "supervisor: no heartbeat for " + formatted("%.3f s", outage.duration.seconds()) +
                                    ", safe values sent in place of the plant (" + std::to_string(outage.frames) +
                                    " frames)"});
  }
  if (count > SupervisionWords::most_outages)
    all.push_back({words_[0].beat_time.load(), "supervisor: " + std::to_string(count - SupervisionWords::most_outages) +
                                                   " more times without heartbeat"});
  if (const int status = early_end.load(); status >= 0)
    all.push_back({words_[0].beat_time.load(), "supervisor: died during the run (" + how_it_ended(status) +
                                                   "), nobody would have sent safe values in place of the plant"});
  return all;
}

}  // namespace takt
