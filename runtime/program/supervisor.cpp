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

#include "runtime/program/stop_signals.hpp"
#include "runtime/program/supervisor_process.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr int patience_ms = 5000;  // for a supervisor on a machine that does much else

// One run, one supervisor and its spare. The handler below is the only one that looks for their end.
struct Guard {
  std::atomic<pid_t> process{0};
  std::atomic<bool> is_ready{false};
  std::atomic<int> early_end{-1};  // how it ended, where the plant has not asked for it
  std::atomic<SimTime> ended_at{};
};
std::array<Guard, 2> guards;
std::atomic<bool> asked{false};
std::atomic<bool> goes_on_without{false};
std::atomic<const SupervisionWords*> words_of_run{nullptr};

constexpr const char* ended_safely =
    "ended safely, as nobody would have sent safe values in place of the plant (its supervisor died)";

void say(std::string_view text) noexcept { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

/// Only what a signal handler may do.
void note_loss(std::size_t number, int status) noexcept {
  const bool is_spare = number == 1 && guards[0].early_end.load() < 0;
  if (const SupervisionWords* words = words_of_run.load()) guards[number].ended_at.store(words->beat_time.load());
  guards[number].early_end.store(status);
  if (guards[1 - number].process.load() > 0) {
    say(is_spare ? "takt: the spare of the supervisor has died: nobody will take its place\n"
                 : "takt: the supervisor has died: its spare takes its place\n");
    return;
  }
  if (goes_on_without.load()) {
    say("takt: the supervisor has died: nobody will send safe values in place of this plant\n");
    return;
  }
  say("takt: the supervisor has died: the run ends, with safe values ([supervisor] when_lost)\n");
  stop_run(ended_safely);
}

extern "C" void on_child_end(int) {
  const int before = errno;
  for (std::size_t number = 0; number < guards.size(); ++number) {
    int status = 0;
    const pid_t child = guards[number].process.load();
    if (child <= 0 || ::waitpid(child, &status, WNOHANG) != child) continue;
    guards[number].process.store(0);
    if (!asked.load() && guards[number].is_ready.load()) note_loss(number, status);
  }
  errno = before;
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Supervisor::Supervisor(IoPort& io, const Settings& settings)
    : sender_(io.safe_sender()), when_lost_(settings.supervisor.when_lost) {
  if (!sender_) return;
  words_of_run.store(&words_[0]);
  goes_on_without.store(when_lost_ == GuardLost::go_on);
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
                        .process = ::getpid()};
  plant.settings.heartbeat_ns = std::max(plant.settings.heartbeat_ns, 2 * settings.macro_step.ns());
  if (plant.settings.give_up_ns > 0)
    plant.settings.give_up_ns = std::max(plant.settings.give_up_ns, 4 * plant.settings.heartbeat_ns);
  fork_one(0, plant);
  if (when_lost_ == GuardLost::restart) fork_one(1, plant);
  for (const int socket : sockets_)
    if (socket >= 0) io.pass_connections_to(socket);
}

Supervisor::~Supervisor() {
  end();
  words_of_run.store(nullptr);
}

void Supervisor::fork_one(std::size_t number, SupervisedPlant plant) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error(std::string("no socket for the supervisor: ") + std::strerror(errno));
  plant.socket = ends[1];
  const pid_t other = guards[0].process.load();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    if (number == 0) supervise(plant);
    stand_by(plant, other);
  }
  const int reason = errno;
  ::close(ends[1]);
  sockets_[number] = ends[0];
  if (child < 0) {
    end();
    throw std::runtime_error(std::string("cannot fork the supervisor: ") + std::strerror(reason));
  }
  guards[number].process.store(child);
  wait_until_ready(sockets_[number]);
  guards[number].is_ready.store(true);
  if (guards[number].process.load() != 0) return;
  end();
  throw std::runtime_error("the supervisor does not start");
}

void Supervisor::wait_until_ready(int socket) {
  std::array<char, 1024> text{};
  pollfd state{socket, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&state, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  const ssize_t size = ready > 0 ? ::recv(socket, text.data(), text.size(), MSG_DONTWAIT) : 0;
  const std::string_view said(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  if (said == supervisor_is_ready) return;
  const std::string why = said.empty() ? "the supervisor does not start" : std::string(said);
  end();
  throw std::runtime_error(why);
}

void Supervisor::end() noexcept {
  asked.store(true);
  enter(SupervisionWords::Phase::ended);
  for (int& socket : sockets_) {
    if (socket < 0) continue;
    ::shutdown(socket, SHUT_RDWR);  // processes of workers have it, too
    ::close(socket);
    socket = -1;
  }
  const timespec pause{0, 1'000'000};
  for (const Guard& guard : guards)
    for (int turn = 0; guard.process.load() != 0; ++turn) {
      if (turn == patience_ms) ::kill(guard.process.load(), SIGKILL);
      on_child_end(SIGCHLD);  // also where the signal is blocked
      if (guard.process.load() != 0) ::nanosleep(&pause, nullptr);
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
  for (std::size_t number = 0; number < guards.size(); ++number) {
    const int status = guards[number].early_end.load();
    if (status < 0) continue;
    const bool is_spare = number == 1 && guards[0].early_end.load() < 0;
    all.push_back({guards[number].ended_at.load(),
                   std::string(is_spare ? "the spare of the supervisor" : "supervisor") + ": died during the run (" +
                       how_it_ended(status) + ")" + what_became_of_it(number)});
  }
  return all;
}

std::string Supervisor::what_became_of_it(std::size_t number) const {
  const bool other_has_died = guards[1 - number].early_end.load() >= 0;
  const bool had_other = when_lost_ == GuardLost::restart;
  const bool is_last =
      !had_other || (other_has_died && guards[1 - number].ended_at.load() <= guards[number].ended_at.load());
  if (!is_last) return number == 0 ? ", its spare has taken its place" : ", nobody would have taken its place";
  return when_lost_ == GuardLost::go_on ? ", nobody would have sent safe values in place of the plant from there on"
                                        : ", the run was ended in order";
}

std::vector<IoFinding> Supervisor::findings() const {
  std::vector<IoFinding> all;
  const std::size_t number_of_guards = when_lost_ == GuardLost::restart ? 2 : 1;
  std::size_t lost = 0;
  IoFinding last{.code = "", .where = "supervisor", .text = {}, .time = {}};
  for (std::size_t number = 0; number < number_of_guards; ++number) {
    const Guard& guard = guards[number];
    if (guard.early_end.load() < 0) continue;
    ++lost;
    if (lost > 1 && guard.ended_at.load() < last.time) continue;
    last.time = guard.ended_at.load();
    last.text = "died during the run (" + how_it_ended(guard.early_end.load()) + ")" + what_became_of_it(number);
  }
  if (lost == 0) return all;
  if (lost == number_of_guards) last.code = "X050";
  if (lost < number_of_guards) last.text += formatted(", at %.6g s", last.time.seconds());
  if (lost < number_of_guards && guards[1].early_end.load() >= 0) last.where = "spare of the supervisor";
  all.push_back(std::move(last));
  return all;
}

}  // namespace takt
