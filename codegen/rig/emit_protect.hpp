#pragma once
// Protections as constants of the emitted sources.

#include <string>

#include "codegen/rig/rig.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// `protection_BUS_K` for each protected message of a bus.
void write_protections(Writer& text, const BusMap& bus);
/// The info of a message with its protection, where it has one.
[[nodiscard]] std::string protected_info(const BusMap& bus, std::size_t message,
                                         const std::string& info);
/// The protection of a message, where it has one, into its info.
void add_protection(Aggregate& info, const BusMap& bus, std::size_t message);

}  // namespace takt::codegen
