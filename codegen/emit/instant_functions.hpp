#pragma once
// Instants at which functions of the time jump or bend: where smooth circuits cut their
// micro-steps, and switched ones look at their gates (runtime/solver/time_instants.hpp).

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// Whether time is read between the ends of what is computed.
[[nodiscard]] bool reads_inside(const SubsystemView& view);

/// What a function that the method calls in its steps begins with.
[[nodiscard]] code::Block in_stage(const SubsystemView& view, code::Values& values);

[[nodiscard]] bool knows_instants(const SubsystemView& view);
/// Its functions that know the next instant at which a micro-step is cut; the entry point that
/// calls them.
[[nodiscard]] std::vector<std::string> cut_functions(const SubsystemView& view);
void write_next_instant(Writer& text, const SubsystemView& view);
void write_instant_members(Writer& text, const SubsystemView& view);
void emit_next_instant(const SubsystemView& view, Coefficients& coefficients,
                       SubsystemFunctions& functions);

/// What `first_after` computes with.
[[nodiscard]] std::vector<Expr> roots_of(const TimeInstants& instants);
/// Body of a function of `t` that returns the first of them after it.   @pre !instants.empty(), its
/// roots are counted
void first_after(const Graph& graph, const TimeInstants& instants, Statements& statements);

}  // namespace takt::codegen
