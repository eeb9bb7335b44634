#pragma once
// One line on stderr about where the run is, on a thread of its own.

#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/executive/executive.hpp"

namespace takt {

/// On a terminal the line is rewritten four times a second, elsewhere a new line comes every ten seconds.
class Progress {
 public:
  /// @param total_ns  simulated time asked for; 0: open
  Progress(const RunStatus& status, std::int64_t macro_step_ns, std::int64_t total_ns, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void work();
  bool print();
  const RunStatus& status_;
  std::int64_t macro_step_ns_, total_ns_;
  bool terminal_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace takt
