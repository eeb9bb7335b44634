#pragma once
// Gateways as tables. Inside of emit_rig.

#include "codegen/rig/rig.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// Tables of the gateways that take frames from this bus; nothing where there
/// are none.
void write_routes(Writer& text, const Rig& rig, const BusMap& bus);
/// Their place in BusPlan.
void add_routes(Aggregate& plan, const Rig& rig, const BusMap& bus);

}  // namespace takt::codegen
