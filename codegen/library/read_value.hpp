#pragma once
// Reading single values of library and plant files: expressions, texts, switches.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/library/library.hpp"

namespace takt::codegen {

/// Place of character `offset` of a text that starts at `start` (one line).
[[nodiscard]] Location shifted(const Location& start, std::size_t offset);

/// Parses `text`; ast is null where it is wrong (reported).
[[nodiscard]] SourceExpression make_expression(std::string text, const Location& where,
                                               Diagnostics& diagnostics);

/// String, number or switch as an expression. M004 where it is something else.
[[nodiscard]] SourceExpression read_expression(const TomlValue& value, Diagnostics& diagnostics);

/// M004 where the value has another kind than expected; `what` names the place ("'at'").
[[nodiscard]] bool expect_kind(const TomlValue& value, TomlValue::Kind kind, std::string_view what,
                               Diagnostics& diagnostics);

/// A string, or an empty one after M004.
[[nodiscard]] std::string read_string(const TomlValue& value, std::string_view what,
                                      Diagnostics& diagnostics);

/// An array of strings with their values, or one string alone. M004 otherwise.
[[nodiscard]] std::vector<std::pair<std::string, const TomlValue*>> read_strings(
    const TomlValue& value, std::string_view what, Diagnostics& diagnostics);

/// Reports keys of a table that are not known.
void check_keys(const TomlValue& table, const std::vector<std::string>& known,
                std::string_view code, std::string_view what, Diagnostics& diagnostics);

/// False after M006: names are lower-case letters, digits and _.
[[nodiscard]] bool valid_name(const TomlEntry& entry, Diagnostics& diagnostics);

/// The expression under a key of an entry's table; L004 where it is missing.
[[nodiscard]] SourceExpression required_expression(const TomlEntry& entry, std::string_view key,
                                                   Diagnostics& diagnostics);

/// The text under `unit`, empty where there is none or it is "any"; U001 where it is unknown.
[[nodiscard]] std::string read_unit_text(const TomlValue& table, Diagnostics& diagnostics);

/// A literal with an optional sign: its value (SI where it has a unit).
struct Literal {
  double value = 0.0;
  std::optional<Unit> unit;
};
[[nodiscard]] std::optional<Literal> literal_of(const Ast& ast);

}  // namespace takt::codegen
