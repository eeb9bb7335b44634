#pragma once
// What a subsystem with events has beside its rates: indicators, what events set, and what is
// counted of them (runtime/solver/state_events.hpp).

#include "codegen/emit/functions.hpp"
#include "codegen/emit/struct_members.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

[[nodiscard]] inline bool has_events(const SubsystemView& view) {
  return !view.surrogate.events.empty();
}

/// Sizes, and which state each of them sets.
void write_event_sizes(Writer& text, const SubsystemView& view);
void write_event_members(const MemberWriter& to);
void write_event_declarations(Writer& text, const SubsystemView& view);
void emit_events(const SubsystemView& view, Coefficients& coefficients,
                 SubsystemFunctions& functions);

}  // namespace takt::codegen
