#pragma once
// Protections as constants of the emitted sources.

#include <string>

#include "codegen/rig/rig.hpp"

namespace takt::codegen {

/// `protection_BUS_K` for each protected message of a bus.
[[nodiscard]] std::string protection_constants(const BusMap& bus);
/// The info of a message with its protection, where it has one.
[[nodiscard]] std::string protected_info(const BusMap& bus, std::size_t message, const std::string& info);
/// ", .protection = &protection_BUS_K"; nothing for a message without.
[[nodiscard]] std::string protection_field(const BusMap& bus, std::size_t message);

}  // namespace takt::codegen
