// The table of plant memory as text (runtime/plant/packed_table.hpp).
#include <array>
#include <charconv>
#include <map>
#include <stdexcept>

#include "codegen/emit/plant_parts.hpp"
#include "codegen/emit/plant_source.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

/// Numbers of texts in the order in which they are first asked for.
class Numbers {
 public:
  std::size_t of(const std::string& text) {
    const auto [found, is_new] = number_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> number_;
  std::vector<std::string> texts_;
};

std::size_t number_of_role(const std::string& role) {
  constexpr std::array names{"parameter", "plant_input", "state", "input", "output", "signal", "structural"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (role == names[k]) return k;
  throw std::logic_error("no role " + role);
}

struct Position {
  std::string place;  ///< of a PackedTable
  std::string index;
};

/// "offsetof(Plant, a.x) + 3 * sizeof(double)"
Position position_of(const std::string& offset) {
  constexpr std::string_view plus = " + ", times = " * ";
  const std::size_t end = offset.find(plus);
  if (end == std::string::npos) return {"{" + offset + ", 0}", "0"};
  const std::size_t star = offset.find(times, end);
  return {"{" + offset.substr(0, end) + ", " + offset.substr(star + times.size()) + "}",
          offset.substr(end + plus.size(), star - end - plus.size())};
}

}  // namespace

void write_packed_table(Writer& text, const std::vector<TableRow>& table) {
  Numbers units, places;
  text.line("constexpr const char* table_rows =");
  for (const TableRow& row : table) {
    const Position position = position_of(row.offset);
    std::size_t subsystem = 0xffff;
    if (row.subsystem != "0xffff")
      std::from_chars(row.subsystem.data(), row.subsystem.data() + row.subsystem.size(), subsystem);
    std::string path = string_literal(row.path);
    path.insert(path.size() - 1, "\\0");
    text.line("    " + path + " \"" + number(units.of(string_literal(row.unit))) + " " +
              number(number_of_role(row.role)) + " " + number(subsystem) + " " + number(places.of(position.place)) +
              " " + position.index + (row.start_only ? " 1" : " 0") + "\\0\"");
  }
  text.line("    ;");
  write_array(text, "const char*", "table_units", units.texts());
  write_array(text, "takt::PackedTable::Place", "table_places", places.texts());
  text.line("constexpr takt::PackedTable packed_table{.rows = table_rows, .count = " + number(table.size()) +
            ", .units = table_units.data(), .places = table_places.data()};");
}

}  // namespace takt::codegen
