#pragma once
// Tables of the plant file: inline points and CSV columns. Internal to codegen/model.

#include <optional>
#include <string>

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// What a table is expected to be.
struct TableForm {
  std::string name;                    ///< for comments and messages
  std::optional<Unit> x_unit, y_unit;  ///< any dimension where empty
  std::string x_text, y_text;          ///< units for messages
  bool bare_in_unit = false;           ///< numbers without unit are in the expected unit (defaults of the library)
};

/// Reads [[x, y], ...], { points }, { x, y } or { csv, x, y }, all with x_unit and y_unit.
/// M026 file, M027 not increasing, M028 not a number, M029 column, U004 and U005 units.
[[nodiscard]] std::optional<TableId> read_table(Workspace& work, const TomlValue& value, const TableForm& form);

}  // namespace takt::codegen
