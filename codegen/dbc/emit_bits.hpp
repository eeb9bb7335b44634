#pragma once
// The places of a message's signals as a table.

#include <string>

#include "codegen/dbc/dbc.hpp"

namespace takt::codegen {

/// `NAME`, an array of can::SignalBits, with what it needs before it. Signals that cannot be used are left out.
[[nodiscard]] std::string emit_bits(const DbcMessage& message, const std::string& name);

}  // namespace takt::codegen
