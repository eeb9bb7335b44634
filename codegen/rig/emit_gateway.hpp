#pragma once
// Inside of emit_rig.

#include <string>

#include "codegen/rig/rig.hpp"

namespace takt::codegen {

/// Tables of the gateways that take frames from this bus; nothing where there are none.
[[nodiscard]] std::string routes_table(const Rig& rig, const BusMap& bus);
/// Their place in BusPlan, ", .routes = ...".
[[nodiscard]] std::string routes_field(const Rig& rig, const BusMap& bus);

}  // namespace takt::codegen
