#include "runtime/executive/realtime_thread.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <latch>
#include <stdexcept>

namespace takt {
namespace {

constexpr std::size_t page = 4096;

/// Holding 0 keeps all CPUs out of sleep states for as long as the file is open.
class AwakeCpus {
 public:
  explicit AwakeCpus(std::vector<std::string>& warnings) {
    const std::int32_t zero = 0;
    descriptor_ = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0 || write(descriptor_, &zero, sizeof zero) != sizeof zero) {
      warnings.push_back(std::string("cannot hold /dev/cpu_dma_latency (") + std::strerror(errno) +
                         "): wake-ups from sleep states take longer");
    }
  }
  ~AwakeCpus() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  AwakeCpus(const AwakeCpus&) = delete;
  AwakeCpus& operator=(const AwakeCpus&) = delete;

 private:
  int descriptor_ = -1;
};

/// Touches the stack below this frame, so that deeper calls meet pages that are there.
[[gnu::noinline]] void touch_stack(std::size_t size) noexcept {
  auto* bytes = static_cast<volatile char*>(__builtin_alloca(size));
  for (std::size_t i = 0; i < size; i += page) bytes[i] = 0;
}

/// All threads are there before any begins its work.
class Gate {
 public:
  void open(bool go) {
    go_ = go;
    open_.count_down();
  }
  [[nodiscard]] bool pass() {
    open_.wait();
    return go_;
  }

 private:
  bool go_ = false;
  std::latch open_{1};
};

struct Task {
  const RealtimeSettings& settings;
  const RealtimeTask& task;
  Gate& gate;
  pthread_t thread{};
  RealtimeOutcome outcome{};
};

void pin(Task& task) {
  if (task.task.cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(task.task.cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    task.outcome.warnings.push_back("cannot pin to CPU " + std::to_string(task.task.cpu) + " (" + std::strerror(errno) +
                                    ")");
  }
}

void schedule(Task& task) {
  if (!task.settings.realtime) return;
  const sched_param parameter{.sched_priority = task.task.priority};
  if (sched_setscheduler(0, SCHED_FIFO, &parameter) == 0) {
    task.outcome.scheduling = "SCHED_FIFO " + std::to_string(task.task.priority);
  } else {
    task.outcome.warnings.push_back(std::string("no SCHED_FIFO (") + std::strerror(errno) +
                                    "): other processes will delay windows; run as root or grant CAP_SYS_NICE");
  }
}

void* run_task(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  if (!task.gate.pass()) return nullptr;
  pin(task);
  schedule(task);
  touch_stack(task.settings.stack_size / 4);
  if (task.task.started) task.task.started(gettid());
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  getrusage(RUSAGE_THREAD, &after);  // once more, so that its own pages are there
  getrusage(RUSAGE_THREAD, &before);
  task.task.work();
  getrusage(RUSAGE_THREAD, &after);
  if (task.settings.realtime) {  // what it has handed to threads of lower priority goes first from here on
    const sched_param ordinary{};
    (void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
  }
  task.outcome.minor_faults = static_cast<std::uint64_t>(after.ru_minflt - before.ru_minflt);
  task.outcome.major_faults = static_cast<std::uint64_t>(after.ru_majflt - before.ru_majflt);
  task.outcome.involuntary_switches = static_cast<std::uint64_t>(after.ru_nivcsw - before.ru_nivcsw);
  if (task.task.ended) task.task.ended(gettid());
  return nullptr;
}

void run_all(std::deque<Task>& tasks, Gate& gate) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, tasks.front().settings.stack_size);
  int error = 0;
  std::size_t begun = 0;
  for (; begun < tasks.size() && error == 0; ++begun)
    error = pthread_create(&tasks[begun].thread, &attributes, run_task, &tasks[begun]);
  pthread_attr_destroy(&attributes);
  if (error != 0) --begun;
  gate.open(error == 0);
  for (std::size_t i = 0; i < begun; ++i) pthread_join(tasks[i].thread, nullptr);
  if (error != 0) throw std::runtime_error(std::string("cannot create a real-time thread: ") + std::strerror(error));
}

}  // namespace

void avoid_cpu(int cpu) {
  cpu_set_t set;
  if (cpu < 0 || sched_getaffinity(0, sizeof set, &set) != 0) return;
  CPU_CLR(static_cast<std::size_t>(cpu), &set);
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
}

RealtimeOutcome run_realtime_threads(const RealtimeSettings& settings, std::span<const RealtimeTask> tasks) {
  Gate gate;
  std::deque<Task> all;
  for (const RealtimeTask& task : tasks) {
    if (task.cpu >= static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)) || task.cpu >= CPU_SETSIZE)
      throw std::runtime_error("there is no CPU " + std::to_string(task.cpu));
    all.push_back({settings, task, gate});
  }
  RealtimeOutcome outcome;
  if (settings.realtime) {
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
      outcome.warnings.push_back(std::string("cannot lock memory (") + std::strerror(errno) +
                                 "): page faults may delay windows; run as root or grant CAP_IPC_LOCK");
    }
    const AwakeCpus awake(outcome.warnings);
    run_all(all, gate);
    munlockall();
  } else {
    run_all(all, gate);
  }
  outcome.scheduling = all.front().outcome.scheduling;
  for (const Task& task : all) {
    outcome.minor_faults += task.outcome.minor_faults, outcome.major_faults += task.outcome.major_faults;
    outcome.involuntary_switches += task.outcome.involuntary_switches;
    for (const std::string& warning : task.outcome.warnings)
      if (std::find(outcome.warnings.begin(), outcome.warnings.end(), warning) == outcome.warnings.end())
        outcome.warnings.push_back(warning);
  }
  return outcome;
}

}  // namespace takt
