#include "tools/dds/plant_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

extern char** environ;

namespace takt::dds {

/// In a session of its own: an interrupt at the bridge's terminal is not meant for the plant.
void PlantProcess::start(const std::vector<std::string>& command, const std::string& run) {
  std::vector<std::string> texts = command;
  texts.insert(texts.end(), {"--out", run});
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  const int error = ::posix_spawnp(&process_, pointers[0], &files, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    process_ = 0;
    throw std::runtime_error("'" + command.front() + "' cannot be started: " + std::strerror(error));
  }
}

std::string PlantProcess::end() {
  int status = 0;
  if (process_ <= 0 || ::waitpid(process_, &status, WNOHANG) != process_) return {};
  process_ = 0;
  return WIFEXITED(status) ? "code " + std::to_string(WEXITSTATUS(status))
                           : "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace takt::dds
