#include "codegen/emit/rolled_loops.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::codegen {
namespace {

constexpr std::size_t fewest_rows = 4;  // a loop over fewer is no shorter
constexpr std::string_view counted = ") [[unlikely]] alert = left[";

using Lines = std::vector<std::string_view>;

/// An element of an array: any two names are two arrays.
struct Place {
  std::string_view array;
  std::uint32_t index = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    return std::hash<std::string_view>()(place.array) * 31 + place.index;
  }
};

/// An assignment: its text with a hole for each index and each number.
struct Statement {
  std::string_view line;
  std::string form;                     ///< "y[#] = x[#] * #"
  std::vector<std::string_view> holes;  ///< what stands there
  std::vector<Place> reads;
  Place write;
};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return begins_word(c) || is_digit(c) || c == '.' || c == ':'; }

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

/// Reads the text of one assignment; whatever it does not know for sure makes it none.
class Reader {
 public:
  explicit Reader(std::string_view line) : text_(trimmed(line)) { statement_.line = line; }

  std::optional<Statement> read() {
    if (const std::size_t comment = text_.find("  // "); comment != std::string_view::npos)
      text_ = text_.substr(0, comment);
    if (!text_.ends_with(";")) return {};
    const bool counts = text_.starts_with("if (") && text_.find(counted) != std::string_view::npos;
    if (!(counts ? read_count() : read_assignment())) return {};
    return std::move(statement_);
  }

 private:
  bool read_assignment() {
    if (!begins_word(text_.front()) || !word() || statement_.reads.size() != 1 || !text_.substr(at_).starts_with(" = "))
      return false;
    statement_.write = statement_.reads.front();
    statement_.reads.clear();
    put(3);
    return expression(text_.size() - 1) && put(1);
  }

  /// if (CONDITION) [[unlikely]] alert = left[3] += 1.0;  What alert is set to does not matter, if not to 0.
  bool read_count() {
    const std::size_t end = text_.find(counted);
    put(4);
    if (!expression(end)) return false;
    put(counted.size() - 5);  // up to "left["
    if (!word()) return false;
    statement_.write = statement_.reads.back();
    return text_.substr(at_) == " += 1.0;" && put(8);
  }

  bool put(std::size_t count) {
    statement_.form += text_.substr(at_, count);
    at_ += count;
    return true;
  }

  bool hole(std::size_t end) {
    statement_.form += '#';
    statement_.holes.push_back(text_.substr(at_, end - at_));
    at_ = end;
    return true;
  }

  bool expression(std::size_t end) {
    constexpr std::string_view operators = " +-*/()?:<>=!|,{}";
    while (at_ < end) {
      const char c = text_[at_];
      if (begins_word(c) ? !word() : is_digit(c) ? !number() : false) return false;
      if (begins_word(c) || is_digit(c)) continue;
      const bool both = text_.substr(at_, 2) == "&&" || text_.substr(at_, 2) == "<=" || text_.substr(at_, 2) == ">=" ||
                        text_.substr(at_, 2) == "==" || text_.substr(at_, 2) == "||";
      if (!both && (operators.find(c) == std::string_view::npos || c == '=')) return false;
      put(both ? 2 : 1);
    }
    return true;
  }

  /// A name, an element of an array, an input or the name of a function without side effects.
  bool word() {
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    const char next = end < text_.size() ? text_[end] : ';';
    if (next == '(') return name.starts_with("takt::math::") && put(name.size());
    put(name.size());
    if (next != '[') return true;
    put(1);
    end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    std::uint32_t index = 0;
    const auto [last, error] = std::from_chars(text_.data() + at_, text_.data() + end, index);
    if (end == at_ || error != std::errc() || end >= text_.size() || text_[end] != ']') return false;
    hole(end);
    put(1);
    statement_.reads.push_back({name, index});
    return text_.substr(at_, 1) != "[" && (text_.substr(at_, 1) != "." || input_value());
  }

  /// inputs[3].at<1>(s)
  bool input_value() {
    constexpr std::string_view end = ">(s)";
    if (!text_.substr(at_).starts_with(".at<") || text_.substr(at_ + 5, end.size()) != end) return false;
    return put(5 + end.size());
  }

  bool number() {
    std::size_t end = at_;
    while (end < text_.size()) {
      const bool sign = (text_[end] == '+' || text_[end] == '-') && text_[end - (end > at_ ? 1 : 0)] == 'e';
      if (!is_digit(text_[end]) && text_[end] != '.' && text_[end] != 'e' && !sign) break;
      ++end;
    }
    const std::string_view literal = text_.substr(at_, end - at_);
    const bool real = literal.find_first_of(".e") != std::string_view::npos;
    return real ? hole(end) : put(literal.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Statement statement_;
};

/// What each statement waits for, and the order of forms in which fewest loops are needed: the form of which most are
/// ready is taken until none is.
class Schedule {
 public:
  explicit Schedule(const std::vector<Statement>& all) : all_(all), waits_(all.size()), next_(all.size()) {
    std::unordered_map<Place, std::size_t, PlaceHash> written;
    std::unordered_map<Place, std::vector<std::size_t>, PlaceHash> read;
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (const Place& place : all[k].reads) {
        if (const auto last = written.find(place); last != written.end()) follows(last->second, k);
        read[place].push_back(k);
      }
      if (const auto last = written.find(all[k].write); last != written.end()) follows(last->second, k);
      if (const auto readers = read.find(all[k].write); readers != read.end()) {
        for (const std::size_t reader : readers->second) follows(reader, k);
        readers->second.clear();
      }
      written[all[k].write] = k;
      form_.push_back(forms_.emplace(all[k].form, forms_.size()).first->second);
    }
  }

  /// Statements of one form that can follow one another now; empty where all are done.
  std::vector<std::size_t> take() {
    if (ready_.empty()) begin();
    const auto most = std::max_element(ready_.begin(), ready_.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    std::vector<std::size_t> taken;
    if (most == ready_.end()) return taken;
    std::deque<std::size_t>& open = most->second;
    while (!open.empty()) {
      taken.push_back(open.front());
      open.pop_front();
      for (const std::size_t next : next_[taken.back()])
        if (--waits_[next] == 0) ready_[form_[next]].push_back(next);
    }
    ready_.erase(most);
    return taken;
  }

 private:
  void follows(std::size_t first, std::size_t second) {
    if (first == second) return;
    next_[first].push_back(second);
    ++waits_[second];
  }

  void begin() {
    if (begun_) return;
    begun_ = true;
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (waits_[k] == 0) ready_[form_[k]].push_back(k);
  }

  const std::vector<Statement>& all_;
  std::vector<std::size_t> waits_;
  std::vector<std::vector<std::size_t>> next_;
  std::unordered_map<std::string_view, std::size_t> forms_;
  std::vector<std::size_t> form_;
  std::map<std::size_t, std::deque<std::size_t>> ready_;  // form -> statements
  bool begun_ = false;
};

/// What stands in one hole of all rows of a loop.
using Column = std::vector<std::string_view>;

bool is_real(std::string_view text) { return text.find_first_of(".e") != std::string_view::npos; }

std::uint32_t index_of(std::string_view text) {
  std::uint32_t index = 0;
  std::from_chars(text.data(), text.data() + text.size(), index);
  return index;
}

/// "12 + 3 * n" where it gives all indices of a column.
std::optional<std::string> progression(const Column& column) {
  const std::uint32_t first = index_of(column[0]), second = index_of(column[1]);
  if (second <= first) return {};
  for (std::size_t row = 1; row < column.size(); ++row)
    if (index_of(column[row]) != first + (second - first) * row) return {};
  const std::string step = second - first == 1 ? "n" : std::to_string(second - first) + " * n";
  return first == 0 ? step : std::to_string(first) + " + " + step;
}

/// The tables of one loop.
class Tables {
 public:
  explicit Tables(std::size_t rows) : rows_(rows) {}

  /// Text that stands in a hole.
  std::string text_of(const Column& column) {
    if (std::all_of(column.begin(), column.end(), [&](std::string_view each) { return each == column.front(); }))
      return std::string(column.front());
    const bool real = is_real(column.front());
    if (!real)
      if (const auto terms = progression(column)) return *terms;
    std::vector<Column>& table = real ? numbers_ : indices_;
    const auto known = std::find(table.begin(), table.end(), column);
    const auto place = known - table.begin();
    if (known == table.end()) table.push_back(column);
    return (real ? "\1" : "\2") + std::to_string(place) + "\3";  // the width of the table is known at the end
  }

  void write(std::string& out, const std::string& indent) const {
    std::uint32_t largest = 0;
    for (const Column& column : indices_)
      for (const std::string_view each : column) largest = std::max(largest, index_of(each));
    put(out, indent + (largest < 65536 ? "static constexpr std::uint16_t at[]" : "static constexpr std::uint32_t at[]"),
        indices_);
    put(out, indent + "static constexpr double value[]", numbers_);
  }

  /// The places that text_of() left open.
  [[nodiscard]] std::string closed(std::string_view text) const {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      if (text[k] != '\1' && text[k] != '\2') {
        out += text[k];
        continue;
      }
      const bool real = text[k] == '\1';
      const std::size_t end = text.find('\3', k), width = (real ? numbers_ : indices_).size();
      const std::string place(text.substr(k + 1, end - k - 1));
      out += real ? "value[" : "at[";
      out += (width == 1 ? "n" : std::to_string(width) + " * n") + (place == "0" ? "" : " + " + place) + "]";
      k = end;
    }
    return out;
  }

 private:
  void put(std::string& out, const std::string& head, const std::vector<Column>& table) const {
    if (table.empty()) return;
    out += head + " = {";
    for (std::size_t row = 0; row < rows_; ++row)
      for (const Column& column : table)
        out.append(row + 1 == rows_ && &column == &table.back() ? column[row] : std::string(column[row]) + ", ");
    out += "};\n";
  }

  std::size_t rows_;
  std::vector<Column> indices_, numbers_;
};

void write_loop(std::string& out, const std::vector<Statement>& all, const std::vector<std::size_t>& rows) {
  const Statement& first = all[rows.front()];
  const std::string indent(first.line.find_first_not_of(' '), ' ');
  Tables tables(rows.size());
  std::string text;
  std::size_t hole = 0;
  for (const char c : first.form) {
    if (c != '#') {
      text += c;
      continue;
    }
    Column column;
    for (const std::size_t row : rows) column.push_back(all[row].holes[hole]);
    ++hole;
    text += tables.text_of(column);
  }
  out += indent + "{\n";
  tables.write(out, indent + "  ");
  out += indent + "  for (std::uint32_t n = 0; n < " + std::to_string(rows.size()) + "; ++n) " + tables.closed(text) +
         "\n";
  out += indent + "}\n";
}

void write_run(std::string& out, std::vector<Statement>& run) {
  Schedule schedule(run);
  for (auto rows = schedule.take(); !rows.empty(); rows = schedule.take()) {
    if (rows.size() >= fewest_rows) {
      write_loop(out, run, rows);
      continue;
    }
    for (const std::size_t row : rows) out.append(run[row].line).append("\n");
  }
  run.clear();
}

void roll(std::string& out, const Lines& lines) {
  std::vector<Statement> run;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (auto statement = Reader(lines[k]).read()) {
      run.push_back(std::move(*statement));
      continue;
    }
    write_run(out, run);
    out.append(lines[k]).append("\n");
    if (!lines[k].ends_with("{")) continue;
    const std::string end(lines[k].find_first_not_of(' '), ' ');
    std::size_t last = k + 1;  // of the block, which ends as far to the right as it begins
    while (last < lines.size() && !lines[last].starts_with(end + "}")) ++last;
    roll(out,
         Lines(lines.begin() + static_cast<std::ptrdiff_t>(k) + 1, lines.begin() + static_cast<std::ptrdiff_t>(last)));
    k = last - 1;
  }
  write_run(out, run);
}

}  // namespace

std::string rolled(const std::string& body) {
  Lines lines;
  for (std::size_t start = 0; start < body.size();) {
    const std::size_t end = std::min(body.find('\n', start), body.size());
    lines.push_back(std::string_view(body).substr(start, end - start));
    start = end + 1;
  }
  std::string out;
  roll(out, lines);
  return out;
}

}  // namespace takt::codegen
