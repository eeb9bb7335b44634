#pragma once
// Tables of the plant file: inline points and CSV columns. Internal to codegen/model.

#include <optional>
#include <string>

#include "codegen/model/table_columns.hpp"
#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// What a table is expected to be.
struct TableForm {
  std::string name;                    ///< for comments and messages
  std::optional<Unit> x_unit, y_unit;  ///< any dimension where empty
  std::string x_text, y_text;          ///< units for messages
  bool bare_in_unit =
      false;  ///< numbers without unit are in the expected unit (defaults of the library)
  bool two_dimensional = false;
  std::optional<Unit> z_unit{};  ///< of a two-dimensional one, whose values are z
  std::string z_text{};
};

/// Reads [[x, y], ...], { points }, { x, y } or { csv, x, y }, all with x_unit and y_unit.
/// Two-dimensional: { x, y, z } with a row of z per x, or { csv } with y in the first line and x in
/// the first column. M026 file, M027 not increasing or of wrong shape, M028 not a number, M029
/// column, U004 and U005 units.
[[nodiscard]] std::optional<TableId> read_table(Workspace& work, const TomlValue& value,
                                                const TableForm& form);

/// The CSV file that a table names, noted among the files of the plant. M026 where it cannot be
/// read.
[[nodiscard]] std::optional<CsvTable> read_csv_file(Workspace& work, const TomlValue& csv,
                                                    Diagnostics& findings);

/// The two-dimensional forms of read_table; nothing after a report.
[[nodiscard]] std::optional<Table> read_grid(Workspace& work, const TomlValue& value,
                                             const TableForm& form, Diagnostics& findings);

}  // namespace takt::codegen
