#pragma once
// Single values of a scenario file: what keys may stand in a table, quantities of a wanted unit, times.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/plant/time.hpp"
#include "runtime/scenario/expression.hpp"
#include "runtime/scenario/names.hpp"

namespace takt {

/// One scenario file while it is read.
struct ScenarioSource {
  std::string file;    ///< as messages name it
  std::string folder;  ///< that files it names are relative to
  ScenarioNames& names;
  [[nodiscard]] ScenarioPlace place(TomlPlace where) const { return {file, where}; }
  /// Path of a file that the scenario names.
  [[nodiscard]] std::string path(const std::string& name) const;
};

/// What a quantity must be in, and how messages call it.
struct WantedUnit {
  Dimension dimension;
  std::string text;
  WantedUnit(const Dimension& of);  // NOLINT(*-explicit-*): a dimension says all
  WantedUnit(const Dimension& of, std::string called) : dimension(of), text(std::move(called)) {}
};

/// That of a row of the table, or of an input, as the plant writes it.
[[nodiscard]] WantedUnit unit_as_written(const char* unit);

using AllowedKeys = std::initializer_list<std::string_view>;

/// @throw ScenarioMistake  where a table has another key, with the nearest one
void allow_keys(const TomlNode& table, AllowedKeys keys, const ScenarioSource& source);

/// The text of a string.  @throw ScenarioMistake  where it is none
[[nodiscard]] const std::string& text_of(const TomlMember& member, const ScenarioSource& source);

/// A quantity of this dimension, in SI: "80 N*m", "2*torque", 0, or 0.5 where none is needed; true is 1.
/// @param of  what it is for, for messages
[[nodiscard]] double quantity_of(const TomlNode& node, const WantedUnit& wanted, const std::string& of,
                                 const ScenarioSource& source);

/// The same of a difference, of which "2 degC" is none.
[[nodiscard]] double difference_of(const TomlNode& node, const WantedUnit& wanted, const std::string& of,
                                   const ScenarioSource& source);

/// A time not below zero.
[[nodiscard]] SimDuration time_of(const TomlMember& member, const ScenarioSource& source);
/// A time above zero.
[[nodiscard]] SimDuration duration_of(const TomlMember& member, const ScenarioSource& source);

[[nodiscard]] Expression condition_of(const TomlMember& member, const ScenarioSource& source);

/// A number in SI with all digits.
[[nodiscard]] std::string exact_text(double value);

/// Whole file as text.  @throw std::runtime_error  why it cannot be read
[[nodiscard]] std::string read_whole_file(const std::string& path);

}  // namespace takt
