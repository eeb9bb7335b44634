#pragma once
// Tables with a header line, each cell with its place.

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
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

struct CsvError {
  Location where;
  std::string cause;
};

[[nodiscard]] tl::expected<CsvTable, CsvError> parse_csv(std::string_view text,
                                                         const std::string& file);

/// Column by its whole head or by its head without the unit.
[[nodiscard]] std::optional<std::size_t> find_column(const CsvTable& table, std::string_view name);

}  // namespace takt::codegen
