#pragma once
// One line on stderr about where the run is, on a thread of its own.

#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/executive/executive.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// On a terminal the line is rewritten four times a second, elsewhere a new line comes every ten seconds.
class Progress {
 public:
  /// @param total  simulated time asked for; 0: open
  Progress(const RunStatus& status, SimDuration macro_step, SimDuration total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void work();
  bool print();
  const RunStatus& status_;
  SimDuration macro_step_, total_;
  bool terminal_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace takt
