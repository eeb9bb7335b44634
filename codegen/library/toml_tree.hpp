#pragma once
// A TOML document as a light tree that keeps the order and the place of everything: that of
// runtime/toml, with places as diagnostics have them. Plant, library and rig readers walk it.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct TomlEntry;

struct TomlValue {
  enum class Kind : std::uint8_t {
    string,
    integer,
    real,
    boolean,
    array,
    table,
    other
  } kind = Kind::other;
  std::string text;                ///< string
  double number = 0.0;             ///< integer, real
  bool flag = false;               ///< boolean
  std::vector<TomlValue> items;    ///< array
  std::vector<TomlEntry> entries;  ///< table, in the order of the file
  Location where;                  ///< of the value
  Location text_where;             ///< of the first character inside the quotes of a string

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool is_string() const { return kind == Kind::string; }
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  [[nodiscard]] bool is_table() const { return kind == Kind::table; }
  [[nodiscard]] bool is_array() const { return kind == Kind::array; }
  /// Entry of a table; nullptr where there is none or this is no table.
  [[nodiscard]] const TomlEntry* find(std::string_view key) const;
  /// Value of an entry; nullptr where there is none.
  [[nodiscard]] const TomlValue* get(std::string_view key) const;
};

struct TomlEntry {
  std::string key;
  Location where;  ///< of the key
  TomlValue value;
};

/// For messages: "a string", "a table" ...
[[nodiscard]] std::string_view kind_text(TomlValue::Kind kind);

/// @param file  name for locations
/// @return nothing after reporting M001 (a syntax error; TOML parsers stop at the first, duplicate
/// keys included)
[[nodiscard]] std::optional<TomlValue> parse_toml(std::string_view text, const std::string& file,
                                                  Diagnostics& diagnostics);

/// As parse_toml; M002 where the file cannot be read.
[[nodiscard]] std::optional<TomlValue> read_toml(const std::filesystem::path& file,
                                                 Diagnostics& diagnostics);

/// Whole file as text, or why it cannot be read: only regular files of at most 1 GiB are (a pipe
/// may never end).
[[nodiscard]] tl::expected<std::string, std::string> read_text_file(
    const std::filesystem::path& file);

}  // namespace takt::codegen
