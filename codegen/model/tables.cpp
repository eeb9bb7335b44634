#include "codegen/model/tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/csv.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_points = 2'000'000;
constexpr double exactly_one = 1.0;

/// One column while it is read: its unit, and its values in SI.
struct Column {
  std::string_view letter;
  const std::optional<Unit>& expected;
  const std::string& expected_text;
  std::optional<Unit> unit;        ///< of bare numbers
  std::vector<double> values;
};

class TableReader {
 public:
  TableReader(Workspace& work, const TomlValue& value, const TableForm& form)
      : work_(work), value_(value), form_(form), x_{"x", form.x_unit, form.x_text, {}, {}}, y_{"y", form.y_unit, form.y_text, {}, {}} {}

  std::optional<TableId> read() {
    const bool complete = value_.is_array() ? read_points(value_) : read_forms();
    work_.forward(findings_);
    if (!complete || findings_.has_errors()) return std::nullopt;
    return work_.network.graph.make_table(Table{form_.name, std::move(x_.values), std::move(y_.values)});
  }

 private:
  [[nodiscard]] bool read_forms() {
    if (!value_.is_table()) {
      findings_.error("M004", value_.where, "'" + form_.name + "' is a table of points; this is " + std::string(kind_text(value_.kind)),
                      "write [[x, y], ...] or { csv = \"FILE\", x = \"COLUMN\", y = \"COLUMN\" }");
      return false;
    }
    check_keys(value_, {"csv", "x", "y", "x_unit", "y_unit", "points", "of"}, "M005", "a table", findings_);
    for (auto [key, column] : {std::pair<std::string_view, Column*>{"x_unit", &x_}, {"y_unit", &y_}}) {
      const TomlValue* unit = value_.get(key);
      if (unit != nullptr && !read_unit(read_string(*unit, "'" + std::string(key) + "'", findings_), unit->where, *column)) return false;
    }
    if (const TomlValue* csv = value_.get("csv")) return read_csv(*csv);
    if (const TomlValue* points = value_.get("points")) return points->is_array() ? read_points(*points) : wrong_points(*points);
    return read_arrays();
  }

  [[nodiscard]] bool read_unit(const std::string& text, const Location& where, Column& column) {
    column.unit = parse_unit(text);
    if (column.unit) return check_unit(*column.unit, where, column);
    const std::string near = nearest_unit(text);
    findings_.error("U001", where, "unknown unit '" + text + "'", near.empty() ? std::string() : "did you mean '" + near + "'?");
    return false;
  }

  [[nodiscard]] bool check_unit(const Unit& unit, const Location& where, const Column& column) {
    if (!column.expected || unit.dimension == column.expected->dimension) return true;
    findings_.error("U004", where, std::string(column.letter) + " of table '" + form_.name + "' is in " + column.expected_text + ", not in " + dimension_text(unit.dimension));
    return false;
  }

  /// Scales a number without unit.
  [[nodiscard]] bool add_bare(double value, const Location& where, Column& column) {
    const Unit* unit = column.unit ? &*column.unit : nullptr;
    if (unit == nullptr && column.expected && form_.bare_in_unit) unit = &*column.expected;
    if (unit == nullptr && column.expected && column.expected->dimension != Dimension{}) {
      findings_.error("U005", where, std::string(column.letter) + " of table '" + form_.name + "' needs its unit, " + column.expected_text,
                      "give " + std::string(column.letter) + "_unit, or write the unit into the head of the column: \"name [" + column.expected_text + "]\"");
      return false;
    }
    return add(unit == nullptr ? value : (value + unit->offset) * unit->factor, where, column);
  }

  [[nodiscard]] bool add(double value, const Location& where, Column& column) {
    if (!std::isfinite(value)) {
      findings_.error("M028", where, "a value of table '" + form_.name + "' is not a finite number");
      return false;
    }
    if (&column == &x_ && !x_.values.empty() && !(value > x_.values.back())) {
      findings_.error("M027", where, "x of table '" + form_.name + "' does not increase here", "sort the points; each x stands once");
      return false;
    }
    column.values.push_back(value);
    return true;
  }

  [[nodiscard]] bool add_value(const TomlValue& value, Column& column) {
    if (value.is_number()) return add_bare(value.number, value.where, column);
    if (!value.is_string()) {
      findings_.error("M028", value.where, "a table is made of numbers; this is " + std::string(kind_text(value.kind)));
      return false;
    }
    const auto quantity = parse_quantity(value.text);
    if (!quantity) {
      findings_.error("M028", value.where, quantity.error());
      return false;
    }
    const bool bare = quantity->unit.factor == exactly_one && quantity->unit.dimension == Dimension{};
    if (bare) return add_bare(quantity->value, value.where, column);
    return check_unit(quantity->unit, value.where, column) && add(quantity->value, value.where, column);
  }

  [[nodiscard]] bool wrong_points(const TomlValue& value) {
    findings_.error("M004", value.where, "the points of table '" + form_.name + "' are a list of pairs", "write [[x, y], ...]");
    return false;
  }

  [[nodiscard]] bool read_points(const TomlValue& points) {
    for (const TomlValue& point : points.items) {
      if (!point.is_array() || point.items.size() != 2) return wrong_points(point);
      if (!add_value(point.items[0], x_) || !add_value(point.items[1], y_)) return false;
    }
    return not_empty(points.where);
  }

  [[nodiscard]] bool not_empty(const Location& where) {
    if (!x_.values.empty()) return true;
    findings_.error("M027", where, "table '" + form_.name + "' has no points");
    return false;
  }

  [[nodiscard]] bool read_arrays() {
    const TomlValue* x = value_.get("x");
    const TomlValue* y = value_.get("y");
    if (x == nullptr || y == nullptr || !x->is_array() || !y->is_array()) return wrong_points(value_);
    if (x->items.size() != y->items.size()) {
      findings_.error("M027", y->where, "table '" + form_.name + "' has " + std::to_string(x->items.size()) + " values of x and " + std::to_string(y->items.size()) + " of y");
      return false;
    }
    for (std::size_t index = 0; index < x->items.size(); ++index) {
      if (!add_value(x->items[index], x_) || !add_value(y->items[index], y_)) return false;
    }
    return not_empty(value_.where);
  }

  // --- CSV
  [[nodiscard]] bool read_csv(const TomlValue& csv) {
    const std::string name = read_string(csv, "'csv'", findings_);
    if (name.empty()) return false;
    const std::filesystem::path file = work_.folder / name;
    const auto text = read_text_file(file);
    if (!text) {
      findings_.error("M026", csv.where, "cannot read the table '" + name + "'", "paths are relative to the plant file");
      return false;
    }
    auto& files = work_.network.files;
    if (std::find(files.begin(), files.end(), file.string()) == files.end()) files.push_back(file.string());
    const CsvTable table = parse_csv(*text, file.string());
    const auto x = column_of(table, "x", 0, csv), y = column_of(table, "y", 1, csv);
    if (!x || !y || !unit_from_head(table, *x, file, x_) || !unit_from_head(table, *y, file, y_)) return false;
    if (table.rows.size() > most_points) {
      findings_.error("M026", csv.where, "table '" + name + "' has more than " + std::to_string(most_points) + " rows");
      return false;
    }
    for (const auto& row : table.rows) {
      if (!add_cell(row, *x, x_) || !add_cell(row, *y, y_)) return false;
    }
    return not_empty(csv.where);
  }

  [[nodiscard]] std::optional<std::size_t> column_of(const CsvTable& table, std::string_view key, std::size_t otherwise, const TomlValue& csv) {
    const TomlValue* name = value_.get(key);
    if (name == nullptr && otherwise < table.head.size()) return otherwise;
    const std::string wanted = name == nullptr ? std::string() : read_string(*name, "'" + std::string(key) + "'", findings_);
    const auto column = find_column(table, wanted);
    if (!column) {
      const std::string what = name == nullptr ? "table '" + csv.text + "' has too few columns" : "table '" + csv.text + "' has no column '" + wanted + "'";
      std::vector<std::string> known = table.head;
      for (std::string& head : known) head = head.substr(0, head.find(" ["));
      findings_.error("M029", name == nullptr ? csv.where : name->where, what, name_hint(wanted, known));
    }
    return column;
  }

  [[nodiscard]] bool unit_from_head(const CsvTable& table, std::size_t index, const std::filesystem::path& file, Column& column) {
    const std::string text = unit_of_head(table.head[index]);
    if (text.empty() || column.unit) return true;
    return read_unit(text, {file.string(), 1, 1}, column);
  }

  [[nodiscard]] bool add_cell(const std::vector<CsvCell>& row, std::size_t index, Column& column) {
    if (index >= row.size()) {
      findings_.error("M028", row.front().where, "this row of table '" + form_.name + "' has too few columns");
      return false;
    }
    const CsvCell& cell = row[index];
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

  Workspace& work_;
  const TomlValue& value_;
  const TableForm& form_;
  Diagnostics findings_;
  Column x_, y_;
};

}  // namespace

std::optional<TableId> read_table(Workspace& work, const TomlValue& value, const TableForm& form) {
  // Members of an array share one table.
  const Location& at = value.where;
  const std::string key = at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + form.x_text + ":" + form.y_text;
  if (const auto known = work.tables.find(key); known != work.tables.end()) return known->second;
  return work.tables[key] = TableReader(work, value, form).read();
}

}  // namespace takt::codegen
