#include "tools/fit/piped_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

namespace takt::tools {
namespace {

constexpr std::size_t kept_bytes = 64 * 1024;  // of what it said

void check(bool good, const std::string& what) {
  if (!good) throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  check(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::atomic<pid_t> child_now{0};
std::atomic<int> stopped_by{0};

void hand_on(int signal) {
  stopped_by = signal;
  if (const pid_t child = child_now; child > 0) ::kill(child, SIGTERM);
}

/// While it lives, signals that would end this process go to the child.
class HandedOn {
 public:
  HandedOn() {
    stopped_by = 0;
    struct sigaction action {};
    action.sa_handler = hand_on;
    action.sa_flags = SA_RESTART;
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &action, &before_[k]);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &pipe_before_);
  }
  ~HandedOn() {
    child_now = 0;
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
  }
  HandedOn(const HandedOn&) = delete;
  HandedOn& operator=(const HandedOn&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
  struct sigaction pipe_before_ {};
};

pid_t started(const PipedProcess& process, const std::array<int, 3>& streams) {
  posix_spawn_file_actions_t actions;
  check((errno = posix_spawn_file_actions_init(&actions)) == 0, "posix_spawn");
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(stream)], stream);
  std::vector<std::string> copies = process.arguments;
  std::vector<char*> raw;
  for (std::string& copy : copies) raw.push_back(copy.data());
  raw.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // ignored here alone
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawnp(&child, raw[0], &actions, &attributes, raw.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  errno = error;
  check(error == 0, process.arguments.front());
  return child;
}

/// Who does not read any more has said why.
void feed(const std::filesystem::path& file, int to) {
  if (file.empty()) return;
  std::ifstream in(file, std::ios::binary);
  std::array<char, 65536> buffer{};
  while (in.read(buffer.data(), buffer.size()), in.gcount() > 0) {
    const char* next = buffer.data();
    for (auto left = static_cast<std::size_t>(in.gcount()); left > 0;) {
      const ssize_t written = write(to, next, left);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;
      next += written;
      left -= static_cast<std::size_t>(written);
    }
  }
}

std::string listened(const PipedProcess& process, int from) {
  std::string said, line;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const char letter : std::string_view(buffer.data(), static_cast<std::size_t>(count))) {
      line += letter;
      if (letter != '\n') continue;
      if (process.listen) process.listen(line.substr(0, line.size() - 1));
      said += std::exchange(line, {});
    }
    if (said.size() > kept_bytes) said.erase(0, said.size() - kept_bytes);
  }
  if (process.listen && !line.empty()) process.listen(line);
  return said + line;
}

int ended(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

PipedEnd run_piped(const PipedProcess& process) {
  auto [in_read, in_write] = make_pipe();
  auto [error_read, error_write] = make_pipe();
  Descriptor output(::open(process.output.empty() ? "/dev/null" : process.output.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  check(output.get() >= 0, "cannot write " + process.output.string());
  const HandedOn signals;
  pid_t child = 0;
  try {
    child = started(process, {in_read.get(), output.get(), error_write.get()});
  } catch (const std::system_error& error) {
    if (error.code().value() != ENOENT) throw;
    return {.code = 127, .said = process.arguments.front() + ": not found\n"};
  }
  child_now = child;
  if (stopped_by != 0) ::kill(child, SIGTERM);  // came before there was whom to tell
  in_read.close();
  error_write.close();
  std::thread feeder([&process, to = in_write.get()] { feed(process.input, to); });
  PipedEnd end;
  end.said = listened(process, error_read.get());
  end.code = ended(child);
  child_now = 0;
  feeder.join();
  end.stopped_by = stopped_by;
  return end;
}

}  // namespace takt::tools
