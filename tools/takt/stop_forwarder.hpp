#pragma once
// Stop signals of a command that runs plants: they end the plants in order, and the command goes on to tell what became
// of them.

#include <atomic>
#include <cstddef>
#include <vector>

namespace takt::tools {

/// While it lives, Ctrl-C (SIGINT), SIGTERM and a closed terminal (SIGHUP) reach the programs it is told of in place of
/// this one. A second of them ends this program at once. One at a time.
class StopForwarder {
 public:
  /// @param programs  that run at once at most
  explicit StopForwarder(std::size_t programs);
  ~StopForwarder();
  StopForwarder(const StopForwarder&) = delete;
  StopForwarder& operator=(const StopForwarder&) = delete;

  /// Where the id of a program stands while it runs, else 0: for run_process().
  [[nodiscard]] std::atomic<int>& program(std::size_t number) { return programs_[number]; }
  [[nodiscard]] bool stopped() const noexcept;

 private:
  std::vector<std::atomic<int>> programs_;
};

}  // namespace takt::tools
