#pragma once
// The frames of all buses of a run in files of its directory, written by one ordinary thread. I/O threads only push
// into the rings (TraceRing); a disk that is slow costs frames, which are counted, and nothing else.

#include <atomic>
#include <filesystem>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "runtime/io/can/trace_files.hpp"

namespace takt::can {

/// Phases: constructor (opens the files), start(), finish() once nobody pushes any more, then problems() and
/// accounts().
class BusTrace {
 public:
  /// @param begin  time 0 of the stamps: no frame is older  @throw std::runtime_error  with path and cause
  BusTrace(const std::filesystem::path& directory, const std::vector<TraceFiles::Settings>& buses, WallTime begin);
  ~BusTrace();
  BusTrace(const BusTrace&) = delete;
  BusTrace& operator=(const BusTrace&) = delete;

  void start();
  void finish();
  /// What could not be written and why, a sentence for each bus that has lost something.
  [[nodiscard]] std::vector<std::string> problems() const;
  /// @param bus  in the order of the constructor's
  [[nodiscard]] std::vector<TraceFiles::Account> accounts(std::size_t bus) const;

 private:
  struct Bus {
    Bus(const std::filesystem::path& directory, const TraceFiles::Settings& settings, const UtcOfRun& utc)
        : files(directory, settings, utc) {}
    TraceFiles files;
    bool told = false;  // that it does not get any further
  };
  void work();

  std::list<Bus> buses_;
  std::thread thread_;
  std::atomic<bool> stop_{false};
};

}  // namespace takt::can
