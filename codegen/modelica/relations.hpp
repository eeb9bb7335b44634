#pragma once
// Relations on variables: those at which an equation is continuous are taken as they are, the
// others need an event.

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Reports D022 for every relation at which an equation jumps: looks at both sides of it, at points
/// drawn at random.
void judge_relations(ScalarModel& model, const ReducedModel& reduced, Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
