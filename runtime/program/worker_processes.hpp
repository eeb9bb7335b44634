#pragma once
// Workers in processes of their own, forked from the plant's.

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory_resource>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/executive/realtime_thread.hpp"

namespace takt {

/// Each runs one task, as a real-time thread, and ends. A process ends with the one that has forked it, whatever that
/// dies of; signals of the terminal are left to that one.
/// Phases: construct (forks; call it while the process has one thread), begin() (the tasks run), finish().
class WorkerProcesses {
 public:
  /// @param shared  memory that both sides see
  /// @throw std::runtime_error  a process cannot be made
  WorkerProcesses(const RealtimeSettings& settings, std::span<const RealtimeTask> tasks,
                  std::pmr::memory_resource& shared);
  /// Those that have not begun end; others are waited for.
  ~WorkerProcesses();
  WorkerProcesses(const WorkerProcesses&) = delete;
  WorkerProcesses& operator=(const WorkerProcesses&) = delete;

  /// Returns when all threads are there, and calls `started` of each task, in this process.
  /// @param lost  called on another thread for a process that ends otherwise than it should: which task, why (a text
  /// that lives as long as this)
  void begin(const std::function<void(std::size_t, const char*)>& lost);
  /// Waits for all.  @return by task
  [[nodiscard]] std::vector<RealtimeOutcome> finish();

 private:
  struct Report;
  struct Process {
    pid_t id = -1;
    int gate = -1;  // written to: go; closed: end
    Report* report = nullptr;
    std::string death;
    std::thread watch;
  };
  void work(const RealtimeSettings& settings, const RealtimeTask& task, Report& report, int gate);
  void end() noexcept;

  std::atomic<bool> abandoned_{false};  // nobody wants to know who is lost
  std::span<const RealtimeTask> tasks_;
  std::vector<Process> processes_;
};

}  // namespace takt
