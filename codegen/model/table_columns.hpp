#pragma once
// Columns of tables while they are read: units, numbers, cells. Internal to codegen/model.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/library/toml_tree.hpp"
#include "codegen/model/csv.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

/// One column: its unit, and its values in SI.
struct Column {
  std::string_view letter;
  std::optional<Unit> expected;  ///< any dimension where empty
  std::string expected_text;
  bool increasing = false;     ///< an axis
  std::optional<Unit> unit{};  ///< of bare numbers
  std::vector<double> values{};
};

class ColumnReader {
 public:
  /// @param table         its name, for messages
  /// @param bare_in_unit  numbers without unit are in the expected unit (defaults of the library)
  ColumnReader(const std::string& table, bool bare_in_unit, Diagnostics& findings)
      : table_(table), bare_in_unit_(bare_in_unit), findings_(findings) {}

  /// Reads "x_unit" and the like of the table's value. False after U001 or U004.
  [[nodiscard]] bool read_unit_key(const TomlValue& table, Column& column);
  /// Of "speed [km/h]", where the column has no unit yet.
  [[nodiscard]] bool read_head(std::string_view head, const std::filesystem::path& file,
                               Column& column);
  /// A number or a quantity. False after M027, M028, U004 or U005.
  [[nodiscard]] bool add_value(const TomlValue& value, Column& column);
  [[nodiscard]] bool add_cell(const CsvCell& cell, Column& column);

 private:
  [[nodiscard]] bool read_unit(const std::string& text, const Location& where, Column& column);
  [[nodiscard]] bool check_unit(const Unit& unit, const Location& where, const Column& column);
  [[nodiscard]] bool check_kind(std::string_view unit, const Location& where, const Column& column);
  [[nodiscard]] bool add_bare(double value, const Location& where, Column& column);
  [[nodiscard]] bool add(double value, const Location& where, Column& column);

  const std::string& table_;
  bool bare_in_unit_;
  Diagnostics& findings_;
};

}  // namespace takt::codegen
