#include "tools/fmu_host/keeper.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "runtime/foreign/host_process.hpp"

namespace takt::fmu_host {
namespace {

/// As long as "takt-fmu-host": it is not to be taken for one.
constexpr const char* own_name = "takt-fmu-keep";

pid_t parent_of(const char* process) {
  char path[64], text[512];
  std::snprintf(path, sizeof path, "/proc/%.16s/stat", process);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = 0;
  const char* after_name = std::strrchr(text, ')');  // a name may hold anything
  return after_name == nullptr || std::strlen(after_name) < 5 ? 0 : std::atoi(after_name + 4);
}

void end_children() {
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return;
  while (const dirent* entry = readdir(processes))
    if (const pid_t process = std::atoi(entry->d_name); process > 0 && parent_of(entry->d_name) == getpid())
      kill(process, SIGKILL);
  closedir(processes);
}

/// Children of those that end become children of the keeper, so there may be more of them each time.
void end_what_is_left() {
  for (int round = 0; round < 200; ++round) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) return;
    end_children();
    const timespec nap{0, 5'000'000};
    nanosleep(&nap, nullptr);
  }
}

/// @return as of waitpid()
int wait_for(pid_t host, const sigset_t& signals) {
  for (;;) {
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) != 0;)
      if (ended == host || ended < 0) return status;
    if (sigwaitinfo(&signals, nullptr) == foreign::end_signal) kill(host, SIGKILL);
  }
}

[[noreturn]] void keep(pid_t host, const sigset_t& signals) {
  syscall(SYS_close_range, 0U, ~0U, 0U);
  const int status = wait_for(host, signals);
  end_what_is_left();
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  (void)std::signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(1);
}

}  // namespace

void get_a_keeper(char* name) {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, foreign::end_signal);
  sigprocmask(SIG_BLOCK, &signals, &before);
  (void)std::signal(SIGCHLD, SIG_DFL);  // ignored, it could not be waited for
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, foreign::end_signal);
  const pid_t keeper = getpid(), host = fork();
  if (host < 0) _exit(1);
  if (host > 0) {
    prctl(PR_SET_NAME, own_name);
    if (std::strlen(name) == std::strlen(own_name)) std::memcpy(name, own_name, std::strlen(own_name));
    keep(host, signals);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(1);
  setpgid(0, 0);  // kill(0, ...) of an FMU is for its own
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace takt::fmu_host
