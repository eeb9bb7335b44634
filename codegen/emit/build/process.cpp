#include "codegen/emit/build/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

namespace takt::codegen {
namespace {

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Both ends close on exec, so that no other child inherits them.
struct Pipe {
  Pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0) check(errno, "pipe");
  }
  ~Pipe() {
    for (const int fd : end) {
      if (fd >= 0) close(fd);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() { close(std::exchange(end[1], -1)); }
  std::array<int, 2> end{-1, -1};
};

std::string read_all(int fd, const std::function<void(std::string_view)>& heard) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) {
      const std::string_view piece(buffer.data(), static_cast<std::size_t>(count));
      text += piece;
      if (heard) heard(piece);
    } else if (count == 0 || errno != EINTR) {
      return text;
    }
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) check(errno, "waitpid");
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> raw;
  for (std::string& text : texts) raw.push_back(text.data());
  raw.push_back(nullptr);
  return raw;
}

/// This process's environment, where `changes` does not say otherwise.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    if (std::none_of(changes.begin(), changes.end(),
                     [&](const std::string& change) { return change.starts_with(name); }))
      all.emplace_back(variable);
  }
  return all;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment, std::atomic<int>* id,
                          const std::function<void(std::string_view)>& heard) {
  Pipe pipe;
  posix_spawn_file_actions_t actions;
  check(posix_spawn_file_actions_init(&actions), "posix_spawn");
  posix_spawn_file_actions_adddup2(&actions, pipe.end[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe.end[1], STDERR_FILENO);
  std::vector<std::string> copies = arguments, variables = changed_environment(environment);
  const std::vector<char*> raw = pointers(copies), raw_variables = pointers(variables);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, raw[0], &actions, nullptr, raw.data(), raw_variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return {127, arguments.front() + ": not found\n"};
  check(error, arguments.front().c_str());
  if (id != nullptr) *id = child;
  pipe.close_write();
  ProcessResult result;
  result.output = read_all(pipe.end[0], heard);
  if (id != nullptr) {  // once it has been waited for, its id may be another's
    siginfo_t ended;
    while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR) {
    }
    *id = 0;
  }
  result.exit_code = wait_for(child);
  return result;
}

std::filesystem::path find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace takt::codegen
