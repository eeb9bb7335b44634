// [gateway] of the rig file.

#include "codegen/rig/rig_gateway.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/can/id_text.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::size_t most_messages = 512, most_gateways = 64;
constexpr const char* example =
    R"(body = { from = "can0", to = "can1", messages = ["BMS_State", "0x100..0x1FF"] })";

std::optional<IdRange> range_of(const can::WrittenId& id) {
  return IdRange{id.id, id.id, id.is_eight_digits || id.id > can::largest_standard_id};
}

/// "0x123" or "0x100..0x1FF".  @return nothing after an error
std::optional<IdRange> read_range(const std::string& text, const Location& where,
                                  Diagnostics& diagnostics) {
  const auto dots = text.find("..");
  const auto first = can::read_id(text.substr(0, dots));
  const auto last = dots == std::string::npos ? first : can::read_id(text.substr(dots + 2));
  if (!first || !last) {
    diagnostics.error("B046", where,
                      "'" + text + "' is no CAN id of 11 or 29 bits, and no range of them",
                      "write \"0x123\", \"0x100..0x1FF\", or \"0x00000123\" of 29 bits");
    return std::nullopt;
  }
  IdRange range = *range_of(*first);
  const IdRange end = *range_of(*last);
  range.last = end.last;
  if (range.extended == end.extended && range.first <= range.last) return range;
  diagnostics.error(
      "B046", where,
      "'" + text + "' is no range of ids: " +
          (range.extended != end.extended ? "one end has 11 bits, the other 29"
                                          : "its end lies before its beginning"),
      "ids above 0x7FF, and those with eight hexadecimal digits (0x00000100), have 29 bits");
  return std::nullopt;
}

struct GatewayReader {
  Rig& rig;
  const TomlEntry& entry;
  Diagnostics& diagnostics;

  [[nodiscard]] std::string title() const { return "[gateway] " + entry.key; }

  /// @return nothing after an error
  std::optional<std::size_t> bus(RigTable& table, const char* key) {
    const auto name = table.text(key);
    if (!name) {
      if (table.any(key) == nullptr)
        diagnostics.error("B046", entry.where, title() + " needs '" + key + "'", example);
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const BusMap& known : rig.buses) names.push_back(known.name);
    const auto found = std::find(names.begin(), names.end(), *name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "the buses are " : ", ") + known;
    const std::string hint = did_you_mean(*name, names);
    diagnostics.error("B046", entry.value.get(key)->text_where,
                      "the rig has no CAN bus '" + *name + "'",
                      !hint.empty()  ? hint
                      : list.empty() ? "the rig has no CAN bus at all"
                                     : list);
    return std::nullopt;
  }

  /// An id, a range of them, or a message of the database of this bus.  @return nothing after an
  /// error
  std::optional<ForwardedMap> message(const std::string& text, const BusMap& bus,
                                      const Location& where) {
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      const auto range = read_range(text, where, diagnostics);
      if (!range) return std::nullopt;
      return ForwardedMap{.text = text, .from = *range, .to = *range, .group = {}, .where = where};
    }
    if (!bus.dbc) return std::nullopt;  // said before
    const DbcMessage* const found = bus.dbc->find(text);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const DbcMessage& known : bus.dbc->messages) names.push_back(known.name);
      const std::string hint = did_you_mean(text, names);
      diagnostics.error("B021", where,
                        "the database of bus " + bus.name + " has no message '" + text + "'",
                        hint.empty() ? "a message of that database, or its id: \"0x123\"" : hint);
      return std::nullopt;
    }
    const IdRange id{found->id, found->id, found->extended};
    return ForwardedMap{.text = text,
                        .from = id,
                        .to = id,
                        .fd = found->fd,
                        .group = bus.dbc->group_of(*found),
                        .where = where};
  }

  /// `id`: of one message, in one direction.
  void rename(RouteMap& route, RigTable& table, bool both) {
    const auto id = table.text("id");
    if (!id) return;
    const Location where = entry.value.get("id")->text_where;
    const auto renamed = message(*id, rig.buses[route.to], where);
    if (!renamed) return;
    const auto is_one = [](const IdRange& range) { return range.first == range.last; };
    if (both || route.messages.size() != 1 || !is_one(route.messages[0].from) ||
        !is_one(renamed->to)) {
      diagnostics.error("B046", where,
                        "'id' of " + title() + " is the id of one message, in one direction",
                        "write a gateway for each message and direction that gets another id");
      return;
    }
    route.messages[0].to = renamed->to;
  }

  void read_messages(RouteMap& route, RigTable& table) {
    const auto texts = table.texts("messages");
    const TomlValue* const value = table.any("messages");
    if (value == nullptr ||
        (value->is_array() && (value->items.empty() || value->items.size() > most_messages)))
      diagnostics.error("B046", value == nullptr ? entry.where : value->where,
                        title() + " needs 'messages': 1 to " + std::to_string(most_messages) +
                            " messages of the database of `from`, ids or ranges of ids",
                        example);
    for (const auto& [text, where] : texts)
      if (auto read = message(text, rig.buses[route.from], where))
        route.messages.push_back(std::move(*read));
  }

  void read_spacing(RouteMap& route, RigTable& table, bool both) {
    route.spacing_ns = table.duration("spacing", 0, 60 * second).value_or(0);
    const BusMap &to = rig.buses[route.to], &from = rig.buses[route.from];
    const BusMap& slower = both && from.grid_ns > to.grid_ns ? from : to;
    if (route.spacing_ns == 0 || route.spacing_ns >= slower.grid_ns) return;
    diagnostics.error("B046", entry.value.get("spacing")->text_where,
                      "the spacing of " + title() + " is shorter than the grid of bus " +
                          slower.name + ", " + duration_text(slower.grid_ns) +
                          ": it cannot be kept",
                      "a longer spacing, or a shorter 'grid' in [bus." + slower.name + "]");
  }

  /// @param number  of this gateway
  void read(std::size_t number) {
    if (!entry.value.is_table() || !valid_name(entry.key)) {
      diagnostics.error("B003", entry.where,
                        "a gateway is a table; its name is made of letters, digits and _", example);
      return;
    }
    if (!is_free(entry.key, NamePlace::scenario, entry.where, diagnostics)) return;
    RigTable table(entry.value, title(), diagnostics);
    const auto from = bus(table, "from"), to = bus(table, "to");
    const bool both = table.flag("both").value_or(false);
    if (!from || !to) return;
    if (*from == *to) {
      diagnostics.error("B046", entry.value.get("to")->text_where,
                        title() + " has bus " + rig.buses[*from].name + " on both sides",
                        "a gateway joins two buses");
      return;
    }
    RouteMap route{.name = entry.key, .gateway = number, .from = *from, .to = *to, .messages = {}};
    read_messages(route, table);
    rename(route, table, both);
    read_spacing(route, table, both);
    route.queue = static_cast<std::uint32_t>(table.whole("queue", 1, 4096).value_or(route.queue));
    table.done();
    rig.routes.push_back(route);
    if (!both) return;
    std::swap(route.from, route.to);
    rig.routes.push_back(std::move(route));
  }
};

}  // namespace

std::optional<IdRange> common(const IdRange& a, const IdRange& b) {
  const IdRange both{std::max(a.first, b.first), std::min(a.last, b.last), a.extended};
  if (a.extended != b.extended || both.first > both.last) return std::nullopt;
  return both;
}

std::string range_text(const IdRange& range) {
  const std::string first = can::id_text(range.first, range.extended);
  return range.first == range.last ? first
                                   : first + ".." + can::id_text(range.last, range.extended);
}

void read_gateways(Rig& rig, const TomlValue& value, Diagnostics& diagnostics) {
  if (!value.is_table() || value.entries.size() > most_gateways) {
    diagnostics.error("B003", value.where, "'gateway' is a table of at most 64 gateways", example);
    return;
  }
  for (std::size_t k = 0; k < value.entries.size(); ++k)
    GatewayReader{rig, value.entries[k], diagnostics}.read(k);
  check_gateways(rig, diagnostics);
}

}  // namespace takt::codegen
