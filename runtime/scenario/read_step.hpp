#pragma once
// One [[step]]: when it begins, what it does, what is expected.

#include "runtime/scenario/program.hpp"
#include "runtime/scenario/read_values.hpp"

namespace takt {

/// Adds one step to a program.
class StepReader {
 public:
  /// @param timeout  of conditions that name none
  StepReader(ScenarioProgram& program, const ScenarioSource& source, SimDuration timeout)
      : program_(program), source_(source), timeout_(timeout) {}

  /// @param suffix  of its name, " (round 2)"
  /// @throw ScenarioMistake
  void read(const TomlNode& table, const std::string& suffix);

 private:
  void read_trigger(const TomlNode& table);
  void read_actions(const TomlNode& table);
  void read_action_list(const TomlMember& list, std::string_view verb);
  void read_waveforms(const TomlNode& table);
  void read_waveform(const TomlMember& given, const std::string& kind);
  void read_replay(const TomlMember& given);
  void read_expectations(const TomlNode& table);
  void read_band(const TomlMember& given, const TomlNode& step);
  void note_units(const TomlMember& reference, Expression& value) const;
  void read_limits(const TomlNode& table, const TomlNode* inner, Expectation& expectation);
  void add_expectations(const TomlMember& given, const TomlNode& step);
  void finish(Expectation expectation, const std::string& words);
  void name_it(const TomlNode& table, const std::string& suffix);
  void act(std::string_view verb, const TomlMember& given);
  void add_action(std::string_view verb, const std::string& path, const std::string& argument, TomlPlace where);
  void add_waveform(Waveform waveform);
  [[nodiscard]] const MemoryEntry& target(const std::string& path, TomlPlace where) const;
  [[nodiscard]] std::uint32_t input_of(const TomlMember& given) const;
  [[nodiscard]] std::string distortion(const TomlMember& given) const;
  [[nodiscard]] std::uint32_t keep(Expression expression);

  ScenarioProgram& program_;
  const ScenarioSource& source_;
  SimDuration timeout_;
  ScenarioStep step_;
  std::uint32_t until_ = no_expression;
  std::string first_words_;  // for a step without name
};

}  // namespace takt
