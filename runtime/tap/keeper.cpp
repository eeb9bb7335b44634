#include "runtime/tap/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "runtime/tap/keeper_process.hpp"

namespace takt {
namespace {

constexpr int patience_ms = 3000;

}  // namespace

Keeper::Keeper(const PlantDescription& plant, TapSegment& segment, const std::filesystem::path& directory,
               const std::vector<int>& cpus) {
  std::array<int, 2> ends{};
  const int folder = ::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    if (folder >= 0) ::close(folder);
    throw std::system_error(error, std::generic_category(), "no service for the tap");
  }
  const pid_t own = ::getpid();
  process_ = ::fork();
  const int error = errno;
  if (process_ == 0)
    keep({.plant = plant, .segment = segment, .cpus = cpus, .plant_process = own, .pipe = ends[0], .folder = folder});
  ::close(folder);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (process_ >= 0) return;
  ::close(pipe_);
  throw std::system_error(error, std::generic_category(), "no service for the tap");
}

Keeper::~Keeper() { end(); }

void Keeper::ask_to_end() noexcept {
  if (process_ < 0 || asked_) return;
  int status = 0;
  asked_ = true;
  if (::waitpid(process_, &status, WNOHANG) == process_) {
    process_ = -1;
    early_end_ = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                     : "exit code " + std::to_string(WEXITSTATUS(status));
  } else {
    (void)!::write(pipe_, "e", 1);  // processes of workers have this end, too: it may not hang up
  }
}

void Keeper::end() noexcept {
  ask_to_end();
  if (process_ >= 0) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0U));
    pollfd ended{handle, POLLIN, 0};
    if (handle < 0 || ::poll(&ended, 1, patience_ms) <= 0) ::kill(process_, SIGKILL);
    if (handle >= 0) ::close(handle);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (pipe_ >= 0) ::close(pipe_);
  process_ = pipe_ = -1;
}

}  // namespace takt
