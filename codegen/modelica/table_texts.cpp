#include "codegen/modelica/table_texts.hpp"

#include <fmt/format.h>

#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {

std::string table_parameter(const std::string& name, const Table& table) {
  if (!table.second.empty()) return fmt::format("param.{} = \"table2(1, 1 -> 1)\"\n", name);
  std::string points;
  for (std::size_t k = 0; k < table.x.size(); ++k)
    points += fmt::format("{}[{}, {}]", k == 0 ? "" : ", ", number_text(table.x[k]),
                          number_text(table.y[k]));
  return fmt::format("param.{} = \"table(1 -> 1) = [{}]\"\n", name, points);
}

std::string table_argument(const std::string& name, const Table& table) {
  const auto list = [](auto begin, auto end) {
    std::string made;
    for (auto each = begin; each != end; ++each)
      made += (each == begin ? "" : ", ") + number_text(*each);
    return "[" + made + "]";
  };
  std::string rows;
  const auto width = static_cast<std::ptrdiff_t>(table.second.size());
  for (auto row = table.y.begin(); row != table.y.end(); row += width)
    rows += (rows.empty() ? "" : ", ") + list(row, row + width);
  return fmt::format(", {} = {{ x = {}, y = {}, z = [{}] }}", name,
                     list(table.x.begin(), table.x.end()),
                     list(table.second.begin(), table.second.end()), rows);
}

}  // namespace takt::codegen::modelica
