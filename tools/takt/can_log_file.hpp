#pragma once
// CAN logs as files, from their first line to their last.

#include <cstdint>
#include <functional>
#include <string>

#include "tools/takt/can_log.hpp"

namespace takt::tools {

struct LogCounts {
  std::uint64_t frames = 0, events = 0, not_understood = 0;
  std::uint64_t first_not_understood = 0;  ///< its line, from 1; 0: there is none
};

/// Every frame of a log, with its line (from 1).
/// @throws UsageError  it is no log of a format that is known here, with the name of the format where that is known
LogCounts read_log(const std::string& file, const std::function<void(const LoggedFrame&, std::uint64_t line)>& take);

/// ", 3 error frames and other events, 0 lines not understood\n"
[[nodiscard]] std::string rest_text(const LogCounts& counts);

}  // namespace takt::tools
