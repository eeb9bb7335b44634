#pragma once
// Equations x = y, x = -y, 0 = x + y and x = constant, taken out of a scalar model.

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

class AliasElimination {
 public:
  AliasElimination(ScalarModel& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  /// Leaves the other equations in the model, with what was found put in.
  void run();
  [[nodiscard]] Alias find(SymbolId symbol) const;
  [[nodiscard]] Expr resolved(Expr e);
  /// From now on the symbol is this and no variable.
  void replace(SymbolId symbol, Expr value);
  [[nodiscard]] const std::map<SymbolId, Alias>& aliases() const { return aliases_; }
  /// Truth values and whole numbers, by their equations.
  [[nodiscard]] const std::map<SymbolId, Expr>& definitions() const { return definitions_; }
  /// der(x); made where there is none yet.
  SymbolId rate_of(SymbolId symbol);

 private:
  /// sum of sign*symbol, plus a value without variables
  struct Sum {
    std::map<SymbolId, int> terms;
    Expr rest{};
  };
  void define_discrete();
  void resolve_events();
  [[nodiscard]] Expr befores_resolved(Expr e);
  bool one_round();
  bool take_out(const ScalarEquation& equation);
  [[nodiscard]] bool add_terms(Sum& sum, Expr e, int sign) const;
  [[nodiscard]] bool is_free(Expr e) const;
  void alias(SymbolId gone, int sign, SymbolId kept, const ScalarEquation& equation);
  void set(SymbolId gone, Expr value, const ScalarEquation& equation);
  void keep_start(ScalarVariable& kept, const ScalarVariable& gone, int sign,
                  const ScalarEquation& equation);
  [[nodiscard]] double rank(SymbolId symbol) const;
  [[nodiscard]] ScalarVariable* variable(SymbolId symbol) const;
  void contradiction(const ScalarEquation& equation, const std::string& message);

  ScalarModel& model_;
  Diagnostics& diagnostics_;
  std::map<SymbolId, Alias> aliases_;
  std::map<SymbolId, Expr> definitions_;
  std::unordered_map<SymbolId, Expr> replacements_;
};

}  // namespace takt::codegen::modelica
