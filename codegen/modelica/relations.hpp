#pragma once
// Relations on variables: those at which an equation is continuous are taken as they are, the
// others need an event.

#include <set>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Looks at both sides of every relation, at points drawn at random.
/// @return relations at which an equation jumps; D022 where no event can stand for them
[[nodiscard]] std::set<Expr> judge_relations(ScalarModel& model, const ReducedModel& reduced,
                                             Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
