#pragma once
// Inside of load_rig: [bus.NAME.protect], the end-to-end protection of messages.

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {

/// Fills bus.protection.  @pre the database has been read
void read_protection(BusMap& bus, const TomlValue& table, Diagnostics& diagnostics);
/// Against what the bus carries.  @pre its messages are bound
void check_protection(const BusMap& bus, Diagnostics& diagnostics);

/// nullptr: the message has none.
[[nodiscard]] const ProtectionMap* protection_of(const BusMap& bus, std::size_t message);
/// Whether protection writes all bits of a signal.
[[nodiscard]] bool is_written_by_protection(const BusMap& bus, std::size_t message,
                                            std::size_t signal);

}  // namespace takt::codegen
