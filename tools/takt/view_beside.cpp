#include "tools/takt/view_beside.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <vector>

extern char** environ;

namespace takt::tools {
namespace {

constexpr int patience_ms = 5000;

/// The first word that it prints; empty: it has ended, or says nothing.
std::string first_word(int pipe) {
  std::string text;
  for (std::array<char, 256> piece{};;) {
    pollfd state{pipe, POLLIN, 0};
    if (::poll(&state, 1, patience_ms) <= 0) return {};
    const ssize_t size = ::read(pipe, piece.data(), piece.size());
    if (size <= 0) return {};
    text.append(piece.data(), static_cast<std::size_t>(size));
    if (const std::size_t end = text.find(' '); end != std::string::npos) return text.substr(0, end);
  }
}

std::string start_at(const std::string& place) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  std::vector<std::string> words{"takt", "view", "--listen", place, "--beside", std::to_string(::getpid())};
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // Ctrl-C is for the run
  pid_t process = 0;
  const int error = ::posix_spawn(&process, "/proc/self/exe", &files, &attributes, raw.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  ::close(ends[1]);
  const std::string word = error == 0 ? first_word(ends[0]) : std::string();
  ::close(ends[0]);
  return word;
}

}  // namespace

std::string start_view_beside() {
  std::string address = start_at("127.0.0.1:8800");
  if (address.empty()) address = start_at("127.0.0.1:0");
  return address;
}

}  // namespace takt::tools
