#pragma once
// Tables as text, as RFC 4180 has them: cells between commas, in quotes where they hold commas, quotes or line breaks.
// Read are also tables that people and other programs write: blanks around cells, semicolons or tabs between them,
// lines that begin with '#', a byte order mark.

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace takt {

/// In quotes where it must be for everybody who reads the table, whatever he takes for a separator. Line breaks and
/// other control characters become blanks: a row is one line for readers by lines, too.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// "path [unit]" of a column as a cell; without a unit the unit is 1.
[[nodiscard]] std::string csv_head(std::string_view path, std::string_view unit);

struct CsvHead {
  std::string name, unit;  ///< unit: "" where none is given
};

/// "y[1,2] [V]" -> "y[1,2]" and "V". Where no blank parts the brackets from the name they hold an index, "y[1,2]", or a
/// unit, "speed[km/h]".
[[nodiscard]] CsvHead split_head(std::string_view head);

/// What is no table: where, and why.
class CsvMistake : public std::runtime_error {
 public:
  CsvMistake(std::uint32_t line, const std::string& cause) : std::runtime_error(cause), line_(line) {}
  [[nodiscard]] std::uint32_t line() const { return line_; }  ///< from 1

 private:
  std::uint32_t line_;
};

/// Cells of one line with commas between them, as logs have it.
/// @throw std::runtime_error  "where: a quote is not closed", or text follows a closing one
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line, const std::string& where);

/// Rows in their order. Of a cell without quotes the blanks around it are taken off. The first row tells by what its
/// cells are separated. A cell in quotes may go over several lines.
class CsvRows {
 public:
  /// @param text  must outlive this
  explicit CsvRows(std::istream& text) : text_(text) {}
  /// @return false: there is none any more  @throw CsvMistake
  [[nodiscard]] bool next();
  /// Until the next call of next().
  [[nodiscard]] const std::vector<std::string_view>& cells() const { return cells_; }
  [[nodiscard]] std::uint32_t line() const { return line_; }  ///< where the row begins, from 1
  [[nodiscard]] std::uint32_t column(std::size_t cell) const { return columns_[cell]; }  ///< in it, from 1

 private:
  /// The lines up to one that may close the quote: in which the number of quotes is odd.
  void add_lines();

  std::istream& text_;
  char separator_ = '\0';
  std::uint32_t line_ = 0, lines_ = 0;
  std::string row_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;  ///< of cells in quotes
  std::vector<std::uint32_t> columns_;
};

}  // namespace takt
