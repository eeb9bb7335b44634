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
  [[nodiscard]] int real_time_priority() const { return field(40); }
  [[nodiscard]] int policy() const { return field(41); }
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

std::string policy_text(const StatLine& line) {
  if (line.policy() == SCHED_FIFO) return "SCHED_FIFO " + std::to_string(line.real_time_priority());
  if (line.policy() == SCHED_RR) return "SCHED_RR " + std::to_string(line.real_time_priority());
  return line.policy() == 6 ? "SCHED_DEADLINE" : "SCHED_OTHER";
}

WallDuration ticks(std::int64_t count) { return WallDuration{count * (1'000'000'000 / sysconf(_SC_CLK_TCK))}; }

}  // namespace

std::optional<ThreadState> thread_state(int thread_id) {
  if (thread_id < 0) return std::nullopt;
  const std::string id = std::to_string(thread_id);  // of this process or another one
  const fs::path task = fs::path("/proc") / id / "task" / id;
  std::ifstream in(task / "schedstat");
  std::int64_t on_cpu = 0, delay = 0;
  const std::optional<StatLine> line = read_stat(task);
  if (!line || !(in >> on_cpu >> delay)) return std::nullopt;
  return ThreadState{.runnable = line->runnable(),
                     .cpu = line->cpu(),
                     .on_cpu = WallDuration{on_cpu},
                     .run_delay = WallDuration{delay}};
}

std::string taker_of(int cpu, int except_thread_id) {
  std::error_code gone;  // processes end while they are looked at
  std::string found;
  int highest = -1;
  for (fs::directory_iterator process("/proc", gone), end; !gone && process != end; process.increment(gone)) {
    const std::string pid = process->path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code none;
    for (fs::directory_iterator task(process->path() / "task", none), last; !none && task != last;
         task.increment(none)) {
      const std::optional<StatLine> line = read_stat(task->path());
      if (!line || !line->runnable() || line->cpu() != cpu) continue;
      if (task->path().filename() == std::to_string(except_thread_id)) continue;
      if (line->real_time_priority() <= highest) continue;
      highest = line->real_time_priority();
      found = line->name + " (process " + pid + ", " + policy_text(*line) + ")";
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
