#pragma once
// Messages of a database as frames: from words of a command line, or from JSON lines.

#include <string>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "tools/takt/can_log.hpp"

namespace takt::tools {

/// "Message Signal=value ..."; a value is a number in the unit of the signal, or a name of VAL_. Whole numbers are
/// exact.
/// @throws UsageError
[[nodiscard]] can::Frame message_frame(const codegen::Dbc& dbc, const std::vector<std::string>& what);

/// A line that `takt can decode --json` writes: "message" and "signals" count, "frame" where there are none.
/// @throws UsageError
[[nodiscard]] LoggedFrame json_frame(const codegen::Dbc& dbc, const std::string& line);

}  // namespace takt::tools
