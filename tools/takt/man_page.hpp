#pragma once
// Manual pages for `man`, of what command lines are made of.

#include <string>

#include "runtime/command_line/command_line.hpp"

namespace takt::tools {

/// Of takt itself.
[[nodiscard]] std::string man_page(const command_line::Described& takt);
/// Of one of its commands: takt-NAME(1).
[[nodiscard]] std::string man_page_of(const command_line::Described& command);

}  // namespace takt::tools
