#pragma once
// What must hold while the plant runs (Network::ranges), judged by the subsystem that knows it and
// counted as events.
//
// What is cheap is judged at the end of every window. The rest - what would need another solve of
// the algebra, and what leaves its range slowly - is judged where the subsystem is looked at, and
// every look_every() windows.

#include <vector>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Gives every range limit to a subsystem that knows its symbols. Call when it is known what others
/// read.
void assign_ranges(const Network& network, std::vector<SubsystemView>& views);

enum class Judged : std::uint8_t { each_window, seldom, always };

/// Expressions that count_ranges() will print.
[[nodiscard]] std::vector<Expr> range_roots(const SubsystemView& view, Judged when);
/// Statements that count what has left its range.
void count_ranges(const SubsystemView& view, FunctionBody& body, Judged when);

/// Whether one may be left for an instant.
[[nodiscard]] bool any_may_pass(const SubsystemView& view);

/// Windows from one look to the next; 0: none is needed.
[[nodiscard]] int look_every(const SubsystemView& view);
/// Of these, how many count as passed at the start: subsystems shall not all look in the same
/// macro-step.
[[nodiscard]] int first_pause(const SubsystemView& view);

}  // namespace takt::codegen
