#pragma once
// Inside of emit_rig.

#include <string>

#include "codegen/rig/rig.hpp"

namespace takt::codegen {

/// `less` of "<"; `equal` where there is none.
[[nodiscard]] std::string comparison_word(const std::string& comparison);

/// Tables `start_steps` and `stop_steps`; nothing where the rig has neither.
[[nodiscard]] std::string emit_steps(const Rig& rig);

}  // namespace takt::codegen
