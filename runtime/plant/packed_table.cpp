#include "runtime/plant/packed_table.hpp"

#include <array>
#include <cstring>

namespace takt {
namespace {

enum Field : std::size_t { unit, role, subsystem, place, position, start_only, field_count };

/// Whole numbers with a space between them. @return behind the 0 that ends them
const char* read_numbers(const char* text, std::array<std::size_t, field_count>& to) {
  for (std::size_t& number : to) {
    number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) number = 10 * number + static_cast<std::size_t>(*text - '0');
    ++text;
  }
  return text;
}

}  // namespace

std::vector<MemoryEntry> unpacked(const PackedTable& table) {
  std::vector<MemoryEntry> rows;
  rows.reserve(table.count);
  const char* text = table.rows;
  for (std::size_t row = 0; row < table.count; ++row) {
    const char* path = text;
    std::array<std::size_t, field_count> field{};
    text = read_numbers(path + std::strlen(path) + 1, field);
    const PackedTable::Place& array = table.places[field[place]];
    rows.push_back({.path = path,
                    .unit = table.units[field[unit]],
                    .role = static_cast<Role>(field[role]),
                    .subsystem = static_cast<std::uint16_t>(field[subsystem]),
                    .offset = array.offset + field[position] * array.stride,
                    .start_only = field[start_only] != 0});
  }
  return rows;
}

}  // namespace takt
