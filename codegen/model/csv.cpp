#include "codegen/model/csv.hpp"

#include <algorithm>
#include <utility>

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

}  // namespace

bool CsvLines::read(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of spreadsheet programs
  if (++number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (trimmed(line).empty() || trimmed(line).front() == '#') return false;
  if (separator_ == '\0') separator_ = separator_of(line);
  cells_.clear();
  columns_.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator_, begin), line.size());
    cells_.push_back(unquoted(line.substr(begin, end - begin)));
    columns_.push_back(static_cast<std::uint32_t>(begin + 1));
    begin = end + 1;
  }
  return true;
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  CsvLines lines;
  bool head = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool has_cells = lines.read(text.substr(begin, end - begin));
    begin = end + 1;
    if (!has_cells) continue;
    if (std::exchange(head, false)) {
      table.head.assign(lines.cells().begin(), lines.cells().end());
      continue;
    }
    std::vector<CsvCell>& row = table.rows.emplace_back();
    for (std::size_t k = 0; k < lines.cells().size(); ++k)
      row.push_back({std::string(lines.cells()[k]), {file, lines.number(), lines.column(k)}});
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
