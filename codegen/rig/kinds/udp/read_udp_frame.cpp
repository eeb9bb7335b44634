// The layout of one UDP frame.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "codegen/library/names.hpp"
#include "codegen/rig/kinds/udp/udp_buses.hpp"
#include "codegen/rig/rig_values.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/udp/field.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, hour = 3'600'000'000'000;
const std::vector<std::string> type_words{"u8",  "i8",  "u16", "i16", "u32",
                                          "i32", "u64", "i64", "f32", "f64"};
const std::vector<std::string> missing_words{"safe", "hold", "extrapolate"};
constexpr const char* example =
    R"(fields = [{ counter = "u32" }, { time = "i64" }, { name = "torque", type = "f64", unit = "N*m", ... }])";

DbcSignal signal_of(const UdpField& field) {
  DbcSignal signal;
  signal.name = field.name;
  signal.length = static_cast<std::uint16_t>(8 * udp::size_of(field.type));
  signal.type = field.type == udp::FieldType::f32 ? RawType::float32
                : udp::is_float(field.type)       ? RawType::float64
                : udp::is_signed(field.type)      ? RawType::signed_integer
                                                  : RawType::unsigned_integer;
  signal.minimum = field.minimum, signal.maximum = field.maximum;
  return signal;
}

/// What says what a field is joined to.
constexpr std::array<std::string_view, 4> of_received{"to", "unit", "scale", "offset"};
constexpr std::array<std::string_view, 6> of_sent{"from",   "unit",  "scale",
                                                  "offset", "value", "safe"};

/// These keys of a table alone.
TomlValue part_of(const TomlValue& table, std::span<const std::string_view> keys) {
  TomlValue part = table;
  std::erase_if(part.entries, [&](const TomlEntry& entry) {
    return std::find(keys.begin(), keys.end(), entry.key) == keys.end();
  });
  return part;
}

class FrameReader {
 public:
  FrameReader(const UdpFrameEntry& given, Diagnostics& diagnostics)
      : given_(given), diagnostics_(diagnostics) {}

  UdpFrame read() {
    frame_.name = given_.entry.key, frame_.where = given_.entry.where;
    RigTable table(given_.entry.value, title(), diagnostics_);
    const UdpDefaults own = given_.received ? read_udp_defaults(table) : UdpDefaults{};
    const auto period = given_.received ? std::nullopt : table.duration("period", ms / 10, hour);
    if (const TomlValue* const fields = table.any("fields");
        fields == nullptr || !fields->is_array())
      wrong(fields != nullptr ? fields->where : given_.entry.where,
            title() + " needs a list of its fields", example);
    else if (fields->items.empty())
      wrong(fields->where, title() + " has no field", example);
    else
      for (const TomlValue& field : fields->items) read_field(field);
    table.done();
    if (frame_.length > udp::most_bytes)
      wrong(given_.entry.where,
            title() + " has " + std::to_string(frame_.length) + " bytes, more than the " +
                std::to_string(udp::most_bytes) + " that fit into one Ethernet frame",
            "several frames, told apart by a constant or their length");
    if (given_.received)
      finish_received(own);
    else
      finish_sent(table, period);
    return std::move(frame_);
  }

 private:
  [[nodiscard]] std::string title() const { return "the UDP frame '" + given_.entry.key + "'"; }
  void wrong(const Location& where, const std::string& what, const std::string& cure = "") {
    diagnostics_.error("B051", where, what, cure);
  }

  std::optional<udp::FieldType> type(RigTable& table, const char* key) {
    const auto word = table.choice(key, type_words);
    if (!word) return std::nullopt;
    return static_cast<udp::FieldType>(std::find(type_words.begin(), type_words.end(), *word) -
                                       type_words.begin());
  }

  void read_field(const TomlValue& value) {
    if (!value.is_table())
      return wrong(value.where, "a field of " + title() + " is a table", example);
    static const std::array<std::pair<const char*, void (FrameReader::*)(const TomlValue&)>, 5>
        kinds{{{"name", &FrameReader::read_signal},
               {"counter", &FrameReader::read_counter},
               {"time", &FrameReader::read_time},
               {"constant", &FrameReader::read_constant},
               {"skip", &FrameReader::read_skip}}};
    const auto is_given = [&](const auto& kind) { return value.get(kind.first) != nullptr; };
    const auto found = std::find_if(kinds.begin(), kinds.end(), is_given);
    if (std::count_if(kinds.begin(), kinds.end(), is_given) != 1)
      return wrong(value.where,
                   "a field of " + title() + " is one of name, counter, time, constant or skip",
                   example);
    (this->*found->second)(value);
  }

  /// @param where  of its type
  void add(UdpField field, const Location& where) {
    if (field.use == udp::FieldUse::counter || field.use == udp::FieldUse::time)
      if (frame_.has(field.use))
        return wrong(where, title() + " has a second " +
                                (field.use == udp::FieldUse::time ? "time" : "counter"));
    field.where = where, field.at = frame_.length;
    // Beyond all bounds it is said once, and stays a number of 16 bits.
    frame_.length = static_cast<std::uint16_t>(
        std::min<std::size_t>(frame_.length + udp::size_of(field.type), 0xFFFF));
    frame_.fields.push_back(std::move(field));
  }

  void read_skip(const TomlValue& value) {
    RigTable table(value, "a field of " + title(), diagnostics_);
    const auto bytes = table.whole("skip", 1, static_cast<std::int64_t>(udp::most_bytes));
    table.done();
    if (bytes)
      frame_.length = static_cast<std::uint16_t>(
          std::min<std::size_t>(frame_.length + static_cast<std::size_t>(*bytes), 0xFFFF));
  }

  void read_counter(const TomlValue& value) {
    RigTable table(value, "a field of " + title(), diagnostics_);
    const auto of = type(table, "counter");
    table.done();
    const Location& where = value.get("counter")->text_where;
    if (of && (udp::is_float(*of) || udp::is_signed(*of)))
      return wrong(where, "a counter is a whole number without sign", "counter = \"u32\"");
    if (of)
      add({.name = "counter", .type = *of, .use = udp::FieldUse::counter, .map = {}, .where = {}},
          where);
  }

  void read_time(const TomlValue& value) {
    RigTable table(value, "a field of " + title(), diagnostics_);
    const auto of = type(table, "time");
    table.done();
    const Location& where = value.get("time")->text_where;
    if (of && udp::size_of(*of) < 8)
      return wrong(where, "a time stamp has 64 bits: i64 or u64, whole ns; f64, seconds",
                   "time = \"i64\"");
    if (of)
      add({.name = "time", .type = *of, .use = udp::FieldUse::time, .map = {}, .where = {}}, where);
  }

  void read_constant(const TomlValue& value) {
    RigTable table(value, "a field of " + title(), diagnostics_);
    const auto of = type(table, "constant");
    const auto number = table.number("value");
    table.done();
    const Location& where = value.get("constant")->text_where;
    if (!of || !number) {
      if (of)
        wrong(value.where, "a constant field of " + title() + " needs its value", "value = 0x5443");
      return;
    }
    if (udp::is_float(*of) || std::abs(*number) > 9007199254740992.0 ||
        !udp::bits_of(*number, *of).fits || std::nearbyint(*number) != *number)
      return wrong(where, "a constant field is a whole number of its type, up to 2^53: " +
                              number_text(*number) + " is none of " +
                              type_words[static_cast<std::size_t>(*of)]);
    UdpField field{
        .name = "constant", .type = *of, .use = udp::FieldUse::constant, .map = {}, .where = {}};
    field.map.constant = *number;
    add(std::move(field), where);
  }

  void read_signal(const TomlValue& value) {
    RigTable table(value, "a field of " + title(), diagnostics_);
    UdpField field;
    field.name = table.text("name").value_or("");
    const auto of = type(table, "type");
    const Location& where = value.get("name")->text_where;
    if (!valid_name(field.name))
      wrong(where, "the name of a field is made of letters, digits and _");
    if (std::any_of(frame_.fields.begin(), frame_.fields.end(), [&](const UdpField& other) {
          return other.use == udp::FieldUse::signal && other.name == field.name;
        }))
      wrong(where, title() + " has two fields '" + field.name + "'");
    if (!of) {
      if (value.get("type") == nullptr)
        wrong(value.where, "field " + field.name + " of " + title() + " has no type",
              "type = one of " + join_names(type_words));
      return;
    }
    field.type = *of;
    read_range(table, field);
    const std::span<const std::string_view> keys =
        given_.received ? std::span<const std::string_view>(of_received)
                        : std::span<const std::string_view>(of_sent);
    for (const std::string_view key : keys) (void)table.any(key);
    table.done();
    check_whole(value, *of);
    if (!given_.received || value.get("to") != nullptr)  // else nobody reads it
      (void)ValueReader(given_.target, diagnostics_)
          .read(part_of(value, keys), signal_of(field),
                given_.received ? SignalDirection::receive : SignalDirection::send, field.map);
    field.map.where = where;
    add(std::move(field), where);
  }

  /// What would be rounded on its way into the frame.
  void check_whole(const TomlValue& value, udp::FieldType type) {
    if (udp::is_float(type)) return;
    for (const char* key : {"value", "safe"})
      if (const TomlValue* const number = value.get(key);
          number != nullptr && number->is_number() && std::isfinite(number->number) &&
          std::nearbyint(number->number) != number->number)
        wrong(number->where,
              type_words[static_cast<std::size_t>(type)] +
                  " holds whole numbers: " + number_text(number->number) + " is none",
              "type = \"f32\" or \"f64\" where the receiver expects one");
  }

  /// range = [0, 100]
  void read_range(RigTable& table, UdpField& field) {
    const TomlValue* const range = table.any("range");
    if (range == nullptr) return;
    const bool is_pair = range->is_array() && range->items.size() == 2 &&
                         range->items[0].is_number() && range->items[1].is_number() &&
                         range->items[0].number < range->items[1].number;
    if (!is_pair)
      return wrong(range->where, "a range is two numbers, the smaller first", "range = [0, 100]");
    field.minimum = range->items[0].number, field.maximum = range->items[1].number;
  }

  void finish_received(const UdpDefaults& own) {
    const UdpDefaults& bus = given_.defaults;
    frame_.timeout_ns = own.timeout_ns.value_or(bus.timeout_ns.value_or(100 * ms));
    frame_.missing = own.missing.value_or(bus.missing.value_or(udp::Missing::safe));
    const bool has_time = frame_.has(udp::FieldUse::time);
    if (own.late_ns && !has_time)
      wrong(given_.entry.value.get("late")->text_where,
            "without a time stamp nobody sees which frames of " + frame_.name + " are late",
            "{ time = \"i64\" } among its fields");
    if (frame_.missing == udp::Missing::extrapolate && !has_time && has_moving())
      wrong(given_.entry.where,
            title() +
                " has no time stamp, and without one nothing can be extrapolated: frames "
                "that come in a bunch would give any slope",
            "{ time = \"i64\" } among its fields, or missing = \"hold\"");
    frame_.late_ns = has_time ? own.late_ns.value_or(bus.late_ns.value_or(10 * ms)) : 0;
    if (!frame_.has(udp::FieldUse::counter) && !frame_.fields.empty())
      diagnostics_.warning(
          "B053", given_.entry.where,
          title() +
              " has no counter: frames that are lost, doubled or come in another order are "
              "taken as they come, and nobody counts them",
          "{ counter = \"u32\" } among its fields, where its sender has one");
    else if (!shows_order())
      diagnostics_.warning("B053", given_.entry.where,
                           title() +
                               " would be taken in the wrong byte order, too: its counter "
                               "has one byte, and no constant has more",
                           "{ constant = \"u16\", value = 0x5443 } among its fields, where its "
                           "sender has one");
  }

  /// It has a float that sets an input.
  [[nodiscard]] bool has_moving() const {
    return std::any_of(frame_.fields.begin(), frame_.fields.end(), [](const UdpField& field) {
      return udp::is_float(field.type) && !field.map.path.empty();
    });
  }

  /// One of its fields is not taken in the other byte order, or all are the same in both.
  [[nodiscard]] bool shows_order() const {
    bool any_to_read = false;
    for (const UdpField& field : frame_.fields) {
      if (udp::size_of(field.type) < 2) continue;
      if (field.use == udp::FieldUse::counter || field.use == udp::FieldUse::constant) return true;
      any_to_read = any_to_read || !field.map.path.empty();
    }
    return !any_to_read;
  }

  void finish_sent(RigTable& table, std::optional<std::int64_t> period) {
    if (!period && table.any("period") == nullptr)
      wrong(given_.entry.where, title() + " does not say how often it is sent",
            "period = \"1 ms\"");
    frame_.period_ns = period.value_or(0);
    const std::int64_t release = given_.target.release_ns;
    if (!period || release <= 0 || *period % release == 0) return;
    diagnostics_.warning("B027", table.any("period")->text_where,
                         "the period " + duration_text(*period) + " of " + title() +
                             " is no multiple of the time between two releases, " +
                             duration_text(release) + ": frames leave with the release after",
                         "period = \"" + duration_text((*period / release + 1) * release) + "\"");
  }

  const UdpFrameEntry& given_;
  Diagnostics& diagnostics_;
  UdpFrame frame_;
};

}  // namespace

bool UdpFrame::has(udp::FieldUse use) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const UdpField& field) { return field.use == use; });
}

UdpDefaults read_udp_defaults(RigTable& table) {
  UdpDefaults read;
  read.timeout_ns = table.duration("timeout", ms, hour);
  read.late_ns = table.duration("late", 0, hour);
  if (const auto word = table.choice("missing", missing_words))
    read.missing = static_cast<udp::Missing>(
        std::find(missing_words.begin(), missing_words.end(), *word) - missing_words.begin());
  return read;
}

std::optional<UdpFrame> read_udp_frame(const UdpFrameEntry& given, Diagnostics& diagnostics) {
  if (!given.entry.value.is_table() || !valid_name(given.entry.key)) {
    diagnostics.error(
        "B051", given.entry.where,
        "a UDP frame is a table with its fields; its name is made of letters, digits and _",
        example);
    return std::nullopt;
  }
  const auto errors = diagnostics.error_count();
  UdpFrame frame = FrameReader(given, diagnostics).read();
  if (diagnostics.error_count() > errors) return std::nullopt;
  return frame;
}

}  // namespace takt::codegen
