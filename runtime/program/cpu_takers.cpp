#include "runtime/program/cpu_takers.hpp"

#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace takt {
namespace {

namespace fs = std::filesystem;

/// /proc/PID/task/TID/stat: what stands after the name, which may hold blanks and brackets.
struct StatLine {
  std::string name;
  std::vector<std::string> fields;  ///< the state first, which proc(5) numbers 3

  [[nodiscard]] int field(std::size_t number) const {
    int value = -1;
    if (const std::size_t at = number - 3; at < fields.size())
      std::from_chars(fields[at].data(), fields[at].data() + fields[at].size(), value);
    return value;
  }
  [[nodiscard]] bool runnable() const { return !fields.empty() && fields[0] == "R"; }
  [[nodiscard]] int cpu() const { return field(39); }
  [[nodiscard]] Scheduling scheduling() const { return {.policy = field(41), .priority = field(40)}; }
};

std::optional<StatLine> read_stat(const fs::path& task) {
  std::ifstream in(task / "stat");
  std::string text;
  if (!std::getline(in, text)) return std::nullopt;
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  StatLine line{.name = text.substr(open + 1, close - open - 1), .fields = {}};
  std::istringstream rest(text.substr(close + 1));
  for (std::string field; rest >> field;) line.fields.push_back(field);
  return line;
}

constexpr int deadline = 6;  // SCHED_DEADLINE, which not every sched.h names

/// The greater one goes first.
int rank(const Scheduling& thread) {
  if (thread.policy == deadline) return 100;
  if (thread.policy == SCHED_FIFO || thread.policy == SCHED_RR) return thread.priority;
  return thread.policy == SCHED_IDLE ? -1 : 0;
}

std::string policy_text(const Scheduling& thread) {
  const std::string priority = " " + std::to_string(thread.priority);
  if (thread.policy == SCHED_FIFO) return "SCHED_FIFO" + priority;
  if (thread.policy == SCHED_RR) return "SCHED_RR" + priority;
  if (thread.policy == SCHED_IDLE) return "SCHED_IDLE";
  return thread.policy == deadline ? "SCHED_DEADLINE" : thread.policy == SCHED_BATCH ? "SCHED_BATCH" : "SCHED_OTHER";
}

std::optional<StatLine> read_thread(int thread_id) {
  if (thread_id < 0) return std::nullopt;
  const std::string id = std::to_string(thread_id);  // of this process or another one
  return read_stat(fs::path("/proc") / id / "task" / id);
}

WallDuration ticks(std::int64_t count) { return WallDuration{count * (1'000'000'000 / sysconf(_SC_CLK_TCK))}; }

}  // namespace

std::optional<ThreadState> thread_state(int thread_id) {
  const std::optional<StatLine> line = read_thread(thread_id);
  const std::string id = std::to_string(thread_id);
  std::ifstream in(fs::path("/proc") / id / "task" / id / "schedstat");
  std::int64_t on_cpu = 0, delay = 0;
  if (!line || !(in >> on_cpu >> delay)) return std::nullopt;
  return ThreadState{.runnable = line->runnable(),
                     .cpu = line->cpu(),
                     .on_cpu = WallDuration{on_cpu},
                     .run_delay = WallDuration{delay}};
}

bool can_hold_off(const Scheduling& taker, const Scheduling& held) { return rank(taker) >= rank(held); }

std::string taker_of(int cpu, int held_thread_id) {
  const std::optional<StatLine> held = read_thread(held_thread_id);
  if (!held) return {};
  std::error_code gone;  // processes end while they are looked at
  std::string found;
  std::optional<Scheduling> first;
  for (fs::directory_iterator process("/proc", gone), end; !gone && process != end; process.increment(gone)) {
    const std::string pid = process->path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code none;
    for (fs::directory_iterator task(process->path() / "task", none), last; !none && task != last;
         task.increment(none)) {
      const std::optional<StatLine> line = read_stat(task->path());
      if (!line || !line->runnable() || line->cpu() != cpu) continue;
      if (task->path().filename() == std::to_string(held_thread_id)) continue;
      const Scheduling taker = line->scheduling();
      // Others are runnable there, too: they wait as this thread does.
      if (!can_hold_off(taker, held->scheduling()) || (first && rank(taker) <= rank(*first))) continue;
      first = taker;
      found = line->name + " (process " + pid + ", " + policy_text(taker) + ")";
    }
  }
  return found;
}

CpuTimes cpu_times(int cpu) {
  std::ifstream in("/proc/stat");
  const std::string wanted = cpu < 0 ? "cpu" : "cpu" + std::to_string(cpu);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    if (name != wanted) continue;
    std::int64_t value[8] = {};  // user nice system idle iowait irq softirq steal
    for (std::int64_t& field : value) fields >> field;
    return {.idle = ticks(value[3] + value[4]), .steal = ticks(value[7])};
  }
  return {};
}

}  // namespace takt
