#pragma once
// Rate of change of a variable in closed form, over variables of the plant.

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// What determines the variables of a flattened plant; a symbol that stands nowhere here and is no
/// unknown (a parameter, an input, an output of a control block) does not change between the events
/// of a run.
struct RateRules {
  struct Inverse {
    SymbolId of{};
    Expr law{};
  };                                            ///< of = law(symbol, ...)
  std::unordered_map<SymbolId, Expr> rate_of;   ///< what is integrated
  std::unordered_map<SymbolId, Expr> value_of;  ///< what is given by an expression
  std::unordered_map<SymbolId, Inverse>
      inverse_of;                       ///< across variable of a C, through variable of an L
  std::unordered_set<SymbolId> others;  ///< unknowns that only the whole system determines

  /// @return nullopt where it takes more than these rules
  [[nodiscard]] std::optional<Expr> of(Graph& graph, const Network& network, SymbolId symbol);

 private:
  [[nodiscard]] std::optional<Expr> of(Graph& graph, const Network& network, Expr expression,
                                       std::optional<SymbolId> except);
  std::unordered_set<SymbolId> in_progress_;
};

}  // namespace takt::codegen
