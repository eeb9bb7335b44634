#include "codegen/model/tables.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "runtime/csv/csv.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_points = 2'000'000;

class TableReader {
 public:
  TableReader(Workspace& work, const TomlValue& value, const TableForm& form, Diagnostics& findings)
      : work_(work),
        value_(value),
        form_(form),
        findings_(findings),
        columns_(form.name, form.bare_in_unit, findings),
        x_{"x", form.x_unit, form.x_text, true},
        y_{"y", form.y_unit, form.y_text} {}

  std::optional<Table> read() {
    const bool complete = value_.is_array() ? read_points(value_) : read_forms();
    if (!complete || findings_.has_errors()) return std::nullopt;
    return Table{form_.name, std::move(x_.values), std::move(y_.values)};
  }

 private:
  [[nodiscard]] bool read_forms() {
    if (!value_.is_table()) {
      findings_.error("M004", value_.where,
                      "'" + form_.name + "' is a table of points; this is " +
                          std::string(kind_text(value_.kind)),
                      "write [[x, y], ...] or { csv = \"FILE\", x = \"COLUMN\", y = \"COLUMN\" }");
      return false;
    }
    check_keys(value_, {"csv", "x", "y", "x_unit", "y_unit", "points", "of"}, "M005", "a table",
               findings_);
    if (!columns_.read_unit_key(value_, x_) || !columns_.read_unit_key(value_, y_)) return false;
    if (const TomlValue* csv = value_.get("csv")) return read_csv(*csv);
    if (const TomlValue* points = value_.get("points"))
      return points->is_array() ? read_points(*points) : wrong_points(*points);
    return read_arrays();
  }

  [[nodiscard]] bool wrong_points(const TomlValue& value) {
    findings_.error("M004", value.where,
                    "the points of table '" + form_.name + "' are a list of pairs",
                    "write [[x, y], ...]");
    return false;
  }

  [[nodiscard]] bool read_points(const TomlValue& points) {
    for (const TomlValue& point : points.items) {
      if (!point.is_array() || point.items.size() != 2) return wrong_points(point);
      if (!columns_.add_value(point.items[0], x_) || !columns_.add_value(point.items[1], y_))
        return false;
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
    if (x == nullptr || y == nullptr || !x->is_array() || !y->is_array())
      return wrong_points(value_);
    if (x->items.size() != y->items.size()) {
      findings_.error("M027", y->where,
                      "table '" + form_.name + "' has " + std::to_string(x->items.size()) +
                          " values of x and " + std::to_string(y->items.size()) + " of y");
      return false;
    }
    for (std::size_t index = 0; index < x->items.size(); ++index) {
      if (!columns_.add_value(x->items[index], x_) || !columns_.add_value(y->items[index], y_))
        return false;
    }
    return not_empty(value_.where);
  }

  // --- CSV
  [[nodiscard]] bool read_csv(const TomlValue& csv) {
    const auto table = read_csv_file(work_, csv, findings_);
    if (!table) return false;
    const auto x = column_of(*table, "x", 0, csv), y = column_of(*table, "y", 1, csv);
    const std::filesystem::path file = work_.folder / csv.text;
    if (!x || !y || !columns_.read_head(table->head[*x], file, x_) ||
        !columns_.read_head(table->head[*y], file, y_))
      return false;
    for (const auto& row : table->rows) {
      if (!add_cell(row, *x, x_) || !add_cell(row, *y, y_)) return false;
    }
    return not_empty(csv.where);
  }

  [[nodiscard]] std::optional<std::size_t> column_of(const CsvTable& table, std::string_view key,
                                                     std::size_t otherwise, const TomlValue& csv) {
    const TomlValue* name = value_.get(key);
    if (name == nullptr && otherwise < table.head.size()) return otherwise;
    const std::string wanted = name == nullptr
                                   ? std::string()
                                   : read_string(*name, "'" + std::string(key) + "'", findings_);
    const auto column = find_column(table, wanted);
    if (!column) {
      const std::string what = name == nullptr
                                   ? "table '" + csv.text + "' has too few columns"
                                   : "table '" + csv.text + "' has no column '" + wanted + "'";
      std::vector<std::string> known = table.head;
      for (std::string& head : known) head = split_head(head).name;
      findings_.error("M029", name == nullptr ? csv.where : name->where, what,
                      name_hint(wanted, known));
    }
    return column;
  }

  [[nodiscard]] bool add_cell(const std::vector<CsvCell>& row, std::size_t index, Column& column) {
    if (index < row.size()) return columns_.add_cell(row[index], column);
    findings_.error("M028", row.front().where,
                    "this row of table '" + form_.name + "' has too few columns");
    return false;
  }

  Workspace& work_;
  const TomlValue& value_;
  const TableForm& form_;
  Diagnostics& findings_;
  ColumnReader columns_;
  Column x_, y_;
};

}  // namespace

std::optional<CsvTable> read_csv_file(Workspace& work, const TomlValue& csv,
                                      Diagnostics& findings) {
  const std::string name = read_string(csv, "'csv'", findings);
  if (name.empty()) return std::nullopt;
  const std::filesystem::path file = work.folder / name;
  const auto text = read_text_file(file);
  if (!text) {
    findings.error("M026", csv.where, "cannot read the table '" + name + "': " + text.error(),
                   "paths are relative to the plant file");
    return std::nullopt;
  }
  auto& files = work.network.files;
  if (std::find(files.begin(), files.end(), file.string()) == files.end())
    files.push_back(file.string());
  const auto table = parse_csv(*text, file.string());
  if (!table) {
    findings.error("M026", table.error().where,
                   "cannot read the table '" + name + "': " + table.error().cause);
    return std::nullopt;
  }
  if (table->rows.size() <= most_points) return *table;
  findings.error("M026", csv.where,
                 "table '" + name + "' has more than " + std::to_string(most_points) + " rows");
  return std::nullopt;
}

std::optional<TableId> read_table(Workspace& work, const TomlValue& value, const TableForm& form) {
  // Members of an array share one table.
  const Location& at = value.where;
  const std::string key = at.file.text() + ":" + std::to_string(at.line) + ":" +
                          std::to_string(at.column) + ":" + form.x_text + ":" + form.y_text + ":" +
                          form.z_text;
  if (const auto known = work.tables.find(key); known != work.tables.end()) return known->second;
  Diagnostics findings;
  auto table = form.two_dimensional ? read_grid(work, value, form, findings)
                                    : TableReader(work, value, form, findings).read();
  work.forward(findings);
  return work.tables[key] = table
                                ? std::optional(work.network.graph().make_table(std::move(*table)))
                                : std::nullopt;
}

}  // namespace takt::codegen
