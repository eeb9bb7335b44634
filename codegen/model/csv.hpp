#pragma once
// Comma or semicolon separated tables with a header line.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct CsvCell {
  std::string text;  ///< trimmed, without quotes
  Location where;
};

struct CsvTable {
  std::vector<std::string> head;           ///< "speed [km/h]"
  std::vector<std::vector<CsvCell>> rows;  ///< without empty lines and lines that begin with '#'
};

[[nodiscard]] CsvTable parse_csv(std::string_view text, const std::string& file);

/// Column by its whole head or by its head without the unit.
[[nodiscard]] std::optional<std::size_t> find_column(const CsvTable& table, std::string_view name);

/// "km/h" of "speed [km/h]"; empty where there is none.
[[nodiscard]] std::string unit_of_head(std::string_view head);

}  // namespace takt::codegen
