#include "codegen/emit/banner.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/plant_source.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t numbers_per_line = 8;

void write_column(Writer& text, const std::string& name, const std::vector<double>& values) {
  text.line("inline constexpr std::array<double, " + std::to_string(values.size()) + "> " + name +
            "{");
  for (std::size_t start = 0; start < values.size(); start += numbers_per_line) {
    std::string row = "   ";
    for (std::size_t index = start; index < values.size() && index < start + numbers_per_line;
         ++index) {
      row += " " + double_literal(values[index]) + ",";
    }
    text.line(row);
  }
  text.line("};");
}

}  // namespace

Writer tables_header(const Network& network, const EmitOptions& options) {
  bool two_dimensional = false;
  for (std::size_t index = 0; index < network.graph().table_count(); ++index)
    two_dimensional =
        two_dimensional ||
        !network.graph().table(TableId{static_cast<std::uint32_t>(index)}).second.empty();
  Writer text;
  text.line("#pragma once");
  write_banner(text, network, options, "Tables");
  text.blank();
  text.line("#include <array>");
  text.blank();
  text.line(std::string("#include \"runtime/math/table") + (two_dimensional ? "2" : "") + ".hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  for (std::size_t index = 0; index < network.graph().table_count(); ++index) {
    const Table& table = network.graph().table(TableId{static_cast<std::uint32_t>(index)});
    const std::string name = "table_" + std::to_string(index);
    text.blank();
    text.comment(table.name);
    write_column(text, name + "_x", table.x);
    write_column(text, name + "_y", table.second.empty() ? table.y : table.second);
    const std::string count = std::to_string(table.x.size());
    if (table.second.empty()) {
      text.line("inline constexpr takt::math::TableView " + name + " =");
      text.line("    takt::math::make_table_view(" + name + "_x.data(), " + name + "_y.data(), " +
                count + ");");
      continue;
    }
    write_column(text, name + "_z", table.y);
    text.line("inline constexpr takt::math::Table2View " + name + " =");
    text.line("    takt::math::make_table2_view(" + name + "_x.data(), " + count + ", " + name +
              "_y.data(), " + std::to_string(table.second.size()) + ", " + name + "_z.data());");
  }
  text.blank();
  text.line("}  // namespace takt_plant");
  return text;
}

}  // namespace takt::codegen
