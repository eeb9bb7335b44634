#pragma once
// Inside of load_rig: typed values out of the TOML tree, and the entries of [bus.NAME.receive] and
// [bus.NAME.send].

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/library/toml_tree.hpp"
#include "codegen/rig/rig.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// Typed reading of one table. A key nobody asked for is an error at the end (done()).
class RigTable {
 public:
  RigTable(const TomlValue& table, std::string title, Diagnostics& diagnostics)
      : table_(table), title_(std::move(title)), diagnostics_(diagnostics) {}

  const TomlValue* any(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t smallest,
                                    std::int64_t largest);
  std::optional<bool> flag(std::string_view key);
  std::optional<std::int64_t> duration(std::string_view key, std::int64_t smallest,
                                       std::int64_t largest);
  std::optional<std::string> choice(std::string_view key, std::span<const std::string> words);
  std::vector<std::pair<std::string, Location>> texts(std::string_view key);
  /// Reports the keys that were not asked for.
  void done();
  /// Takes all keys as asked for: what they mean hangs on one that is wrong.
  void forget();

 private:
  void wrong_type(const TomlEntry& entry, std::string_view wanted);
  const TomlEntry* entry(std::string_view key);
  const TomlValue& table_;
  std::string title_;
  Diagnostics& diagnostics_;
  std::vector<std::string> asked_;
};

/// Of a bus or a gateway: letters, digits and _.
[[nodiscard]] bool valid_name(const std::string& name);

/// One line of a map: "Message.Signal" = value.
struct MapEntry {
  std::string message, signal;
  Location where;  ///< of the key
  const TomlValue* value = nullptr;
};

/// Settings of a message inside a map: "Message" = { timeout = ... }.
struct MapSettings {
  std::string message;
  Location where;
  const TomlValue* value = nullptr;
};

/// A map, flattened: quoted "Message.Signal" and nested Message.Signal are the same.
struct MapTable {
  std::vector<MapEntry> entries;
  std::vector<MapSettings> settings;
};
/// @param setting_keys  keys inside a message's table that are no signals
[[nodiscard]] MapTable read_map(const TomlValue& table, std::span<const std::string> setting_keys,
                                Diagnostics& diagnostics);

/// `dbc` of a bus.  @param title  "[bus.can0]"  @return nullptr after an error
[[nodiscard]] std::shared_ptr<const Dbc> read_databases(Rig& rig, const std::string& title,
                                                        const TomlValue& value,
                                                        Diagnostics& diagnostics);
/// "line 12 of the database", or of one of the further files.
[[nodiscard]] std::string line_text(const Dbc& dbc, const Location& where);

/// [supervisor]
void read_supervisor(Rig& rig, const TomlValue& value, Diagnostics& diagnostics);

/// [hosts] and [host.NAME]; nullptr: it is not there
void read_hosts(Rig& rig, const TomlValue* settings, const TomlValue* list,
                Diagnostics& diagnostics);
/// Who computes what, and what may cross between them.
void check_hosts(const Rig& rig, const RigTarget& target, Diagnostics& diagnostics);
/// Tables in front of rig_settings(), and the field of its result that names them; empty: one host.
void write_hosts(Writer& text, const Rig& rig);
void add_hosts(Aggregate& settings, const Rig& rig);

/// Fills bus.link.
void read_link(BusMap& bus, RigTable& table, Diagnostics& diagnostics);

/// [[start]] or [[stop]], by its key.  @pre the buses of the rig have been read
[[nodiscard]] std::vector<StepMap> read_steps(const Rig& rig, const TomlEntry& steps,
                                              Diagnostics& diagnostics);

/// `start` of the last bus: what its rest bus waits for.  @pre its maps are bound
void read_rest_start(Rig& rig, const TomlValue& value, Diagnostics& diagnostics);

/// `saturate` of a bus and of a message: what becomes of a value that its signal does not hold.
inline const std::array<std::string, 2> saturate_words{"count", "fail"};

/// A value outside the range that the database gives the signal, or that its bits do not hold, is
/// an error.
void check_range(const DbcSignal& signal, double value, const Location& where,
                 Diagnostics& diagnostics);

/// The value that the database calls so, in DBC units. The range is not asked for: what has a name
/// is meant.
/// @return nothing after an error
[[nodiscard]] std::optional<double> named_value(const DbcSignal& signal, const std::string& name,
                                                const Location& where, Diagnostics& diagnostics);
/// A number in its range, or a name.  @return nothing after an error
[[nodiscard]] std::optional<double> signal_value(const DbcSignal& signal, const TomlValue& value,
                                                 Diagnostics& diagnostics);

/// `fd` and `j1939` of [bus.NAME], `fd` of messages in its maps: what the database does not say.
/// @pre bus.dbc is there
void read_formats(BusMap& bus, RigTable& table, std::span<const TomlValue* const> maps);

/// Fills bus.receive and bus.send.
struct BusTables {
  const TomlValue* receive = nullptr;
  const TomlValue* send = nullptr;
  std::optional<std::int64_t> timeout_ns;
};
void bind_bus(BusMap& bus, const BusTables& tables, const RigTarget& target,
              Diagnostics& diagnostics);

/// Whether a simulated node sends it.
[[nodiscard]] bool is_simulated(const BusMap& bus, const DbcMessage& message);
/// Fills bus.rest: what the simulated nodes send and bus.send does not have.
/// @param settings  of messages without a mapped signal: period, off
void bind_rest(BusMap& bus, std::span<const MapSettings> settings, Diagnostics& diagnostics);

/// GenMsgCycleTime within what can be sent, 0: none. What is changed is a warning at its message in
/// the database.
[[nodiscard]] std::int64_t cycle_ns(const DbcMessage& message, std::int64_t shortest_ns,
                                    Diagnostics& diagnostics);

// Of messages that the plant sends, once their signals are bound.
/// @param release_ns  0: not known
void check_period(const Dbc& dbc, const MessageMap& map, std::int64_t release_ns,
                  Diagnostics& diagnostics);
/// @param where  of the spacing that the rig file gives
void check_spacing(const Dbc& dbc, const MessageMap& map, const Location& where,
                   Diagnostics& diagnostics);
/// But for what its protection writes.
void warn_about_unmapped(const BusMap& bus, const MessageMap& map, Diagnostics& diagnostics);
/// @pre the choice stays
void warn_about_choice(const Dbc& dbc, const MessageMap& map, Diagnostics& diagnostics);

/// Of a message that the plant sends.
[[nodiscard]] MessageMap::Choice choice_of(const Dbc& dbc, const MessageMap& map);
/// Whether another mapped signal is there for some of its values only.
[[nodiscard]] bool chooses(const Dbc& dbc, const MessageMap& map, std::size_t signal);

/// Messages whose unmapped multiplexer decides which signals are present become one entry per value
/// of it.
[[nodiscard]] std::vector<MessageMap> split_pages(const Dbc& dbc, MessageMap map,
                                                  Diagnostics& diagnostics);

}  // namespace takt::codegen
