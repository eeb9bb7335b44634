#pragma once
// CAN database (DBC): messages, signals, value tables, attributes; and the parser of the text
// format. Text may be UTF-8 or cp1252, with or without byte order mark, with LF or CRLF. Sections
// that do not matter for a plant are skipped. Names and comments come out as UTF-8. A statement
// that makes no sense costs what it is about, not the rest: it is a warning, and Dbc::broken keeps
// the name for whoever wants to use it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

enum class ByteOrder : std::uint8_t { little, big };  ///< Intel (@1), Motorola (@0)
enum class RawType : std::uint8_t { unsigned_integer, signed_integer, float32, float64 };

struct ValueName {
  std::int64_t value = 0;
  std::string name;
};

/// Values of the multiplexer for which a signal is present, both ends included.
struct MuxRange {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] bool operator==(const MuxRange&) const = default;
};

/// value = raw * factor + offset
struct DbcSignal {
  std::string name;
  std::uint16_t start = 0;   ///< DBC bit number; of the most significant bit for big-endian signals
  std::uint16_t length = 0;  ///< bits, 1..64
  ByteOrder order = ByteOrder::little;
  RawType type = RawType::unsigned_integer;
  double factor = 1.0, offset = 0.0;
  double minimum = 0.0, maximum = 0.0;  ///< both 0: not given
  std::string unit;
  std::vector<std::string> receivers;
  bool multiplexer = false;  ///< M or mNM: other signals depend on its raw value
  std::optional<std::size_t>
      multiplexed_by;                ///< index of the multiplexer signal in the same message
  std::vector<MuxRange> mux_values;  ///< present for these raw values of it
  std::vector<ValueName> values;     ///< VAL_
  std::optional<double> start_raw;   ///< GenSigStartValue
  std::string comment;
  bool usable = true;  ///< false: does not fit the message; reported, never coded
  Location where;
};

struct DbcMessage {
  std::uint32_t id = 0;  ///< 11 or 29 bits
  bool extended = false;
  bool fd = false;            ///< CAN FD: VFrameFormat says so; without one, more than 8 bytes do
  bool fd_by_length = false;  ///< the latter
  bool j1939 = false;         ///< what it is says its parameter group, not its whole id (29 bits)
  bool brs = true;            ///< CAN FD: data at the higher bit rate, unless CANFD_BRS is 0
  std::uint16_t length = 0;   ///< bytes
  std::string name;
  std::vector<std::string> senders;  ///< of BO_ and BO_TX_BU_
  std::vector<DbcSignal> signals;    ///< in file order
  std::optional<double> cycle_ms;    ///< GenMsgCycleTime where it is > 0
  std::optional<double>
      delay_ms;  ///< GenMsgDelayTime, the least time between two frames, where it is > 0
  std::optional<double> start_delay_ms;  ///< GenMsgStartDelayTime where it is > 0
  std::string comment;
  bool usable = true;  ///< false: longer than a frame (64 bytes)
  Location where;
  /// False: a classic message of more than 8 bytes, which a transport protocol sends in parts.
  [[nodiscard]] bool is_one_frame() const { return usable && (fd || length <= 8); }
};

struct ValueTable {
  std::string name;
  std::vector<ValueName> values;
};

/// A message, or a signal of one, that the file names but that could not be read.
struct DbcBroken {
  std::string message, signal;  ///< signal empty: the whole message
  std::string why;
  Location where;
};

struct Dbc {
  std::string file;
  std::string version;
  std::vector<std::string> nodes;
  std::vector<DbcMessage> messages;  ///< in file order
  std::vector<ValueTable> value_tables;
  std::string comment;
  std::vector<DbcBroken> broken;
  [[nodiscard]] const DbcMessage* find(std::string_view message) const;
  [[nodiscard]] const DbcMessage* find(std::uint32_t id, bool extended) const;
  /// The message that a frame is: that with its id, else that of its parameter group (J1939).
  [[nodiscard]] const DbcMessage* heard_as(std::uint32_t id, bool extended) const;
  /// Ids of all messages of its parameter group, its own among them; empty: it is none of J1939.
  [[nodiscard]] std::vector<std::uint32_t> group_of(const DbcMessage& message) const;
};

/// What somebody says who knows the bus better than its database: all messages are CAN FD frames,
/// or classic ones.
void set_fd(DbcMessage& message, bool fd);
void set_fd(Dbc& dbc, bool fd);
/// All messages of 29 bits that are not CAN FD are those of J1939, or none is.
void set_j1939(Dbc& dbc, bool j1939);

/// @param file  name for diagnostics
/// @return what could be read; warnings (B01x) where a statement was mended or dropped, an error
/// where nothing is left
[[nodiscard]] Dbc parse_dbc(std::string_view text, const std::string& file,
                            Diagnostics& diagnostics);
/// Reads and parses; nullopt after B010 if the file cannot be read.
[[nodiscard]] std::optional<Dbc> load_dbc(const std::string& file, Diagnostics& diagnostics);

/// What could not be read of a message; with a signal, of that one or of its whole message.
/// nullptr: nothing.
[[nodiscard]] const DbcBroken* find_broken(const Dbc& dbc, std::string_view message,
                                           std::string_view signal = {});

/// Index of the named signal, or nullopt.
[[nodiscard]] std::optional<std::size_t> find_signal(const DbcMessage& message,
                                                     std::string_view name);

}  // namespace takt::codegen
