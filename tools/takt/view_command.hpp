#pragma once
// The command `takt view`, in a header of its own: a change of command.hpp compiles every command again.

namespace takt::tools {

int view_command(int argc, char** argv);  ///< runs in a browser

}  // namespace takt::tools
