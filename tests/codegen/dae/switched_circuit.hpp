#pragma once
// The switched circuit of a plant, its companion network evaluated without emission: for tests of the algebra that
// runtime/solver/switched.hpp solves in every micro-step.

#include <memory>
#include <optional>
#include <string>

#include "tests/codegen/dae/interpreter.hpp"

namespace takt::codegen::testing {

class CompanionCircuit {
 public:
  /// Nothing where the plant has errors, or no switched circuit; what was found then stands in `findings`.
  static std::optional<CompanionCircuit> from(const std::string& plant, std::string& findings);

  Network& network() { return *network_; }
  const Surrogate& surrogate() const { return *surrogate_; }
  const SwitchedCircuit& part() const { return switched_circuit(surrogate_->kind); }

  /// A value that the companion network reads: scale, a history, a mode, a gate, an operating point.
  void set(SymbolId symbol, double value) { given_[symbol] = value; }
  void set(const std::string& path, double value) { given_[network_->graph().find_symbol(path).value()] = value; }
  [[nodiscard]] double given(SymbolId symbol) const { return given_.at(symbol); }

  /// Every variable of the circuit, potentials eliminated.
  [[nodiscard]] Interpreter::Values solve(double time);
  /// Rows of the affine map, from its columns' values. @pre part().affine
  [[nodiscard]] std::vector<double> apply_affine(const Interpreter::Values& values) const;
  [[nodiscard]] bool is_potential(SymbolId symbol) const;
  /// An expression over solved variables, given values and parameters.
  [[nodiscard]] double value(Expr expression, const Interpreter::Values& values) const;

 private:
  std::unique_ptr<Network> network_;
  std::unique_ptr<Surrogate> surrogate_;
  Interpreter::Values given_;
};

}  // namespace takt::codegen::testing
