#include "runtime/foreign/host_process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace takt::foreign {
namespace {

[[noreturn]] void fail_host(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/// The table goes by a file without a name: a pipe fills.
int file_with(std::string_view text) {
  const int file = unnamed_file("takt-fmu-table");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote <= 0) fail_host("cannot write the table of an FMU");
    done += static_cast<std::size_t>(wrote);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

/// Of what this process has open, files, locks, other FMUs, the host has nothing but the three streams and its own.
/// Between fork and exec: nothing is allocated.
void hand_over(std::span<int> files, int table, bool silent) {
  constexpr int first = STDERR_FILENO + 1;
  const int beyond = first + static_cast<int>(files.size());
  for (int& file : files) file = ::fcntl(file, F_DUPFD, beyond);  // none may stand where another one shall
  ::dup2(table, STDIN_FILENO);
  if (silent)
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
  else
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what an FMU prints is no result
  for (int place = first; const int file : files) ::dup2(file, place++);
  ::syscall(SYS_close_range, static_cast<unsigned>(beyond), ~0U, 0U);
}

}  // namespace

int unnamed_file(const char* name) {
  const int file = ::memfd_create(name, MFD_CLOEXEC);
  if (file < 0) fail_host("cannot make memory for an FMU");
  return file;
}

HostProcess start_host(const HostStart& how) {
  const int table = file_with(how.table);
  std::vector<const char*> words{"takt-fmu-host"};
  for (const std::string& word : how.words) words.push_back(word.c_str());
  words.push_back(nullptr);
  std::vector<int> files(how.files.begin(), how.files.end());
  const pid_t parent = ::getpid();
  HostProcess process{.id = ::fork()};
  if (process.id < 0) fail_host("cannot make a process for an FMU");
  if (process.id == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // its keeper knows better, once there is one
    if (::getppid() != parent) ::_exit(1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(signal, SIG_IGN);
    hand_over(files, table, how.silent);
    ::execv(how.program.c_str(), const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  ::close(table);
  process.handle = static_cast<int>(::syscall(SYS_pidfd_open, process.id, 0U));
  if (process.handle < 0) {
    const int why = errno;
    (void)end_host(process);
    errno = why;
    fail_host("cannot watch the process of an FMU");
  }
  return process;
}

int end_host(HostProcess& process) noexcept {
  int status = 0;
  if (process.id > 0) {
    ::kill(process.id, end_signal);
    while (::waitpid(process.id, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (process.handle >= 0) ::close(process.handle);
  process = {};
  return status;
}

}  // namespace takt::foreign
