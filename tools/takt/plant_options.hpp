#pragma once
// Options that commands hand on to a plant's executable.

#include <string>
#include <vector>

#include "runtime/command_line/command_line.hpp"

namespace takt::tools {

/// Those of every executable, also those that its help does not show.
[[nodiscard]] std::vector<command_line::DescribedOption> options_of_plants();

/// Before anything is built.  @throws UsageError  where one is of nobody
void refuse_unknown_options(const std::vector<std::string>& handed_on);

/// With --quiet among them takt shows nothing of waits either.
void heed_quiet(const std::vector<std::string>& handed_on);

}  // namespace takt::tools
