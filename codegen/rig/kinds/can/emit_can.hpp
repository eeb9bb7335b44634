#pragma once
// CAN buses of a rig as C++. The row of the kind is in can_kind.cpp.

#include <string>

#include "codegen/rig/rig.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// A header of codecs for each bus.
[[nodiscard]] Sources can_codecs(const Rig& rig);
void write_can_includes(Writer& text, const Rig& rig);
void write_can_tables(Writer& text, const Rig& rig);
[[nodiscard]] std::string can_port(const Rig& rig, const std::string& options);

}  // namespace takt::codegen
