#pragma once
// Values over fixed symbols only, computed once by a function of their own and kept under names.

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/code/values.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// What expressions of a subsystem stand for: coefficients are named after it.
struct Quantities {
  std::unordered_map<Expr, std::string> name;     ///< identifiers of roots: "solid_foil_e_start"
  std::unordered_map<SymbolId, Expr> definition;  ///< of assigned symbols
  std::unordered_set<Expr> defined;               ///< the values of these
};

/// Subexpressions of fixed symbols only, computed once by a function of their own: prepare() for
/// those of parameters, factor() for those that change with the state of the switches. Shared by
/// all functions of a subsystem.
class Coefficients {
 public:
  struct Coefficient {
    Expr value{};
    bool reciprocal = false;  ///< it holds 1/value
    bool negative = false;    ///< it holds -value
    std::string name{};
    std::string quantity{};  ///< that it is part of
  };

  /// @param fixed_symbols  parameters (and switch states), and symbols that depend on nothing else
  /// @param holder         name of the struct that holds them
  /// @param simpler        coefficients of fewer fixed symbols, where there are such: what they can
  /// hold is theirs
  Coefficients(const Graph& graph, std::unordered_map<SymbolId, bool> fixed_symbols,
               std::string holder = "k", Coefficients* simpler = nullptr);
  /// They are elements of an array, k[12], instead of members with names; before anything else.
  void number() { numbered_ = true; }
  [[nodiscard]] bool is_numbered() const { return numbered_; }
  /// Where one of all() is kept.
  [[nodiscard]] code::Value member(std::size_t index, code::Values& values) const;
  /// Takes names from there; before anything else.
  void name_after(const Quantities& quantities) { quantities_ = &quantities; }
  [[nodiscard]] bool is_fixed(Expr e);
  /// e is part of a quantity: of the one that has its name, else of the one around it.
  /// @return that quantity, for the operands
  const std::string* serve(Expr e, const std::string* around);
  /// What reads the coefficient that holds e. @pre is_fixed(e)
  code::Value value_of(Expr e, code::Values& values) { return value_of({.value = e}, e, values); }
  /// Of the coefficient that holds 1/e: a division by what is fixed becomes a product. @pre
  /// is_fixed(e)
  code::Value reciprocal_of(Expr e, code::Values& values) {
    return value_of({.value = e, .reciprocal = true}, e, values);
  }
  [[nodiscard]] const std::vector<Coefficient>& all() const { return all_; }
  /// The values that they are computed from.
  [[nodiscard]] std::vector<Expr> expressions() const;
  /// Those of them that have been asked for since forget_uses().
  [[nodiscard]] std::vector<Expr> used_expressions() const;
  void forget_uses() { used_.assign(used_.size(), false); }
  /// Formula of each: "1/(solid.foil.m*solid.foil.cp)".
  [[nodiscard]] std::vector<std::string> formulas() const;

 private:
  code::Value value_of(Coefficient wanted, Expr asked, code::Values& values);
  bool simplify(Coefficient& wanted, bool& sign) const;
  [[nodiscard]] std::string name_of(const Coefficient& coefficient) const;

  const Graph& graph_;
  std::unordered_map<SymbolId, bool> fixed_symbols_;
  std::string holder_;
  Coefficients* simpler_;
  bool numbered_ = false;
  const Quantities* quantities_ = nullptr;
  std::unordered_map<Expr, bool> fixed_;
  std::unordered_map<Expr, std::string> serves_;
  std::map<std::tuple<Expr, bool, bool>, std::size_t> index_;
  std::vector<Coefficient> all_;
  std::vector<bool> used_;
  UniqueNames names_;
};

}  // namespace takt::codegen
