#pragma once
// Index tables of networks in emitted code.

#include <string>
#include <vector>

#include "codegen/dae/algebra/network_order.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// constexpr std::uint32_t NAME[] = {...}; a null pointer where there is nothing.
void write_table(Writer& text, const std::string& name, const std::vector<std::uint32_t>& numbers);
/// The same of std::uint8_t.
void write_table(Writer& text, const std::string& name, const std::vector<std::uint8_t>& numbers);

/// constexpr takt::ConductancePattern NAME and its tables.
void write_network_tables(const NetworkTables& tables, const std::string& name, Writer& text);

}  // namespace takt::codegen
