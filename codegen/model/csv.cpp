#include "codegen/model/csv.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "runtime/csv/csv.hpp"

namespace takt::codegen {

tl::expected<CsvTable, CsvError> parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  std::istringstream stream{std::string(text)};
  CsvRows lines(stream);
  try {
    for (bool head = true; lines.next(); head = false) {
      if (head) {
        table.head.assign(lines.cells().begin(), lines.cells().end());
        continue;
      }
      std::vector<CsvCell>& row = table.rows.emplace_back();
      for (std::size_t k = 0; k < lines.cells().size(); ++k)
        row.push_back({std::string(lines.cells()[k]), {file, lines.line(), lines.column(k)}});
    }
  } catch (const CsvMistake& mistake) {
    return tl::unexpected(CsvError{{file, mistake.line(), 1}, mistake.what()});
  }
  return table;
}

std::optional<std::size_t> find_column(const CsvTable& table, std::string_view name) {
  auto found = std::find(table.head.begin(), table.head.end(), name);
  if (found == table.head.end())
    found = std::find_if(table.head.begin(), table.head.end(),
                         [&](const std::string& head) { return split_head(head).name == name; });
  if (found == table.head.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.head.begin());
}

}  // namespace takt::codegen
