#include "codegen/rig/emit_protect.hpp"

#include <array>

#include "codegen/rig/rig_protect.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

/// Of wide numbers all digits, with a suffix that any compiler takes.
std::string number(std::uint64_t value) { return std::to_string(value) + (value > 0x7FFFFFFF ? "ULL" : ""); }

std::string field(const can::Field& field) {
  std::string pieces;
  for (std::size_t k = 0; k < field.count; ++k) {
    const can::FieldPiece& piece = field.pieces[k];
    pieces += std::string(k > 0 ? ", " : "") + "can::FieldPiece{" + std::to_string(piece.byte) + ", " +
              std::to_string(piece.low_bit) + ", " + std::to_string(piece.width) + ", " +
              std::to_string(piece.raw_low) + "}";
  }
  return "{.pieces = {" + pieces + "}, .count = " + std::to_string(field.count) +
         ", .width = " + std::to_string(field.width) + "}";
}

std::string settings(const can::ProtectionSettings& s) {
  constexpr std::array<const char*, 9> profiles{"plain", "p01", "p02", "p04", "p05", "p06", "p07", "p11", "p22"};
  constexpr std::array<const char*, 4> modes{"both", "alt", "low", "nibble"};
  std::string ids;
  for (std::size_t k = 0; k < s.data_id_count; ++k) ids += (k > 0 ? ", " : "") + std::to_string(s.data_id_list[k]);
  return std::string("{.profile = can::Profile::") + profiles.at(static_cast<std::size_t>(s.profile)) +
         ", .length = " + std::to_string(s.length) + ", .data_id = " + number(s.data_id) +
         ", .data_id_mode = can::DataIdMode::" + modes.at(static_cast<std::size_t>(s.data_id_mode)) +
         ", .offset = " + std::to_string(s.offset) + ", .crc_offset = " + std::to_string(s.crc_offset) +
         ", .counter_offset = " + std::to_string(s.counter_offset) +
         ", .data_id_nibble_offset = " + std::to_string(s.data_id_nibble_offset) + ", .data_id_list = {" + ids +
         "}, .data_id_count = " + std::to_string(s.data_id_count) +
         ", .max_delta_counter = " + number(s.max_delta_counter) +
         ", .take_wrong = " + (s.take_wrong ? "true" : "false") + ", .counter = " + field(s.counter) +
         ", .checksum = " + field(s.checksum) + ", .counters = " + number(s.counters) +
         ", .crc = {.width = " + std::to_string(s.crc.width) + ", .polynomial = " + number(s.crc.polynomial) +
         ", .start = " + number(s.crc.start) + ", .exclusive_or = " + number(s.crc.exclusive_or) +
         ", .reflected = " + (s.crc.reflected ? "true" : "false") + "}, .from = " + std::to_string(s.from) +
         ", .to = " + std::to_string(s.to) + ", .data_ids_first = " + (s.data_ids_first ? "true" : "false") + "}";
}

std::string name(const BusMap& bus, const ProtectionMap& map) {
  return "protection_" + bus.name + "_" + std::to_string(&map - bus.protection.data());
}

}  // namespace

std::string protection_constants(const BusMap& bus) {
  std::string text;
  for (const ProtectionMap& map : bus.protection)
    text += "// of " + comment_text(bus.dbc->messages[map.message].name) + "\nconstexpr can::Protection " +
            name(bus, map) + " = can::make_protection(" + settings(map.settings) + ");\n";
  return text.empty() ? "" : text + "\n";
}

std::string protected_info(const BusMap& bus, std::size_t message, const std::string& info) {
  const ProtectionMap* map = protection_of(bus, message);
  return map == nullptr ? info : "can::with_protection(" + info + ", &" + name(bus, *map) + ")";
}

std::string protection_field(const BusMap& bus, std::size_t message) {
  const ProtectionMap* map = protection_of(bus, message);
  return map == nullptr ? "" : ", .protection = &" + name(bus, *map);
}

}  // namespace takt::codegen
