#pragma once
// What the command lines of all commands are made of: for completion and manual pages.

#include "runtime/command_line/command_line.hpp"

namespace takt::tools {

/// `takt` with its commands. Those that hand options on to a plant's executable have its options, too.
[[nodiscard]] command_line::Described described_commands();

}  // namespace takt::tools
