#pragma once
// What takes the time of a plant on a board, and what would change it.

#include <nlohmann/json_fwd.hpp>

#include "tools/fit/measured.hpp"

namespace takt::tools {

/// Rows of what takes the time in real time, as parts of the macro-step, the largest first: subsystems, the executive,
/// what waits for the wake-up, what the rig adds.
[[nodiscard]] nlohmann::ordered_json time_json(const Measured& measured);
/// What the audit of the machine found that is not good, with its cost and remedy.
[[nodiscard]] nlohmann::ordered_json machine_json(const Measured& measured);
/// Sentences: what to change in the plan, or of the machine.
[[nodiscard]] nlohmann::ordered_json advice(const Measured& measured, const nlohmann::ordered_json& report);

}  // namespace takt::tools
