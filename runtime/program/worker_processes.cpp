#include "runtime/program/worker_processes.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace takt {

/// What a process says of itself.
struct WorkerProcesses::Report {
  std::atomic<int> thread_id{0};  // of its real-time thread, when that is there
  std::array<char, 64> scheduling{};
  std::array<char, 4096> warnings{};  // a line each
  std::uint64_t minor_faults = 0, major_faults = 0, involuntary_switches = 0;
};

namespace {

template <std::size_t size>
void put(std::array<char, size>& to, std::string_view text) {
  const std::size_t count = std::min(text.size(), size - 1);
  std::copy_n(text.begin(), count, to.begin());
  to[count] = '\0';
}

std::string death_of(int status) {
  if (WIFSIGNALED(status)) return std::string("was ended by a signal (") + strsignal(WTERMSIG(status)) + ")";
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

WorkerProcesses::WorkerProcesses(const RealtimeSettings& settings, std::span<const RealtimeTask> tasks,
                                 std::pmr::memory_resource& shared)
    : tasks_(tasks), processes_(tasks.size()) {
  struct sigaction children {};  // ignored by whoever has started this: nobody could be waited for
  if (sigaction(SIGCHLD, nullptr, &children) == 0 && children.sa_handler == SIG_IGN)
    (void)std::signal(SIGCHLD, SIG_DFL);
  std::pmr::polymorphic_allocator<> allocator(&shared);
  for (Process& process : processes_) process.report = allocator.new_object<Report>();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
      end();
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t parent = getpid();
    Process& process = processes_[i];
    process.id = fork();
    if (process.id < 0) {
      close(ends[0]), close(ends[1]);
      end();
      throw std::runtime_error(std::string("cannot make a process for a worker: ") + std::strerror(errno));
    }
    if (process.id == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      for (Process& other : processes_)
        if (other.gate >= 0) close(other.gate);
      close(ends[1]);
      work(settings, tasks[i], *process.report, ends[0]);
    }
    close(ends[0]);
    process.gate = ends[1];
  }
}

/// The life of such a process.
void WorkerProcesses::work(const RealtimeSettings& settings, const RealtimeTask& task, Report& report, int gate) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(signal, SIG_IGN);
  char go = 0;
  ssize_t got = 0;
  do {
    got = read(gate, &go, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1) _exit(0);
  try {
    RealtimeTask own = task;
    own.started = [&report](int thread_id) { report.thread_id.store(thread_id); };
    own.ended = {};
    const RealtimeOutcome outcome = run_realtime_threads(settings, {&own, 1});
    std::string warnings;
    for (const std::string& warning : outcome.warnings) warnings += warning + "\n";
    put(report.scheduling, outcome.scheduling);
    put(report.warnings, warnings);
    report.minor_faults = outcome.minor_faults, report.major_faults = outcome.major_faults;
    report.involuntary_switches = outcome.involuntary_switches;
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

void WorkerProcesses::begin(const std::function<void(std::size_t, const char*)>& lost) {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    Process& process = processes_[i];
    process.watch = std::thread([this, &process, i, lost] {
      int status = 0;
      pid_t waited = 0;
      do {
        waited = waitpid(process.id, &status, 0);
      } while (waited < 0 && errno == EINTR);
      if (waited > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
      process.death = "the process of worker " + std::to_string(i + 1) + " " +
                      (waited > 0 ? death_of(status) : "cannot be waited for");
      process.report->thread_id.store(-1);
      if (!abandoned_.load()) lost(i, process.death.c_str());
    });
    const char go = 'g';
    if (write(process.gate, &go, 1) != 1) continue;  // it has died: its watch says so
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    int thread_id = 0;
    while ((thread_id = processes_[i].report->thread_id.load()) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (thread_id > 0 && tasks_[i].started) tasks_[i].started(thread_id);
  }
}

std::vector<RealtimeOutcome> WorkerProcesses::finish() {
  end();
  std::vector<RealtimeOutcome> outcomes;
  for (const Process& process : processes_) {
    const Report& report = *process.report;
    RealtimeOutcome outcome{.scheduling = report.scheduling.data(),
                            .warnings = {},
                            .minor_faults = report.minor_faults,
                            .major_faults = report.major_faults,
                            .involuntary_switches = report.involuntary_switches};
    std::string_view left = report.warnings.data();
    while (!left.empty()) {
      const std::size_t line = left.find('\n');
      outcome.warnings.emplace_back(left.substr(0, line));
      left.remove_prefix(line == std::string_view::npos ? left.size() : line + 1);
    }
    if (!process.death.empty()) outcome.warnings.push_back(process.death), outcome.lost = true;
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

void WorkerProcesses::end() noexcept {
  for (Process& process : processes_) {
    if (process.gate >= 0) close(process.gate);
    process.gate = -1;
    if (process.watch.joinable()) {
      process.watch.join();
    } else if (process.id > 0) {
      while (waitpid(process.id, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    process.id = -1;
  }
}

WorkerProcesses::~WorkerProcesses() {
  abandoned_.store(true);
  for (const Process& process : processes_)  // begun, and nobody leads any more
    if (process.id > 0 && process.watch.joinable()) ::kill(process.id, SIGKILL);
  end();
}

}  // namespace takt
