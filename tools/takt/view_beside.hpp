#pragma once
// `takt run --view`: takt view as a process beside a run.

#include <string>

namespace takt::tools {

/// Starts takt view for the time that this process lives, whatever it becomes, and a minute more. On port 8800, else on
/// a free one.
/// @return the address of the page; empty: it could not be started
[[nodiscard]] std::string start_view_beside();

}  // namespace takt::tools
