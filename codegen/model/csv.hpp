#pragma once
// Comma or semicolon separated tables with a header line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// Lines in their order, cut into cells without blanks around them and without quotes. The first that is no comment
/// tells by what they are separated.
class CsvLines {
 public:
  /// @param line  must live as long as its cells are looked at
  /// @return false: it is empty or a comment ('#')
  bool read(std::string_view line);
  [[nodiscard]] const std::vector<std::string_view>& cells() const { return cells_; }
  [[nodiscard]] std::uint32_t number() const { return number_; }                         ///< of the line, from 1
  [[nodiscard]] std::uint32_t column(std::size_t cell) const { return columns_[cell]; }  ///< in the line, from 1

 private:
  char separator_ = '\0';
  std::uint32_t number_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<std::uint32_t> columns_;
};

struct CsvCell {
  std::string text;  ///< trimmed, without quotes
  Location where;
};

struct CsvTable {
  std::vector<std::string> head;           ///< "speed [km/h]"
  std::vector<std::vector<CsvCell>> rows;  ///< without empty lines and lines that begin with '#'
};

[[nodiscard]] CsvTable parse_csv(std::string_view text, const std::string& file);

/// Column by its whole head or by its head without the unit.
[[nodiscard]] std::optional<std::size_t> find_column(const CsvTable& table, std::string_view name);

/// "km/h" of "speed [km/h]"; empty where there is none.
[[nodiscard]] std::string unit_of_head(std::string_view head);

}  // namespace takt::codegen
