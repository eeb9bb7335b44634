// The table of plant memory as text (runtime/plant/packed_table.hpp).
#include <array>
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
  constexpr std::array names{"parameter", "plant_input", "state",     "input",
                             "output",    "signal",      "structural"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (role == names[k]) return k;
  throw std::logic_error("no role " + role);
}

/// Of a PackedTable: rows of one array have one place.
std::string place_of(const TableRow& row) {
  return "{offsetof(Plant, " + row.array + "), " +
         (row.index > 0 ? "sizeof(" + row.element + ")" : "0") + "}";
}

}  // namespace

void write_packed_table(Writer& text, const std::vector<TableRow>& table) {
  Numbers units, places;
  text.line("constexpr const char* table_rows =");
  for (const TableRow& row : table) {
    std::string path = string_literal(row.path);
    path.insert(path.size() - 1, "\\0");
    text.line("    " + path + " \"" + number(units.of(string_literal(row.unit))) + " " +
              number(number_of_role(row.role)) + " " + number(row.subsystem.value_or(0xffff)) +
              " " + number(places.of(place_of(row))) + " " + number(row.index) +
              (row.start_only ? " 1" : " 0") + "\\0\"");
  }
  text.line("    ;");
  write_array(text, "const char*", "table_units", units.texts());
  write_array(text, "takt::PackedTable::Place", "table_places", places.texts());
  text.line("constexpr takt::PackedTable packed_table{.rows = table_rows, .count = " +
            number(table.size()) +
            ", .units = table_units.data(), .places = table_places.data()};");
}

}  // namespace takt::codegen
