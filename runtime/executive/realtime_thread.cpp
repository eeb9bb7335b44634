#include "runtime/executive/realtime_thread.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace takt {
namespace {

constexpr std::size_t stack_size = 4 << 20;
constexpr std::size_t touched_stack = 1 << 20;
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
[[gnu::noinline]] void touch_stack() noexcept {
  volatile char bytes[touched_stack];
  (void)bytes;
  for (std::size_t i = 0; i < touched_stack; i += page) bytes[i] = 0;
}

struct Task {
  const RealtimeSettings& settings;
  const std::function<void(int)>& started;
  const std::function<void()>& work;
  RealtimeOutcome outcome{};
};

void pin(Task& task) {
  if (task.settings.cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(task.settings.cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    task.outcome.warnings.push_back("cannot pin to CPU " + std::to_string(task.settings.cpu) + " (" +
                                    std::strerror(errno) + ")");
  }
}

void schedule(Task& task) {
  if (!task.settings.realtime) return;
  const sched_param parameter{.sched_priority = task.settings.priority};
  if (sched_setscheduler(0, SCHED_FIFO, &parameter) == 0) {
    task.outcome.scheduling = "SCHED_FIFO " + std::to_string(task.settings.priority);
  } else {
    task.outcome.warnings.push_back(std::string("no SCHED_FIFO (") + std::strerror(errno) +
                                    "): other processes will delay windows; run as root or grant CAP_SYS_NICE");
  }
}

void* run_task(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  pin(task);
  schedule(task);
  touch_stack();
  task.started(gettid());
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  getrusage(RUSAGE_THREAD, &after);  // once more, so that its own pages are there
  getrusage(RUSAGE_THREAD, &before);
  task.work();
  getrusage(RUSAGE_THREAD, &after);
  task.outcome.minor_faults = static_cast<std::uint64_t>(after.ru_minflt - before.ru_minflt);
  task.outcome.major_faults = static_cast<std::uint64_t>(after.ru_majflt - before.ru_majflt);
  task.outcome.involuntary_switches = static_cast<std::uint64_t>(after.ru_nivcsw - before.ru_nivcsw);
  return nullptr;
}

}  // namespace

void avoid_cpu(int cpu) {
  cpu_set_t set;
  if (cpu < 0 || sched_getaffinity(0, sizeof set, &set) != 0) return;
  CPU_CLR(static_cast<std::size_t>(cpu), &set);
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
}

RealtimeOutcome run_realtime_thread(const RealtimeSettings& settings, const std::function<void(int)>& started,
                                    const std::function<void()>& work) {
  if (settings.cpu >= static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)) || settings.cpu >= CPU_SETSIZE) {
    throw std::runtime_error("there is no CPU " + std::to_string(settings.cpu));
  }
  Task task{settings, started, work};
  std::vector<std::string> warnings;
  const auto body = [&] {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, run_task, &task);
    pthread_attr_destroy(&attributes);
    if (error != 0)
      throw std::runtime_error(std::string("cannot create the real-time thread: ") + std::strerror(error));
    pthread_join(thread, nullptr);
  };
  if (settings.realtime) {
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
      warnings.push_back(std::string("cannot lock memory (") + std::strerror(errno) +
                         "): page faults may delay windows; run as root or grant CAP_IPC_LOCK");
    }
    const AwakeCpus awake(warnings);
    body();
    munlockall();
  } else {
    body();
  }
  warnings.insert(warnings.end(), task.outcome.warnings.begin(), task.outcome.warnings.end());
  task.outcome.warnings = std::move(warnings);
  return task.outcome;
}

}  // namespace takt
