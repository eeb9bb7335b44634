#pragma once
// What events of a model mean to a plant, whose conditions and values all read what was just
// before: truth values with memory, what follows within an event, what happens at the start, and
// relations at which an equation jumps.

#include <set>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// b = f(pre(b), ...) is no equation of the plant: b is held, and changes where f does. Of all else
/// that is held, pre in an equation is what it is between events. Reports D021 where it is not.
void hold_truths(ScalarModel& model, Diagnostics& diagnostics);

/// Conditions and values of the reduced model, each of what was just before. What happens at the
/// initial instant is among the initial equations then.
/// Reports D020 where a plant would do something else than the model.
void settle_events(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics);

/// Equations jump where these relations change: each becomes a truth value that is held.
void hold_relations(ScalarModel& model, ReducedModel& reduced, const std::set<Expr>& relations);

}  // namespace takt::codegen::modelica
