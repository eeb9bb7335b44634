#pragma once
// What the generator says of an FMU (codegen/emit/foreign_table.cpp), read.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "runtime/fmu/row_set.hpp"

namespace takt::fmu_host {

/// Variables that the plant feeds or reads: whole ones, of whose elements ports are some.
struct Ports {
  fmu::RowSet rows;
  std::vector<double> start, values;
  std::vector<std::size_t> slots;  ///< by port: index into values
};

[[nodiscard]] Ports ports_of(fmu::Version version, const nlohmann::json& text);
/// Of what is unpacked in a folder.  @throw std::exception  there is no library
void set_paths(fmu::Table& table, const std::filesystem::path& folder);
/// @param folder  where the FMU is unpacked  @throw std::exception  with what is wrong
[[nodiscard]] fmu::Table table_of(const nlohmann::json& text, const std::filesystem::path& folder);

}  // namespace takt::fmu_host
