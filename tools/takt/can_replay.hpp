#pragma once
// Frames of a log onto a bus, each as long after the first one as in the log.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "runtime/io/can/bus.hpp"
#include "tools/takt/can_log.hpp"

namespace takt::tools {

struct ReplaySelection {
  const codegen::Dbc* dbc = nullptr;  ///< for names in `only`
  std::vector<std::string> only;      ///< message names or ids; empty: all
  std::string channel;                ///< of a log with several; empty: there must be one
  LoggedFrame::Way way{};             ///< unknown: both
};

/// Frames of a log in their order.
struct ReplayLog {
  std::string file;
  std::vector<LoggedFrame> frames;
  std::vector<std::uint64_t> lines;  ///< of each, from 1
  std::uint64_t passed_over = 0;     ///< error frames and events
};

/// @throws UsageError  no log, empty, nothing selected, several channels, lines that are not understood or whose time
///                     goes back: by their line
[[nodiscard]] ReplayLog read_replay(const std::string& file, const ReplaySelection& selection);

struct ReplayPace {
  double speed = 1.0;       ///< 2: twice as fast as in the log
  std::uint64_t loops = 1;  ///< 0: until asked to stop
  bool (*goes_on)() = nullptr;
};

/// What became of it; errors are lateness of frames: until the bus has taken them, against their time.
struct ReplayResult {
  std::uint64_t frames = 0, loops = 0;
  double p50_us = 0.0, p99_us = 0.0, max_us = 0.0;
};

/// @throws UsageError  the bus does not carry a frame of the log (CAN FD, remote requests); nothing has been sent then
/// @throws can::BusError  the bus is lost, or takes no frame for a second
[[nodiscard]] ReplayResult replay(const ReplayLog& log, can::Bus& bus, const ReplayPace& pace);

}  // namespace takt::tools
