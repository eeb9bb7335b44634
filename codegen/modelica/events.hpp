#pragma once
// What events of a model mean to a plant, whose conditions and values all read what was just
// before: truth values with memory, what follows within an event, what happens at the start, and
// relations at which an equation jumps.

#include <set>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// A truth value, a whole number, or what events set.
[[nodiscard]] bool changes_at_events(const ScalarModel& model, SymbolId symbol);

/// Reports D021 of initial() in equations of truth values and in what events set.
void refuse_initial_words(const ScalarModel& model, Diagnostics& diagnostics);

/// initial() in an equation is true where the start is solved for, and false once the plant runs.
void split_start(ScalarModel& model, ReducedModel& reduced);

/// Equations at the ticks of clocks become events at samples. Reports D021 of clocks that are not
/// known, or that are no multiples of an interval.
void settle_clocks(ScalarModel& model, Diagnostics& diagnostics);

/// Truth values and whole numbers with memory, whose equations read pre of each other, are no
/// equations of the plant: each truth value is held, and changes where its equation does; of a
/// whole number one truth value for each of its values. Of all else that is held, pre in an
/// equation is what it is between events. Reports D021 of what has no such meaning.
void hold_truths(ScalarModel& model, Diagnostics& diagnostics);

/// Conditions and values of the reduced model, each of what was just before. What happens at the
/// initial instant is among the initial equations then.
/// Reports D020 where a plant would do something else than the model.
void settle_events(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics);

/// What parameters alone decide is decided now, and they are fixed with it; truth values that no
/// event can change any more are numbers.
void decide_truths(ScalarModel& model, ReducedModel& reduced);

/// Equations jump where these relations change: each becomes a truth value that is held.
void hold_relations(ScalarModel& model, ReducedModel& reduced, const std::set<Expr>& relations);

}  // namespace takt::codegen::modelica
