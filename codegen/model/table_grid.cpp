// Two-dimensional tables: values z on a grid of x and y.

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/tables.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_values = 4'000'000;

class GridReader {
 public:
  GridReader(Workspace& work, const TomlValue& value, const TableForm& form, Diagnostics& findings)
      : work_(work),
        value_(value),
        form_(form),
        findings_(findings),
        columns_(form.name, form.bare_in_unit, findings),
        x_{"x", form.x_unit, form.x_text, true},
        y_{"y", form.y_unit, form.y_text, true},
        z_{"z", form.z_unit, form.z_text} {}

  std::optional<Table> read() {
    if (!value_.is_table()) return wrong_form(value_), std::nullopt;
    check_keys(value_, {"csv", "x", "y", "z", "x_unit", "y_unit", "z_unit"}, "M005",
               "a table of two arguments", findings_);
    for (Column* column : {&x_, &y_, &z_}) {
      if (!columns_.read_unit_key(value_, *column)) return std::nullopt;
    }
    const TomlValue* csv = value_.get("csv");
    if (!(csv != nullptr ? read_csv(*csv) : read_arrays()) || findings_.has_errors())
      return std::nullopt;
    return Table{form_.name, std::move(x_.values), std::move(z_.values), std::move(y_.values)};
  }

 private:
  void wrong_form(const TomlValue& value) {
    findings_.error("M004", value.where, "'" + form_.name + "' is a table of two arguments",
                    "write { x = [...], y = [...], z = [[...], ...] } with a row of z for each x, "
                    "or { csv = \"FILE\" } with y in the first line and x in the first column");
  }

  struct Amount {
    std::size_t count;
    std::string_view of;
  };

  [[nodiscard]] bool wrong_shape(const Location& where, const Amount& given, const Amount& wanted) {
    findings_.error("M027", where,
                    "table '" + form_.name + "' has " + std::to_string(given.count) + " " +
                        std::string(given.of) + " for " + std::to_string(wanted.count) +
                        " values of " + std::string(wanted.of),
                    "z has a row for each x, and in each row a value for each y");
    return false;
  }

  [[nodiscard]] bool not_empty(const Location& where) {
    if (!x_.values.empty() && !y_.values.empty()) return true;
    findings_.error("M027", where, "table '" + form_.name + "' has no points");
    return false;
  }

  [[nodiscard]] bool read_axis(std::string_view key, Column& column) {
    const TomlValue* axis = value_.get(key);
    if (axis == nullptr || !axis->is_array())
      return wrong_form(axis == nullptr ? value_ : *axis), false;
    for (const TomlValue& item : axis->items) {
      if (!columns_.add_value(item, column)) return false;
    }
    return true;
  }

  [[nodiscard]] bool read_arrays() {
    if (!read_axis("x", x_) || !read_axis("y", y_) || !not_empty(value_.where)) return false;
    const TomlValue* z = value_.get("z");
    if (z == nullptr || !z->is_array()) return wrong_form(z == nullptr ? value_ : *z), false;
    if (z->items.size() != x_.values.size())
      return wrong_shape(z->where, {z->items.size(), "rows of z"}, {x_.values.size(), "x"});
    for (const TomlValue& row : z->items) {
      if (!row.is_array()) return wrong_form(row), false;
      if (row.items.size() != y_.values.size())
        return wrong_shape(row.where, {row.items.size(), "values of z in this row"},
                           {y_.values.size(), "y"});
      for (const TomlValue& item : row.items) {
        if (!columns_.add_value(item, z_)) return false;
      }
    }
    return true;
  }

  /// First line: anything, then the values of y. Then one line per x: x, then its values of z.
  [[nodiscard]] bool read_csv(const TomlValue& csv) {
    const auto table = read_csv_file(work_, csv, findings_);
    if (!table) return false;
    const std::string file = (work_.folder / csv.text).string();
    for (std::size_t column = 1; column < table->head.size(); ++column) {
      if (!columns_.add_cell({table->head[column], {file, 1, 1}}, y_)) return false;
    }
    if (table->rows.size() * table->head.size() > most_values) {
      findings_.error(
          "M026", csv.where,
          "table '" + csv.text + "' has more than " + std::to_string(most_values) + " values");
      return false;
    }
    for (const auto& row : table->rows) {
      if (row.size() != table->head.size())
        return wrong_shape(row.front().where, {row.size() - 1, "values of z in this row"},
                           {y_.values.size(), "y"});
      if (!columns_.add_cell(row.front(), x_)) return false;
      for (std::size_t column = 1; column < row.size(); ++column) {
        if (!columns_.add_cell(row[column], z_)) return false;
      }
    }
    return not_empty(csv.where);
  }

  Workspace& work_;
  const TomlValue& value_;
  const TableForm& form_;
  Diagnostics& findings_;
  ColumnReader columns_;
  Column x_, y_, z_;
};

}  // namespace

std::optional<Table> read_grid(Workspace& work, const TomlValue& value, const TableForm& form,
                               Diagnostics& findings) {
  return GridReader(work, value, form, findings).read();
}

}  // namespace takt::codegen
