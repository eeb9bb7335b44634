#pragma once
// The files that keep the frames of one bus. Used by one ordinary thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/io/can/mdf_frames.hpp"
#include "runtime/io/can/trace_ring.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/trace_formats.hpp"

namespace takt::can {

/// Wall time in UTC: one offset for a whole run, so that a clock that is set meanwhile does not tear its stamps apart.
class UtcOfRun {
 public:
  /// @param begin  time 0 of stamps
  explicit UtcOfRun(WallTime begin);
  /// Whole microseconds, as both formats keep them.
  [[nodiscard]] std::int64_t us(WallTime time) const noexcept { return (time.ns() + ahead_ns_) / 1000; }
  [[nodiscard]] std::int64_t begin_us() const noexcept { return us(begin_); }

 private:
  WallTime begin_;
  std::int64_t ahead_ns_;  // UTC - CLOCK_MONOTONIC
};

/// bus_NAME.log is a log of candump -L, with " R" or " T" behind each frame: received, sent by the plant. bus_NAME.mf4
/// is MdfFrames. Errors are kept, not thrown, until the end: the run goes on.
class TraceFiles {
 public:
  struct Settings {
    std::string bus, channel;  ///< names of the bus in the rig and to the world
    std::uint8_t number = 1;   ///< from 1
    bool fd = false;           ///< it carries CAN FD
    TraceFormats formats = 0;
    TraceRing* ring = nullptr;  ///< outlives this
  };
  struct Account {
    std::string file;
    std::uint64_t frames = 0, lost = 0;  ///< in the file; not in it, for lack of room
  };

  /// @throw std::runtime_error  with path and cause
  TraceFiles(const std::filesystem::path& directory, const Settings& settings, const UtcOfRun& utc);

  /// Frames of the ring in the order of their stamps; those that an earlier one may still follow wait.
  /// @param all  nothing follows any more
  void take(bool all);
  /// Hands everything to the system, so that it survives the end of this process.
  void flush();
  /// After the last flush().
  void close();
  /// With path and cause; empty: none.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] std::vector<Account> accounts() const;

 private:
  void write(TracedFrame& traced);
  [[nodiscard]] bool has(TraceFormats format) const { return (settings_.formats & format) != 0; }

  const Settings settings_;
  const UtcOfRun utc_;
  TextFile candump_;
  MdfFrames mdf_;
  std::vector<TracedFrame> waiting_;  // in the order of their stamps, those pushed earlier first
  std::string line_;
  std::int64_t last_us_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace takt::can
