#include "runtime/csv/csv.hpp"

#include <algorithm>

namespace takt {
namespace {

constexpr std::string_view blank = " \t\r";
constexpr const char* not_closed = "a quote is not closed";
constexpr const char* after_quote = "text follows a closing quote";

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

/// Semicolon or tab where there is one outside of quotes.
char separator_of(std::string_view head) {
  bool quoted = false;
  for (const char c : head) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ';' || c == '\t')) return c;
  }
  return ',';
}

/// A cell as it stands in its row, its text without blanks around it or between its quotes.
struct Cut {
  std::size_t begin = 0, length = 0;  ///< of the text
  std::size_t end = 0;                ///< of the cell: a separator, or the end of the row
  bool has_quotes = false;            ///< doubled ones
  const char* mistake = nullptr;
};

Cut cut_quoted(std::string_view row, std::size_t open, char separator) {
  Cut cut{.begin = open + 1};
  for (std::size_t at = open + 1;; at += 2, cut.has_quotes = true) {
    at = row.find('"', at);
    if (at == std::string_view::npos) return cut.mistake = not_closed, cut;
    if (at + 1 < row.size() && row[at + 1] == '"') continue;
    cut.length = at - cut.begin;
    cut.end = std::min(row.find(separator, at), row.size());
    if (!trimmed(row.substr(at + 1, cut.end - at - 1)).empty()) cut.mistake = after_quote;
    return cut;
  }
}

Cut cut_cell(std::string_view row, std::size_t begin, char separator) {
  std::size_t first = begin;
  while (first < row.size() && row[first] != separator && blank.find(row[first]) != std::string_view::npos) ++first;
  if (first < row.size() && row[first] == '"') return cut_quoted(row, first, separator);
  const std::size_t end = std::min(row.find(separator, first), row.size());
  return {.begin = first, .length = trimmed(row.substr(first, end - first)).size(), .end = end};
}

std::string without_doubled_quotes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    if (text[at] == '"') ++at;
  }
  return out;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool plain =
      trimmed(text) == text && !text.starts_with('#') && text.find_first_of(",;\"") == std::string_view::npos;
  if (plain && std::none_of(text.begin(), text.end(), is_control)) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    cell += is_control(c) ? ' ' : c;
    if (c == '"') cell += '"';
  }
  return cell + '"';
}

std::string csv_head(std::string_view path, std::string_view unit) {
  return csv_cell(std::string(path) + " [" + (unit.empty() ? "1" : std::string(unit)) + "]");
}

CsvHead split_head(std::string_view head) {
  const std::size_t open = head.ends_with(']') ? head.rfind('[') : std::string_view::npos;
  if (open == std::string_view::npos) return {std::string(head), ""};
  const std::string_view inside = trimmed(head.substr(open + 1, head.size() - open - 2));
  const bool is_apart = open > 0 && blank.find(head[open - 1]) != std::string_view::npos;
  if (!is_apart && inside.find_first_not_of("0123456789, ") == std::string_view::npos) return {std::string(head), ""};
  return {std::string(trimmed(head.substr(0, open))), std::string(inside)};
}

std::vector<std::string> csv_cells(std::string_view line, const std::string& where) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const Cut cut = cut_cell(line, begin, ',');
    if (cut.mistake != nullptr) throw std::runtime_error(where + ": " + cut.mistake);
    const std::string_view text = line.substr(cut.begin, cut.length);
    cells.push_back(cut.has_quotes ? without_doubled_quotes(text) : std::string(text));
    begin = cut.end + 1;
  }
  return cells;
}

void CsvRows::add_lines() {
  for (bool closed = false; !closed;) {
    std::string more;
    if (!std::getline(text_, more)) throw CsvMistake(line_, not_closed);
    ++lines_;
    closed = std::count(more.begin(), more.end(), '"') % 2 != 0;
    row_ += '\n' + more;
  }
}

bool CsvRows::next() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of spreadsheet programs
  do {
    if (!std::getline(text_, row_)) return false;
    if (++lines_ == 1 && row_.starts_with(byte_order_mark)) row_.erase(0, byte_order_mark.size());
  } while (trimmed(row_).empty() || trimmed(row_).front() == '#');
  line_ = lines_;
  if (separator_ == '\0') separator_ = separator_of(row_);
  std::vector<Cut> cuts;
  for (std::size_t begin = 0; begin <= row_.size();) {
    const Cut cut = cut_cell(row_, begin, separator_);
    if (cut.mistake == not_closed) {
      add_lines();
      continue;
    }
    if (cut.mistake != nullptr) throw CsvMistake(line_, cut.mistake);
    cuts.push_back(cut);
    begin = cut.end + 1;
  }
  cells_.clear(), columns_.clear(), unquoted_.clear();
  unquoted_.reserve(cuts.size());  // they stay where they are
  for (const Cut& cut : cuts) {
    const std::string_view text = std::string_view(row_).substr(cut.begin, cut.length);
    cells_.push_back(cut.has_quotes ? unquoted_.emplace_back(without_doubled_quotes(text)) : text);
    columns_.push_back(static_cast<std::uint32_t>(cut.begin + 1));
  }
  return true;
}

}  // namespace takt
