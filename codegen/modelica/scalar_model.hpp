#pragma once
// A flat model as scalar equations 0 = left - right over symbols of one graph, and what is known of
// each symbol.

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/modelica/evaluator.hpp"

namespace takt::codegen::modelica {

struct ScalarVariable {
  SymbolId symbol{};
  std::string name;  ///< with its subscripts
  const FlatVariable* declared =
      nullptr;                ///< null: stands for semiLinear, while aliases are sought
  std::optional<Expr> start;  ///< over parameters
  bool fixed = false;         ///< the start is an equation, else a guess
  bool is_input = false;      ///< of the model: set from outside
  bool is_held = false;       ///< changes at events alone
  /// No equation of the model gives it.
  [[nodiscard]] bool is_given() const { return is_input || is_held; }
};

struct ScalarEquation {
  Expr left{}, right{};
  std::string origin;
  Location where;
};

/// At the instant at which one of `conditions` comes true. In `sets` a plain name is the value
/// after the event, pre(x) that before it.
struct ScalarEvent {
  struct Set {
    Expr target{}, value{};
    bool is_reinit = false;  ///< of a state, else of what is held
  };
  std::vector<Expr> conditions{};
  std::vector<Set> sets{};
  std::size_t chain = 0;   ///< which when-equation
  std::size_t branch = 0;  ///< of several at one instant the first counts
  bool at_start = false;
  bool of_clock = false;  ///< its values may read initial(): the first tick
  std::string origin{};
  Location where{};
};

/// 1 or 0, by conditions on what it has been.
struct HeldTruth {
  SymbolId symbol{};
  Expr on{}, off{};
  Location where{};
  bool starts_on = false;  ///< of a relation; the plant follows the conditions at once
  /// Else: its equation, pre(x) apart from x, and what that is where initial() holds.
  std::optional<Expr> value{}, at_start{};
};

/// What went in and what became of it.
struct ImportCounts {
  std::size_t declared = 0, equations = 0, initial_equations = 0, assertions = 0, functions = 0;
};

struct ScalarModel {
  explicit ScalarModel(const FlatModel& flat) : flat(&flat) {}

  const FlatModel* flat;
  Graph graph;
  std::vector<ScalarVariable> variables;
  std::unordered_map<SymbolId, std::size_t> variable_of;  ///< index in variables
  std::vector<ScalarEquation> equations, initial;
  std::map<SymbolId, SymbolId> derivatives;  ///< der(x) by x
  std::unordered_map<SymbolId, TunableParameter> parameters;
  FixedParameters fixed_parameters;
  std::vector<SemiLinear> semi_linear;
  std::vector<ScalarEvent> events;
  std::vector<HeldTruth> truths;
  std::deque<FlatVariable> made;         ///< one for each value of a whole number with memory
  std::map<SymbolId, SymbolId> befores;  ///< pre(x) by x
  std::vector<SampleTick> ticks;
  std::vector<ClockWord> clock_words;
  std::set<SymbolId> previous;     ///< whose values at the tick before are read
  std::vector<std::string> texts;  ///< variables without equations: texts, which stay what they
                                   ///< are, and schedules of tables
  SymbolId time{}, literal_mark{}, initial_mark{};
  ImportCounts counts;
};

/// pre(x); made where there is none yet.
[[nodiscard]] SymbolId before_of(ScalarModel& model, SymbolId symbol);
[[nodiscard]] bool is_held(const ScalarModel& model, SymbolId symbol);
/// Nothing in it changes while the plant runs.
[[nodiscard]] bool is_of_parameters(const ScalarModel& model, Expr e);
/// Of an expression over parameters, with their values.
[[nodiscard]] double parameter_value(const ScalarModel& model, Expr e);

/// Of a variable that is there.
[[nodiscard]] SymbolId symbol_of(const ScalarModel& model, std::string_view name);

/// @return nothing where an error was found
[[nodiscard]] std::unique_ptr<ScalarModel> scalarise(const FlatModel& model,
                                                     Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
