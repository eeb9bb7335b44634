#include "runtime/io/record/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace takt {

void open_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number, which is this one: those below are open.
    (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

std::string finish_standard_output() {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) != 0) return std::strerror(errno);
  if (!failed_before) return "";
  // Why is forgotten: asked once more.
  return write(STDOUT_FILENO, "\n", 1) < 0 ? std::strerror(errno) : "a write failed";
}

bool tell(std::string_view text) noexcept {
  pollfd terminal{STDERR_FILENO, POLLOUT, 0};
  if (poll(&terminal, 1, 0) != 1) return true;  // full: nobody reads now
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 && errno == EAGAIN;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace takt
