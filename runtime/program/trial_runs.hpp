#pragma once
// Trials of plans on behalf of the generator: a file with plans in, their errors out, both as JSON.
//   in   {"duration_s": 1.0, "seconds": 5.0, "plans": [{"step_ns": [...], "period_ns": [...], "nudge": 1e-9}, ...]}
//   out  {"subsystems": [...], "covered_s": 1.0, "samples": 1000, "signals": [{"path", "unit", "subsystem", "scale"}],
//         "plans": [{"compute_s", "verdict", "to_first": [...], "to_last": [...]}]}; null stands for what left every
//         bound

#include <filesystem>
#include <span>
#include <string>

#include "runtime/plant/description.hpp"
#include "runtime/plant/input_script.hpp"

namespace takt {

/// @param plant   its memory holds the start
/// @param inputs  what plant inputs do, by macro-steps of the plant
/// @throw std::runtime_error  the file, or what in it does not fit the plant
/// Not real-time: allocates.
[[nodiscard]] std::string trial_runs(const PlantDescription& plant, const std::filesystem::path& file,
                                     std::span<const ScriptedInput> inputs, bool (*goes_on)());

}  // namespace takt
