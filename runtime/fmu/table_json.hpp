#pragma once
// A table as it goes to the process that computes the FMU. Paths are that process's own.

#include <nlohmann/json_fwd.hpp>

#include "runtime/fmu/table.hpp"

namespace takt::fmu {

[[nodiscard]] nlohmann::json table_json(const Table& table);
/// @throw std::exception  with what is missing
[[nodiscard]] Table table_of(const nlohmann::json& text);
[[nodiscard]] nlohmann::json row_json(const Row& row);
[[nodiscard]] Row row_of(const nlohmann::json& text);

}  // namespace takt::fmu
