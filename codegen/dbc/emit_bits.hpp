#pragma once
// The places of a message's signals as a table.

#include <string>

#include "codegen/dbc/dbc.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// `NAME`, an array of can::SignalBits, with what it needs before it. Signals that cannot be used
/// are left out.
void write_bits(Writer& text, const DbcMessage& message, const std::string& name);

}  // namespace takt::codegen
