#pragma once
// Start values from the tree: independent storages start where the user says, everything else
// follows.

#include <optional>
#include <unordered_map>

#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

class StartValues {
 public:
  explicit StartValues(const CircuitScope& scope);

  /// The expression at t = 0: storages replaced by their start values, element variables and
  /// sources by their laws. What the circuit does not own (parameters, plant inputs, couplings)
  /// stays.
  [[nodiscard]] Expr at_start(Expr expression);

  /// Start guess of an algebraic unknown where one is known.
  [[nodiscard]] std::optional<Expr> guess(SymbolId symbol);

  /// T011 for start values given to dependent storages that differ from what the others imply.
  void check_given(Diagnostics& diagnostics);
  /// T025 for start values that the law of their storage gives nowhere, among those asked for so
  /// far.
  void check_laws(Diagnostics& diagnostics);

  /// Laws to be turned round for the values asked for so far, in order.
  [[nodiscard]] const std::vector<StartLaw>& laws() const { return laws_; }

 private:
  void define_storage(const Branch& element, SymbolId natural, std::optional<Expr> independent);
  void turn_round(const Branch& element, SymbolId unknown, SymbolId given);
  [[nodiscard]] Expr across_of(const Branch& element);
  void define_along_tree();
  Expr start_of(SymbolId symbol);
  Expr resolve(SymbolId symbol);
  template <class IsOne>
  bool reads(Expr value, std::unordered_map<Expr, bool>& known, const IsOne& is_one);
  bool reads_own(Expr value);
  std::optional<double> start_of_law(SymbolId unknown);
  std::optional<double> numeric(Expr expression);

  const CircuitScope& scope_;
  const Network& network_;
  Graph& graph_;
  const CircuitTopology& circuit_;
  std::unordered_map<SymbolId, Expr> definitions_;  ///< one step of resolution
  std::unordered_map<SymbolId, SymbolId>
      before_;  ///< potential that the definition of a potential reads
  std::unordered_map<Expr, bool> reads_own_, mixes_;  ///< what reads() knows
  std::unordered_map<SymbolId, Expr>
      mixed_;  ///< guesses of unknowns of balances: enthalpies of nodes that store nothing
  std::unordered_map<SymbolId, StartLaw> to_turn_;  ///< by unknown: not at the start yet
  std::unordered_map<SymbolId, const Branch*> turned_;
  std::vector<StartLaw> laws_;
  std::unordered_map<SymbolId, std::size_t> law_of_;
  std::unordered_map<SymbolId, double> numbers_;  ///< of their unknowns
  std::unordered_map<SymbolId, Expr> resolved_;
  std::unordered_set<SymbolId> in_progress_;
};

}  // namespace takt::codegen
