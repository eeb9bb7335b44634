#pragma once
// Which run-time events void the results of a run.

#include <string>
#include <string_view>

namespace takt::codegen {

/// Fields of takt::EventDescription that follow from the code: empty for what is counted only.
[[nodiscard]] std::string event_weight(std::string_view code);

}  // namespace takt::codegen
