#include "codegen/rig/rig_protect.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

using can::DataIdMode;
using can::Profile;

struct ProfileWord {
  const char* word;
  Profile profile;
  unsigned header;            ///< bytes
  std::int64_t largest_id;    ///< of data_id; 0: the profile has a list
  std::int64_t largest_step;  ///< of the counter
};
constexpr std::array<ProfileWord, 8> profile_words{
    {{"P01", Profile::p01, 2, 0xFFFF, 14},
     {"P02", Profile::p02, 2, 0, 15},
     {"P04", Profile::p04, 12, 0xFFFFFFFF, 0xFFFF},
     {"P05", Profile::p05, 3, 0xFFFF, 0xFF},
     {"P06", Profile::p06, 5, 0xFFFF, 0xFF},
     {"P07", Profile::p07, 20, 0xFFFFFFFF, 0xFFFFFFFF},
     {"P11", Profile::p11, 2, 0xFFFF, 14},
     {"P22", Profile::p22, 2, 0, 15}}};
constexpr unsigned longest_of_profile_1 = 30;  // bytes, by the standard

using Bits = std::array<std::uint8_t, 64>;

Bits bits_of(const DbcSignal& signal) {
  Bits bits{};
  for (const BitPiece& piece : bit_pieces(signal))
    bits[piece.byte] =
        static_cast<std::uint8_t>(bits[piece.byte] | ((1U << piece.width) - 1U) << piece.low_bit);
  return bits;
}

bool overlap(const Bits& a, const Bits& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if ((a[k] & b[k]) != 0) return true;
  return false;
}

can::Field field_of(const DbcSignal& signal) {
  can::Field field;
  field.width = static_cast<std::uint8_t>(signal.length);
  for (const BitPiece& piece : bit_pieces(signal))
    field.pieces.at(field.count++) = {.byte = static_cast<std::uint8_t>(piece.byte),
                                      .low_bit = static_cast<std::uint8_t>(piece.low_bit),
                                      .width = static_cast<std::uint8_t>(piece.width),
                                      .raw_low = static_cast<std::uint8_t>(piece.raw_low)};
  return field;
}

/// Reads the protection of one message.
class Reader {
 public:
  Reader(const DbcMessage& message, const TomlEntry& entry, Diagnostics& diagnostics)
      : message_(message),
        entry_(entry),
        diagnostics_(diagnostics),
        errors_(diagnostics.error_count()),
        table_(entry.value, "the protection of " + message.name, diagnostics) {}

  std::optional<can::ProtectionSettings> read() {
    settings_.length = message_.length;
    const std::array<std::string, 2> reactions{"ignore", "take"};
    settings_.take_wrong = table_.choice("on_error", reactions).value_or("ignore") == "take";
    if (entry_.value.get("profile") != nullptr)
      profile();
    else
      plain();
    table_.done();
    if (!failed()) check_fields();
    if (failed()) return std::nullopt;
    return settings_;
  }

 private:
  bool failed() const { return diagnostics_.error_count() > errors_; }

  void profile() {
    std::vector<std::string> words;
    for (const ProfileWord& known : profile_words) words.emplace_back(known.word);
    const auto word = table_.choice("profile", words);
    if (!word) return table_.forget();
    const ProfileWord& row =
        *std::find_if(profile_words.begin(), profile_words.end(),
                      [&](const ProfileWord& known) { return *word == known.word; });
    settings_.profile = row.profile;
    const bool is_as_1 = row.profile == Profile::p01 || row.profile == Profile::p11;
    if (row.largest_id == 0)
      settings_.data_id_count = list("data_id_list", 16, 16);
    else if (const auto id = needed("data_id", 0, row.largest_id))
      settings_.data_id = static_cast<std::uint32_t>(*id);
    if (is_as_1) {
      data_id_mode();
      settings_.crc_offset = offset("crc_offset", 8, settings_.crc_offset);
      settings_.counter_offset = offset("counter_offset", 4, settings_.counter_offset);
      settings_.data_id_nibble_offset =
          offset("data_id_nibble_offset", 4, settings_.data_id_nibble_offset);
    } else {
      settings_.offset = offset("offset", 8, 0);
    }
    if (const auto step = table_.whole("max_delta_counter", 1, row.largest_step))
      settings_.max_delta_counter = static_cast<std::uint32_t>(*step);
    if (is_as_1 && message_.length > longest_of_profile_1)
      fit("profile " + *word + " protects 30 bytes at most, and the message has " +
              std::to_string(message_.length),
          "take profile P05, or another of the longer ones");
    if (message_.length < row.header)
      fit("profile " + *word + " needs " + std::to_string(row.header) +
              " bytes, and the message has " + std::to_string(message_.length),
          "");
  }

  void data_id_mode() {
    const std::vector<std::string> words =
        settings_.profile == Profile::p01 ? std::vector<std::string>{"both", "alt", "low", "nibble"}
                                          : std::vector<std::string>{"both", "nibble"};
    const std::string word = table_.choice("data_id_mode", words).value_or("both");
    settings_.data_id_mode = word == "alt"      ? DataIdMode::alt
                             : word == "low"    ? DataIdMode::low
                             : word == "nibble" ? DataIdMode::nibble
                                                : DataIdMode::both;
    if (settings_.data_id_mode == DataIdMode::nibble && settings_.data_id > 0xFFF)
      diagnostics_.error("B004", entry_.value.get("data_id")->where,
                         "with data_id_mode = \"nibble\" a data id has 12 bits",
                         "data_id = 0x100 to 0xFFF");
  }

  void plain() {
    const auto counter = signal("counter"), checksum = signal("checksum");
    if (!failed() && counter == nullptr && checksum == nullptr) {
      diagnostics_.error(
          "B041", entry_.where,
          "the protection of " + message_.name +
              " names neither a profile nor a counter or a checksum",
          "profile = \"P01\" (to P22), or counter = \"SIGNAL\", checksum = \"SIGNAL\"");
      return table_.forget();
    }
    if (counter != nullptr) {
      if (counter->length > 32) fit("the counter " + counter->name + " has more than 32 bits", "");
      settings_.counter = field_of(*counter);
      const std::uint64_t largest = can::low_bits(std::min<unsigned>(counter->length, 32));
      settings_.counters = static_cast<std::uint64_t>(
                               table_.whole("counter_max", 1, static_cast<std::int64_t>(largest))
                                   .value_or(static_cast<std::int64_t>(largest))) +
                           1;
      const auto most =
          std::max<std::int64_t>(1, static_cast<std::int64_t>(settings_.counters) - 1);
      if (const auto step = table_.whole("max_delta", 1, most))
        settings_.max_delta_counter = static_cast<std::uint32_t>(*step);
    }
    if (checksum != nullptr) sum(*checksum, counter != nullptr);
    if (counter != nullptr && checksum != nullptr && overlap(bits_of(*counter), bits_of(*checksum)))
      fit("the counter " + counter->name + " and the checksum " + checksum->name + " share bits",
          "");
  }

  void sum(const DbcSignal& checksum, bool has_counter) {
    settings_.checksum = field_of(checksum);
    settings_.crc.width = static_cast<std::uint8_t>(checksum.length);
    const auto polynomial = bits("polynomial");
    settings_.crc.start = bits("start").value_or(0);
    settings_.crc.exclusive_or = bits("xor").value_or(0);
    settings_.crc.reflected = table_.flag("reflected").value_or(false);
    settings_.to = static_cast<std::uint16_t>(std::max(1, int{message_.length}) - 1);
    if (polynomial)
      settings_.crc.polynomial = *polynomial;
    else if (!failed())
      diagnostics_.error(
          "B041", entry_.where, "the checksum of " + message_.name + " needs its polynomial",
          "polynomial = 0x1D: without its highest bit, the most significant bit first");
    settings_.data_id_count = list("data_ids", 1, 16);
    settings_.data_ids_first = table_.flag("data_ids_first").value_or(false);
    if (settings_.data_id_count > 1 && !has_counter)
      diagnostics_.error(
          "B041", entry_.value.get("data_ids")->where,
          "several data ids of " + message_.name + " need a counter that chooses among them",
          "counter = \"SIGNAL\", or one data id");
    range();
  }

  /// bytes = "1..7"
  void range() {
    const auto text = table_.text("bytes");
    if (!text) return;
    const auto dots = text->find("..");
    unsigned from = 0, to = 0;
    const auto whole = [](std::string_view part, unsigned& value) {
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
      return error == std::errc{} && end == part.data() + part.size();
    };
    const std::string_view view = *text;
    const bool is_good = dots != std::string::npos && whole(view.substr(0, dots), from) &&
                         whole(view.substr(dots + 2), to);
    if (!is_good || from > to || to >= message_.length) {
      diagnostics_.error("B004", entry_.value.get("bytes")->text_where,
                         "'bytes' of " + message_.name +
                             " is no range of its bytes, of which it has " +
                             std::to_string(message_.length),
                         "bytes = \"1..7\": the first and the last that the checksum goes over");
      return;
    }
    settings_.from = static_cast<std::uint16_t>(from);
    settings_.to = static_cast<std::uint16_t>(to);
  }

  const DbcSignal* signal(const char* key) {
    const auto name = table_.text(key);
    if (!name) return nullptr;
    const auto index = find_signal(message_, *name);
    const Location& where = entry_.value.get(key)->text_where;
    if (!index) {
      std::vector<std::string> names;
      for (const auto& known : message_.signals) names.push_back(known.name);
      diagnostics_.error("B021", where,
                         "message " + message_.name + " has no signal '" + *name + "'",
                         did_you_mean(*name, names));
      return nullptr;
    }
    const DbcSignal& found = message_.signals[*index];
    const bool is_whole =
        found.type == RawType::unsigned_integer || found.type == RawType::signed_integer;
    if (found.usable && is_whole && !found.multiplexed_by && !found.multiplexer) return &found;
    diagnostics_.error(
        "B040", where,
        "signal " + message_.name + "." + *name + " cannot be its " + key +
            (found.usable ? ": it must be a whole number that every frame of the message has"
                          : ": see the finding about the database"));
    return nullptr;
  }

  /// A whole number, or hexadecimal text: TOML has no integers above 2^63.
  std::optional<std::uint64_t> bits(const char* key) {
    const TomlValue* value = table_.any(key);
    if (value == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    bool is_good = false;
    if (value->is_string()) {
      std::string_view text = value->text;
      if (text.starts_with("0x")) {
        text.remove_prefix(2);
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), number, 16);
        is_good = error == std::errc{} && end == text.data() + text.size();
      }
    } else if (value->is(TomlValue::Kind::integer) && value->number >= 0 &&
               value->number <= 9007199254740992.0) {
      number = static_cast<std::uint64_t>(value->number);
      is_good = true;
    }
    if (is_good && number <= can::low_bits(settings_.crc.width)) return number;
    diagnostics_.error("B004", value->where,
                       "'" + std::string(key) + "' of the checksum of " + message_.name +
                           " must be a whole number of " + std::to_string(settings_.crc.width) +
                           " bits",
                       "above 2^53 as text: \"0x42F0E1EBA9EA3693\"");
    return std::nullopt;
  }

  std::optional<std::int64_t> needed(const char* key, std::int64_t smallest, std::int64_t largest) {
    if (entry_.value.get(key) == nullptr)
      diagnostics_.error("B041", entry_.where,
                         "the protection of " + message_.name + " needs " + key,
                         std::string(key) + " = 0x123");
    return table_.whole(key, smallest, largest);
  }

  /// Bits, a multiple of `step`.
  std::uint16_t offset(const char* key, unsigned step, std::uint16_t without) {
    const auto bits = table_.whole(key, 0, std::int64_t{8} * 64 - 4);
    if (bits && *bits % step != 0)
      diagnostics_.error("B004", entry_.value.get(key)->where,
                         "'" + std::string(key) + "' counts bits, and must be a multiple of " +
                             std::to_string(step));
    return static_cast<std::uint16_t>(bits.value_or(without));
  }

  /// Bytes into the list of data ids.  @param smallest  0 entries are allowed where the key is
  /// missing and this is 1
  std::uint8_t list(const char* key, std::size_t smallest, std::size_t largest) {
    const TomlValue* value = table_.any(key);
    const bool is_list = value != nullptr && value->is_array() && value->items.size() >= smallest &&
                         value->items.size() <= largest;
    const bool is_good =
        is_list && std::all_of(value->items.begin(), value->items.end(), [](const TomlValue& item) {
          return item.is(TomlValue::Kind::integer) && item.number >= 0 && item.number <= 255;
        });
    if (value == nullptr && smallest == 1) return 0;
    if (!is_good) {
      diagnostics_.error(
          value == nullptr ? "B041" : "B004", value == nullptr ? entry_.where : value->where,
          "the protection of " + message_.name + " needs " + key + ", a list of " +
              (smallest == largest ? "" : "up to ") + std::to_string(largest) + " bytes",
          std::string(key) + " = [0x01, 0x02, ...], chosen by the counter");
      return 0;
    }
    for (std::size_t k = 0; k < value->items.size(); ++k)
      settings_.data_id_list.at(k) = static_cast<std::uint8_t>(value->items[k].number);
    return static_cast<std::uint8_t>(value->items.size());
  }

  void fit(const std::string& what, const std::string& hint) {
    diagnostics_.error("B040", entry_.where, "message " + message_.name + ": " + what, hint);
  }

  void check_fields() {
    const can::Protection protection = can::make_protection(settings_);
    if (can::last_byte_of(protection) >= message_.length) {
      fit("its protection reaches to byte " + std::to_string(can::last_byte_of(protection)) +
              ", and the message has " + std::to_string(message_.length) + " bytes",
          "offsets count bits, from the lowest of the first byte on");
      return;
    }
    unsigned wide = protection.counter.width + protection.checksum.width, set = 0;
    for (std::size_t k = 0; k < protection.constant_count; ++k)
      wide += protection.constants[k].field.width;
    for (const std::uint8_t byte : can::protected_bits(protection))
      for (unsigned bit = 0; bit < 8; ++bit) set += byte >> bit & 1U;
    if (set < wide)
      fit("fields of its protection share bits",
          "move crc_offset, counter_offset or data_id_nibble_offset");
  }

  const DbcMessage& message_;
  const TomlEntry& entry_;
  Diagnostics& diagnostics_;
  std::size_t errors_;
  RigTable table_;
  can::ProtectionSettings settings_;
};

std::string example() { return "\"MESSAGE\" = { profile = \"P01\", data_id = 0x123 }"; }

}  // namespace

void read_protection(BusMap& bus, const TomlValue& table, Diagnostics& diagnostics) {
  if (!table.is_table()) {
    diagnostics.error("B003", table.where, "'protect' of [bus." + bus.name + "] is a table",
                      example());
    return;
  }
  for (const TomlEntry& entry : table.entries) {
    const DbcMessage* message = bus.dbc->find(entry.key);
    if (message == nullptr) {
      std::vector<std::string> names;
      for (const auto& known : bus.dbc->messages) names.push_back(known.name);
      diagnostics.error("B021", entry.where, "the database has no message '" + entry.key + "'",
                        did_you_mean(entry.key, names));
    } else if (!entry.value.is_table()) {
      diagnostics.error("B003", entry.value.where, "the protection of a message is a table",
                        example());
    } else if (!message->is_one_frame() || message->length == 0) {
      diagnostics.error("B040", entry.where,
                        "message " + message->name + " has " + std::to_string(message->length) +
                            " bytes: it is not sent as a frame with something to protect");
    } else if (const auto settings = Reader(*message, entry, diagnostics).read()) {
      const auto index = static_cast<std::size_t>(message - bus.dbc->messages.data());
      bus.protection.push_back({.message = index, .settings = *settings, .where = entry.where});
    }
  }
}

void check_protection(const BusMap& bus, Diagnostics& diagnostics) {
  for (const ProtectionMap& map : bus.protection) {
    const DbcMessage& message = bus.dbc->messages[map.message];
    const auto is_it = [&](const auto& other) { return other.message == map.message; };
    if (std::none_of(bus.send.begin(), bus.send.end(), is_it) &&
        std::none_of(bus.receive.begin(), bus.receive.end(), is_it) &&
        std::none_of(bus.rest.begin(), bus.rest.end(), is_it)) {
      diagnostics.error(
          "B042", map.where,
          "message " + message.name + " is protected, but neither sent nor received",
          "map a signal of it in [bus." + bus.name + ".send] or [bus." + bus.name + ".receive]");
      continue;
    }
    const Bits own = can::protected_bits(can::make_protection(map.settings));
    for (const MessageMap& sent : bus.send) {
      if (sent.message != map.message) continue;
      for (const SignalMap& signal : sent.signals) {
        const DbcSignal& dbc = message.signals[signal.signal];
        if (!overlap(own, bits_of(dbc))) continue;
        diagnostics.error("B040", signal.where,
                          "signal " + message.name + "." + dbc.name +
                              " has bits that the protection in line " +
                              std::to_string(map.where.line) + " writes",
                          "leave its line out, or move the fields of the protection");
      }
    }
  }
}

const ProtectionMap* protection_of(const BusMap& bus, std::size_t message) {
  const auto it = std::find_if(bus.protection.begin(), bus.protection.end(),
                               [&](const ProtectionMap& map) { return map.message == message; });
  return it == bus.protection.end() ? nullptr : &*it;
}

bool is_written_by_protection(const BusMap& bus, std::size_t message, std::size_t signal) {
  const ProtectionMap* map = protection_of(bus, message);
  const DbcSignal& dbc = bus.dbc->messages[message].signals[signal];
  if (map == nullptr || !dbc.usable) return false;
  const Bits own = can::protected_bits(can::make_protection(map->settings)), bits = bits_of(dbc);
  for (std::size_t k = 0; k < bits.size(); ++k)
    if ((bits[k] & ~own[k]) != 0) return false;
  return true;
}

}  // namespace takt::codegen
