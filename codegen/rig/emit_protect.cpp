#include "codegen/rig/emit_protect.hpp"

#include <array>

#include "codegen/rig/rig_protect.hpp"

namespace takt::codegen {
namespace {

/// Of wide numbers all digits, with a suffix that any compiler takes.
std::string wide(std::uint64_t value) {
  return std::to_string(value) + (value > 0x7FFFFFFF ? "ULL" : "");
}

std::string field(const can::Field& field) {
  std::vector<std::string> pieces;
  for (std::size_t k = 0; k < field.count; ++k) {
    const can::FieldPiece& piece = field.pieces[k];
    pieces.push_back("can::FieldPiece{" + std::to_string(piece.byte) + ", " +
                     std::to_string(piece.low_bit) + ", " + std::to_string(piece.width) + ", " +
                     std::to_string(piece.raw_low) + "}");
  }
  Aggregate of;
  of.code("pieces", "{" + separated(pieces) + "}")
      .number("count", field.count)
      .number("width", field.width);
  return of.code();
}

std::string crc(const can::ProtectionSettings& s) {
  Aggregate of;
  of.number("width", s.crc.width)
      .code("polynomial", wide(s.crc.polynomial))
      .code("start", wide(s.crc.start));
  of.code("exclusive_or", wide(s.crc.exclusive_or)).number("reflected", s.crc.reflected);
  return of.code();
}

std::string settings(const can::ProtectionSettings& s) {
  constexpr std::array<const char*, 9> profiles{"plain", "p01", "p02", "p04", "p05",
                                                "p06",   "p07", "p11", "p22"};
  constexpr std::array<const char*, 4> modes{"both", "alt", "low", "nibble"};
  std::vector<std::string> ids;
  for (std::size_t k = 0; k < s.data_id_count; ++k)
    ids.push_back(std::to_string(s.data_id_list[k]));
  Aggregate of;
  of.code("profile",
          std::string("can::Profile::") + profiles.at(static_cast<std::size_t>(s.profile)));
  of.number("length", s.length).code("data_id", wide(s.data_id));
  of.code("data_id_mode",
          std::string("can::DataIdMode::") + modes.at(static_cast<std::size_t>(s.data_id_mode)));
  of.number("offset", s.offset)
      .number("crc_offset", s.crc_offset)
      .number("counter_offset", s.counter_offset);
  of.number("data_id_nibble_offset", s.data_id_nibble_offset)
      .code("data_id_list", "{" + separated(ids) + "}");
  of.number("data_id_count", s.data_id_count).code("max_delta_counter", wide(s.max_delta_counter));
  of.number("take_wrong", s.take_wrong)
      .code("counter", field(s.counter))
      .code("checksum", field(s.checksum));
  of.code("counters", wide(s.counters))
      .code("crc", crc(s))
      .number("from", s.from)
      .number("to", s.to);
  of.number("data_ids_first", s.data_ids_first);
  return of.code();
}

std::string name(const BusMap& bus, const ProtectionMap& map) {
  return "protection_" + bus.name + "_" + std::to_string(&map - bus.protection.data());
}

}  // namespace

void write_protections(Writer& text, const BusMap& bus) {
  for (const ProtectionMap& map : bus.protection) {
    text.comment("of " + bus.dbc->messages[map.message].name);
    text.line("constexpr can::Protection " + name(bus, map) + " = can::make_protection(" +
              settings(map.settings) + ");");
  }
  if (!bus.protection.empty()) text.blank();
}

std::string protected_info(const BusMap& bus, std::size_t message, const std::string& info) {
  const ProtectionMap* map = protection_of(bus, message);
  return map == nullptr ? info : "can::with_protection(" + info + ", &" + name(bus, *map) + ")";
}

void add_protection(Aggregate& info, const BusMap& bus, std::size_t message) {
  if (const ProtectionMap* map = protection_of(bus, message))
    info.code("protection", "&" + name(bus, *map));
}

}  // namespace takt::codegen
