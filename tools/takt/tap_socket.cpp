#include "tools/takt/tap_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/tap/server.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {

namespace fs = std::filesystem;

fs::path run_directory(const std::string& run) {
  std::error_code unreadable;
  for (const fs::path& candidate : {fs::path(run), fs::path("runs") / run})
    if (!run.empty() && fs::is_directory(candidate, unreadable)) return candidate;
  throw UsageError("no run at '" + run +
                   "': give its directory, or its name under ./runs; `takt tap` lists those that " +
                   "can be asked now");
}

/// By the descriptor of the directory: a path of any length.
int connect_to_tap(const fs::path& directory, int kind) {
  const int folder = ::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | kind, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + tap_socket_name;
  std::copy(path.begin(), path.end(), address.sun_path);
  const bool good =
      folder >= 0 && socket >= 0 && ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  if (folder >= 0) ::close(folder);
  if (good) return socket;
  if (socket >= 0) ::close(socket);
  errno = error;
  return -1;
}

std::string why_no_tap(const fs::path& directory, int error) {
  if (error == ENOENT || error == ECONNREFUSED)
    return "the run in '" + directory.string() +
           "' cannot be asked: it has ended, or was started with --no-tap or --no-results";
  if (error == EACCES || error == EPERM)
    return "the run in '" + directory.string() + "' belongs to another user: only who has started it" +
           " (and root) may ask it";
  return "cannot reach the run in '" + directory.string() + "': " + std::strerror(error);
}

}  // namespace takt::tools
