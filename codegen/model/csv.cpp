#include "codegen/model/csv.hpp"

#include <algorithm>

namespace takt::codegen {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

std::string_view unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

char separator_of(std::string_view head) {
  for (const char candidate : {';', '\t'}) {
    if (head.find(candidate) != std::string_view::npos) return candidate;
  }
  return ',';
}

std::vector<CsvCell> split(std::string_view line, char separator, const std::string& file, std::uint32_t number) {
  std::vector<CsvCell> cells;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back({std::string(unquoted(line.substr(begin, end - begin))),
                     {file, number, static_cast<std::uint32_t>(begin + 1)}});
    begin = end + 1;
  }
  return cells;
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte-order mark of spreadsheet programs
  char separator = ',';
  bool head = true;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    if (head) {
      separator = separator_of(line);
      for (CsvCell& cell : split(line, separator, file, number)) table.head.push_back(std::move(cell.text));
      head = false;
    } else {
      table.rows.push_back(split(line, separator, file, number));
    }
  }
  return table;
}

std::optional<std::size_t> find_column(const CsvTable& table, std::string_view name) {
  const auto whole = std::find(table.head.begin(), table.head.end(), name);
  if (whole != table.head.end()) return static_cast<std::size_t>(whole - table.head.begin());
  const auto bare = std::find_if(table.head.begin(), table.head.end(), [&](const std::string& head) {
    return trimmed(std::string_view(head).substr(0, head.find('['))) == name;
  });
  if (bare == table.head.end()) return std::nullopt;
  return static_cast<std::size_t>(bare - table.head.begin());
}

std::string unit_of_head(std::string_view head) {
  const std::size_t open = head.rfind('['), close = head.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return std::string(trimmed(head.substr(open + 1, close - open - 1)));
}

}  // namespace takt::codegen
