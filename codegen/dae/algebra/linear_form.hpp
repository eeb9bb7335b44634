#pragma once
// Subsystems whose rates are A z + b: A of parameters, and of inputs that may be held over a
// window; b of inputs and time but of no state. And which of their integrands are linear as well.
// Decided from the expressions: what is only piecewise linear is not.

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/dae/algebra/jacobian.hpp"
#include "codegen/expr/node_memo.hpp"

namespace takt::codegen {

/// What an expression of a subsystem hangs on.
struct Dependence {
  enum class On : std::uint8_t {
    parameters,
    driving,    ///< inputs, time
    states,     ///< linear in states, coefficients of parameters; plus what drives
    otherwise,  ///< states in another way
  };
  On on = On::parameters;
  SymbolId symbol{};  ///< one of those it hangs on; otherwise: the one that spoils it
};

class Dependences {
 public:
  /// @param held  inputs that count as parameters
  Dependences(const Network& network, const Surrogate& surrogate,
              const std::vector<SymbolId>& held = {});
  [[nodiscard]] Dependence of(Expr e);
  [[nodiscard]] Dependence of(SymbolId symbol) const;
  [[nodiscard]] bool is_linear(Expr e) { return of(e).on != Dependence::On::otherwise; }

 private:
  NodeMemo<Dependence> memo_;
  std::vector<bool> parameter_;  ///< by symbol
  std::unordered_map<SymbolId, Dependence> own_;
};

/// Degree over a window of what hangs on inputs and time alone; `many` where it is no polynomial.
class WindowDegree {
 public:
  static constexpr int many = 100;
  /// @param of_input  degree of an input's polynomial
  WindowDegree(const Network& network, const Surrogate& surrogate,
               std::function<int(SymbolId)> of_input);
  [[nodiscard]] int of(Expr e);

 private:
  NodeMemo<int> memo_;
  SymbolId time_;
  std::function<int(SymbolId)> of_input_;
  std::unordered_map<SymbolId, int> own_;
};

/// The first rate that is not linear.
struct NotLinear {
  SymbolId state{};      ///< whose rate
  SymbolId symbol{};     ///< what it hangs on in a way that is not linear
  bool driving = false;  ///< the symbol is an input or time: a coefficient moves with it
};

/// What a proposal of methods needs to know.
struct LinearShape {
  std::optional<NotLinear> problem;
  std::vector<SymbolId> held;  ///< inputs that coefficients follow
  bool linear_powers = true;   ///< power supplied, dissipated, exchanged
  bool any_step = false;       ///< linear powers, and what drives is a polynomial that method exact
                               ///< integrates with no error
  std::size_t entries = 0;  ///< of exp(hA), zeros between states that do not hang together left out
  std::size_t largest_block = 0;  ///< states that hang together
  bool turns_in_time = false;  ///< functions of the time jump or bend, or there are events: others
                               ///< cut their steps there
};
/// @param may_hold  whether an input that is a coefficient may be held over a window
[[nodiscard]] LinearShape linear_shape(const Network& network, const Surrogate& surrogate,
                                       const std::function<bool(SymbolId)>& may_hold);

struct LinearForm {
  std::vector<SymbolId> held;  ///< inputs that count as parameters
  struct Driving {
    std::size_t row = 0;
    Expr value{};  ///< over inputs, time, parameters and algebra without states
  };
  std::vector<Jacobian::Entry> rates;                    ///< A; over parameters
  std::vector<Jacobian::Entry> integrands;               ///< the same of linear quadratures
  std::vector<bool> linear;                              ///< per quadrature
  std::vector<Driving> rate_driving, integrand_driving;  ///< b, where it moves within a window
  int points = 1;  ///< that give the polynomial b is taken for: 1 where it is held, 2 or 3
};

/// @param held  LinearShape::held, where linear_shape() finds no problem
[[nodiscard]] LinearForm linear_form(const Network& network, const Surrogate& surrogate,
                                     const std::vector<Expr>& quadratures,
                                     std::vector<SymbolId> held,
                                     const std::function<int(SymbolId)>& input_degree);

}  // namespace takt::codegen
