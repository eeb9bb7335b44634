#pragma once
// What a when-equation sets, as values of what was just before its event.

#include <set>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

class EventValues {
 public:
  /// Events of the model, whose conditions are instants: relations, held truth values and symbols
  /// of samples. Variables that their values give are written out in them.
  EventValues(ScalarModel& model, const ReducedModel& reduced);

  /// @throw Refusal (D020) where a plant would read another value than the model
  [[nodiscard]] Expr after(const ScalarEvent& event, Expr value);
  /// Variables that their values give, written out.
  [[nodiscard]] Expr named_put_in(Expr e);

  /// A truth value that reads what the event sets, and may change at the same instant for another
  /// reason: its new value, of unknowns as they were. Nothing where that cannot be.
  /// @throw Refusal D020, where an unknown that it reads depends on what the event sets
  [[nodiscard]] std::optional<Expr> truth_after(const ScalarEvent& event, const HeldTruth& truth);

 private:
  [[nodiscard]] Expr befores_put_in(Expr e);
  [[nodiscard]] Expr after(const ScalarEvent& event, Expr value, std::set<SymbolId>& under_way);
  void put_in_new(const ScalarEvent& event, SymbolId symbol, std::set<SymbolId>& under_way,
                  std::unordered_map<SymbolId, Expr>& now);
  void check_unknown(const ScalarEvent& event, SymbolId symbol) const;
  void check_before(const ScalarEvent& event, SymbolId before) const;
  [[nodiscard]] std::set<SymbolId> set_before(const ScalarEvent& event) const;
  [[nodiscard]] bool same_instant(Expr a, Expr b) const;
  [[nodiscard]] std::vector<ScalarEquation> tied_to(SymbolId symbol) const;
  [[nodiscard]] std::set<Expr> instants_of(const std::vector<Expr>& conditions) const;
  [[nodiscard]] bool may_coincide(const std::vector<Expr>& a, const std::vector<Expr>& b) const;
  [[nodiscard]] bool is_tick(SymbolId symbol) const;
  [[nodiscard]] bool is_outside(Expr instant) const;
  [[nodiscard]] bool is_unknown(SymbolId symbol) const { return unknowns_.contains(symbol); }
  [[nodiscard]] std::string name_of(SymbolId symbol) const { return graph_.symbol(symbol).path; }

  ScalarModel& model_;
  const ReducedModel& reduced_;
  std::vector<ScalarEvent> events_;
  Graph& graph_;
  std::unordered_map<SymbolId, Expr> named_;
  std::set<SymbolId> unknowns_;          ///< and rates
  std::map<SymbolId, SymbolId> afters_;  ///< x by pre(x)
};

}  // namespace takt::codegen::modelica
