#include "codegen/model/table_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/units/kinds.hpp"

namespace takt::codegen {
namespace {

constexpr double exactly_one = 1.0;

}  // namespace

bool ColumnReader::read_unit_key(const TomlValue& table, Column& column) {
  const std::string key = std::string(column.letter) + "_unit";
  const TomlValue* unit = table.get(key);
  return unit == nullptr ||
         read_unit(read_string(*unit, "'" + key + "'", findings_), unit->where, column);
}

bool ColumnReader::read_head(std::string_view head, const std::filesystem::path& file,
                             Column& column) {
  const std::string text = split_head(head).unit;
  if (text.empty() || column.unit) return true;
  return read_unit(text, {file.string(), 1, 1}, column);
}

bool ColumnReader::read_unit(const std::string& text, const Location& where, Column& column) {
  column.unit = parse_unit(text);
  if (column.unit)
    return check_unit(*column.unit, where, column) && check_kind(text, where, column);
  const std::string near = nearest_unit(text);
  findings_.error("U001", where, "unknown unit '" + text + "'",
                  near.empty() ? std::string() : "did you mean '" + near + "'?");
  return false;
}

bool ColumnReader::check_unit(const Unit& unit, const Location& where, const Column& column) {
  if (!column.expected || unit.dimension == column.expected->dimension) return true;
  findings_.error("U004", where,
                  std::string(column.letter) + " of table '" + table_ + "' is in " +
                      column.expected_text + ", not in " + dimension_text(unit.dimension));
  return false;
}

bool ColumnReader::check_kind(std::string_view unit, const Location& where, const Column& column) {
  const auto conflict = wrong_kind(kind_of_unit(unit), kind_of_unit(column.expected_text));
  if (!conflict) return true;
  findings_.error("U007", where,
                  std::string(column.letter) + " of table '" + table_ + "' is in " +
                      std::string(column.expected_text) + ": " + conflict->cause,
                  conflict->remedy);
  return false;
}

/// Scales a number without unit.
bool ColumnReader::add_bare(double value, const Location& where, Column& column) {
  const Unit* unit = column.unit ? &*column.unit : nullptr;
  if (unit == nullptr && column.expected && bare_in_unit_) unit = &*column.expected;
  if (unit == nullptr && column.expected && column.expected->dimension != Dimension{}) {
    findings_.error("U005", where,
                    std::string(column.letter) + " of table '" + table_ + "' needs its unit, " +
                        column.expected_text,
                    "give " + std::string(column.letter) +
                        "_unit, or write the unit into the head of the column: \"name [" +
                        column.expected_text + "]\"");
    return false;
  }
  return add(unit == nullptr ? value : (value + unit->offset) * unit->factor, where, column);
}

bool ColumnReader::add(double value, const Location& where, Column& column) {
  if (!std::isfinite(value)) {
    findings_.error("M028", where, "a value of table '" + table_ + "' is not a finite number");
    return false;
  }
  if (column.increasing && !column.values.empty() && !(value > column.values.back())) {
    findings_.error(
        "M027", where,
        std::string(column.letter) + " of table '" + table_ + "' does not increase here",
        "sort the points; each " + std::string(column.letter) + " stands once");
    return false;
  }
  column.values.push_back(value);
  return true;
}

bool ColumnReader::add_value(const TomlValue& value, Column& column) {
  if (value.is_number()) return add_bare(value.number, value.where, column);
  if (!value.is_string()) {
    findings_.error("M028", value.where,
                    "a table is made of numbers; this is " + std::string(kind_text(value.kind)));
    return false;
  }
  const auto quantity = parse_quantity(value.text);
  if (!quantity) {
    findings_.error("M028", value.where, quantity.error());
    return false;
  }
  const bool bare = quantity->unit.factor == exactly_one && quantity->unit.dimension == Dimension{};
  if (bare) return add_bare(quantity->value, value.where, column);
  const std::size_t unit =
      std::min(value.text.find_first_not_of("+-0123456789.eE \t"), value.text.size());
  return check_unit(quantity->unit, value.where, column) &&
         check_kind(std::string_view(value.text).substr(unit), value.where, column) &&
         add(quantity->value, value.where, column);
}

bool ColumnReader::add_cell(const CsvCell& cell, Column& column) {
  double value = 0.0;
  const char* end = cell.text.data() + cell.text.size();
  const char* begin = cell.text.data() + (cell.text.starts_with('+') ? 1 : 0);
  const auto result = std::from_chars(begin, end, value);
  if (result.ec != std::errc() || result.ptr != end) {
    findings_.error("M028", cell.where, "'" + cell.text + "' is no number");
    return false;
  }
  return add_bare(value, cell.where, column);
}

}  // namespace takt::codegen
