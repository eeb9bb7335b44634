#pragma once
// semiLinear(x, positive, negative) where its flow x is zero. There y = x*slope says nothing of the
// slopes, which are enthalpies of what flows; a model without more equations has no solution. Two
// rules of the language and one of streams:
//   y = semiLinear(x, a, s1), y = semiLinear(x, s1, s2), ..., y = semiLinear(x, sn, b)
//     is  y = semiLinear(x, a, b),  s1 = ... = sn = if x >= 0 then a else b
//   0 = semiLinear(0, a, b)  is  a = b
//   0 = semiLinear(x1, h, h1) + ... + semiLinear(xn, h, hn), a junction, with out = sum of max(xk,
//   0), is
//     h*out = sum of hk*max(-xk, 0);   where out <= e nothing flows, and h is the mean of the hk
// Source: Modelica Language Specification 3.6, 3.7.2.5 (semiLinear) and 15.2 (flow of streams at
// zero). e is 1e-10 of the nominal flow, 1 where none is given. Not a smooth transition: none that
// is as narrow as that can be followed in time, and what flows with it is as small as e. Limit:
// which slope holds at rest is not for the model to say.

#include "codegen/modelica/alias_elimination.hpp"

namespace takt::codegen::modelica {

class SemiLinearRules {
 public:
  SemiLinearRules(ScalarModel& model, AliasElimination& aliases);

  /// Aliases are known, but of what the rules add: puts values in place of the variables that stand
  /// for semiLinear.
  void apply();

 private:
  /// y = sign*semiLinear(x, positive, negative), x no negation
  struct Flow {
    SymbolId stands{};
    Expr y{};
    int sign = 1;
    Expr x{}, positive{}, negative{};
    bool told = false;  ///< by equations of its slopes
  };
  struct Term {
    Expr out{}, slope{}, other{};  ///< semiLinear(out, slope, other)
  };
  [[nodiscard]] Flow flow_of(const SemiLinear& each);
  void join_chains();
  void join_chain(const std::vector<std::size_t>& links);
  [[nodiscard]] bool is_free_unknown(Expr e) const;
  void turn_junction(ScalarEquation& equation);
  [[nodiscard]] bool add_terms(Expr e, int sign, std::vector<Term>& terms, Expr& rest) const;
  [[nodiscard]] Expr smallest_flow(const std::vector<Term>& terms);
  [[nodiscard]] bool turned(ScalarEquation& equation, const std::vector<Term>& terms);
  void put_values_in();

  ScalarModel& model_;
  AliasElimination& aliases_;
  Graph& graph_;
  std::vector<Flow> flows_;
  std::map<Expr, std::vector<std::size_t>> flows_by_y_;
};

}  // namespace takt::codegen::modelica
