#pragma once
// Inside of load_rig: [gateway].

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {

/// Fills rig.routes.  @pre the buses of the rig have been read
void read_gateways(Rig& rig, const TomlValue& value, Diagnostics& diagnostics);

/// Ids that the rig itself, or two gateways, send on one bus; frames that would go round for ever.
/// @pre every route has two buses
void check_gateways(const Rig& rig, Diagnostics& diagnostics);

/// Ids that both have; nothing where they have none in common.
[[nodiscard]] std::optional<IdRange> common(const IdRange& a, const IdRange& b);

/// "0x123", "0x100..0x1FF"; of 29 bits with eight digits.
[[nodiscard]] std::string range_text(const IdRange& range);

}  // namespace takt::codegen
