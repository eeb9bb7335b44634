#pragma once
// All commands of takt.

#include <span>
#include <string_view>

#include "tools/takt/command.hpp"

namespace takt::tools {

struct CommandEntry {
  std::string_view name;
  std::string_view summary;
  Command run;
};

/// In the order in which the help lists them.
[[nodiscard]] std::span<const CommandEntry> all_commands();

}  // namespace takt::tools
