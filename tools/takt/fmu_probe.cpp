#include "tools/takt/fmu_probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

#include "runtime/json/parse_json.hpp"

namespace takt::tools {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

struct SharedProgress {
  SharedProgress() {
    memory = mmap(nullptr, sizeof(ProbeProgress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    progress = new (memory) ProbeProgress;
  }
  ~SharedProgress() { munmap(memory, sizeof(ProbeProgress)); }
  void* memory = nullptr;
  ProbeProgress* progress = nullptr;
};

/// What FMUs print must not stand among results; handlers of the parent are not for crashes of the child.
[[noreturn]] void be_child(const std::function<nlohmann::json(ProbeProgress&)>& work, ProbeProgress& progress, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  std::string text;
  try {
    text = work(progress).dump();
  } catch (const std::exception& problem) {
    text = nlohmann::json{{"problem", problem.what()}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t part = write(to, text.data() + done, text.size() - done);
    if (part <= 0) break;
    done += static_cast<std::size_t>(part);
  }
  _exit(0);
}

/// Reads what the child says until it ends or makes no progress.
/// @return false: it hangs
bool listen(int from, const ProbeProgress& progress, std::chrono::milliseconds patience, std::string& text) {
  std::uint64_t seen = progress.step.load();
  const char* doing = progress.doing.load();
  auto last = Clock::now();
  while (true) {
    pollfd waiting{from, POLLIN, 0};
    if (poll(&waiting, 1, 20) > 0) {
      char buffer[4096];
      const ssize_t part = read(from, buffer, sizeof buffer);
      if (part <= 0) return true;
      text.append(buffer, static_cast<std::size_t>(part));
    }
    if (progress.step.load() != seen || progress.doing.load() != doing)
      seen = progress.step.load(), doing = progress.doing.load(), last = Clock::now();
    if (Clock::now() - last > patience) return false;
  }
}

}  // namespace

std::string ProbeOutcome::text() const {
  const std::string where = " at step " + std::to_string(step) + (doing.empty() ? "" : ", " + doing);
  switch (end) {
    case End::crashed:
      return std::string("crashed (SIG") + sigabbrev_np(signal) + ")" + where;
    case End::hung:
      return "hung" + where;
    case End::exited:
      return "ended the process" + where;
    case End::finished:
      break;
  }
  return "finished";
}

ProbeOutcome probe(const std::function<nlohmann::json(ProbeProgress&)>& work, std::chrono::milliseconds patience) {
  const SharedProgress shared;
  int pipe_of[2];
  if (pipe2(pipe_of, O_CLOEXEC) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) be_child(work, *shared.progress, pipe_of[1]);
  close(pipe_of[1]);
  std::string text;
  ProbeOutcome outcome;
  const bool hung = !listen(pipe_of[0], *shared.progress, patience, text);
  if (hung) kill(child, SIGKILL);
  close(pipe_of[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.step = shared.progress->step.load();
  outcome.doing = shared.progress->doing.load();
  outcome.found = json_or_none<nlohmann::json>(text);
  if (hung)
    outcome.end = ProbeOutcome::End::hung;
  else if (WIFSIGNALED(status))
    outcome.end = ProbeOutcome::End::crashed, outcome.signal = WTERMSIG(status);
  else if (outcome.found.is_discarded())
    outcome.end = ProbeOutcome::End::exited;
  if (outcome.end != ProbeOutcome::End::finished) outcome.found = nullptr;
  return outcome;
}

}  // namespace takt::tools
