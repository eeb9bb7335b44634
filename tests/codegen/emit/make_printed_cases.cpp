// Writes C++ with printed random expressions, their arguments and the values Graph::evaluate gives: make_printed_cases
// OUT

#include <cstdio>
#include <fstream>

#include "codegen/code/print.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/text/literal.hpp"
#include "tests/codegen/expr/random_expression.hpp"

using namespace takt::codegen;

namespace {

constexpr int cases = 60;
constexpr int roots_per_case = 4;
constexpr int points = 20;

std::string row(const std::vector<double>& values) {
  std::string text = "{";
  for (const double value : values) text += double_literal(value) + ", ";
  return text + "},\n";
}

std::string one_case(testing::RandomExpressions& source, int number, std::string& points_text) {
  std::vector<Expr> roots;
  for (int k = 0; k < roots_per_case; ++k) roots.push_back(source.make(6, false));
  for (int point = 0; point < points; ++point) {
    std::vector<double> values;
    for (int k = 0; k < 4; ++k) values.push_back(source.uniform(-3.0, 3.0));
    std::vector<double> all = values;
    for (const Expr root : roots) {
      all.push_back(source.graph.evaluate(root, [&](SymbolId id) { return values[static_cast<std::size_t>(id)]; }));
    }
    points_text += "    " + row(all);
  }
  Statements statements(source.graph, nullptr);
  for (const Expr root : roots) {
    statements.count(root);
    for (const SymbolId id : source.graph.symbols_of(root)) {
      statements.bind(id, statements.values().element("s", static_cast<std::size_t>(id)));
    }
  }
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const code::Value value = statements.value(roots[k]);
    statements.block().assign(statements.values().element("out", k), value);
  }
  return "void case" + std::to_string(number) + "([[maybe_unused]] const double* s, double* out) {\n" +
         code::printed(statements.values(), statements.body()) + "}\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  testing::RandomExpressions source(2024);
  const Table table = source.graph.table(source.curve), map = source.graph.table(source.map);
  const auto values = [](const std::vector<double>& column) { return row(column).substr(0, row(column).size() - 2); };
  std::ofstream out(argv[1]);
  std::string functions, table_of_points, names;
  for (int number = 0; number < cases; ++number) {
    functions += one_case(source, number, table_of_points);
    names += "case" + std::to_string(number) + ", ";
  }
  out << "#include <limits>\n\n#include \"runtime/math/elementary.hpp\"\n#include "
         "\"runtime/math/table2.hpp\"\n\nnamespace {\n\n"
      << "constexpr double curve_x[] = " << values(table.x) << ";\n"
      << "constexpr double curve_y[] = " << values(table.y) << ";\n"
      << "constexpr takt::math::TableView table_0 = takt::math::make_table_view(curve_x, curve_y, " << table.x.size()
      << ");\n"
      << "constexpr double map_x[] = " << values(map.x) << ";\nconstexpr double map_y[] = " << values(map.second)
      << ";\n"
      << "constexpr double map_z[] = " << values(map.y) << ";\n"
      << "constexpr takt::math::Table2View table_1 = takt::math::make_table2_view(map_x, 3, map_y, 2, map_z);\n\n"
      << functions << "}  // namespace\n\n"
      << "extern const int case_count, point_count;\nconst int case_count = " << cases << ", point_count = " << points
      << ";\n"
      << "extern void (*const case_functions[])(const double*, double*);\nvoid (*const case_functions[])(const "
         "double*, double*) = {"
      << names << "};\n"
      << "// per case and point: four arguments, four values\nextern const double case_points[][8];\nconst double "
         "case_points[][8] = {\n"
      << table_of_points << "};\n";
  return out ? 0 : 1;
}
