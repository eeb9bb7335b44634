#pragma once
// The ends of lines in a subsystem: memory for what leaves and arrives in a window
// (runtime/solver/travel_delay.hpp), and what is done with it around each micro-step.

#include <string>
#include <vector>

#include "codegen/emit/function_body.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// Fills `arriving` and `leaving` of the views. @pre views parallel to the plan's subsystems
void assign_waves(const Plan& plan, std::vector<SubsystemView>& views);

[[nodiscard]] inline bool has_lines(const SubsystemView& view) {
  return !view.arriving.empty() || !view.leaving.empty();
}

void write_line_members(Writer& text, const SubsystemView& view);
void write_line_declarations(Writer& text, const SubsystemView& view);
/// step_begins() and step_ended().
void emit_line_ends(const SubsystemView& view, Coefficients& coefficients,
                    SubsystemFunctions& functions);

/// The delay of an exchange; nothing where it has none.
void add_delay(Aggregate& row, const Network& network, const PlanCoupling& coupling,
               const std::vector<SubsystemView>& views);

/// Name of the member with the energy under way to an end.
[[nodiscard]] std::string under_way_member(std::size_t number);

}  // namespace takt::codegen
