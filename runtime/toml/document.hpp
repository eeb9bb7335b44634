#pragma once
// A TOML document as a light tree that keeps the order and the place of everything. The one user of toml++, which is
// slow to compile. Not real-time.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace takt {

struct TomlPlace {
  std::uint32_t line = 0, column = 0;  ///< from 1; columns count code points
};

struct TomlMember;

struct TomlNode {
  enum class Kind : std::uint8_t { string, integer, real, boolean, array, table, other } kind = Kind::other;
  std::string text;                 ///< string
  double number = 0.0;              ///< integer, real
  bool flag = false;                ///< boolean
  std::vector<TomlNode> items;      ///< array
  std::vector<TomlMember> members;  ///< table, in the order of the file
  TomlPlace where;                  ///< of the value
  TomlPlace text_where;             ///< of the first character inside the quotes of a string

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  /// Of a table; nullptr where there is none or this is no table.
  [[nodiscard]] const TomlMember* find(std::string_view key) const;
};

struct TomlMember {
  std::string key;
  TomlPlace where;  ///< of the key
  TomlNode value;
};

/// A text that is no TOML: cause in what(), where, and what would do.
struct TomlError : std::runtime_error {
  TomlError(TomlPlace place, const std::string& cause, std::string what_would_do)
      : std::runtime_error(cause), where(place), remedy(std::move(what_would_do)) {}
  TomlPlace where;
  std::string remedy;
};

/// @param name  of the file, for the parser
/// @throw TomlError  at the first mistake, duplicate keys included
[[nodiscard]] TomlNode parse_toml_text(std::string_view text, std::string_view name);

}  // namespace takt
