#pragma once
// A flat model as scalar equations 0 = left - right over symbols of one graph, and what is known of
// each symbol.

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
};

struct ScalarEquation {
  Expr left{}, right{};
  std::string origin;
  Location where;
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
  std::vector<std::string> texts;  ///< variables without equations: texts, which stay what they
                                   ///< are, and schedules of tables
  SymbolId time{}, literal_mark{};
  ImportCounts counts;
};

/// Of a variable that is there.
[[nodiscard]] SymbolId symbol_of(const ScalarModel& model, std::string_view name);

/// @return nothing where an error was found
[[nodiscard]] std::unique_ptr<ScalarModel> scalarise(const FlatModel& model,
                                                     Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
