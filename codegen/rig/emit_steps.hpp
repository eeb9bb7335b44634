#pragma once
// [[start]] and [[stop]] as tables. Inside of emit_rig.

#include "codegen/rig/rig.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// What is compared with what, and how: of a step, or of a rest bus that waits.
void add_comparison(Aggregate& plan, const StepMap& step);

[[nodiscard]] inline bool has_steps(const Rig& rig) {
  return !rig.start.empty() || !rig.stop.empty();
}
/// Tables `start_steps` and `stop_steps`; nothing where the rig has neither.
void write_steps(Writer& text, const Rig& rig);

}  // namespace takt::codegen
