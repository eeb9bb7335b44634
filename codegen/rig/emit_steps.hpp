#pragma once
// Inside of emit_rig.

#include <string>

#include "codegen/rig/rig.hpp"

namespace takt::codegen {

/// Tables `start_steps` and `stop_steps`; nothing where the rig has neither.
[[nodiscard]] std::string emit_steps(const Rig& rig);

}  // namespace takt::codegen
