#pragma once
// Surrogate: one subsystem as a semi-explicit index-1 system in input-output form,
//   z' = f(z, a, u, t),  0 = g(z, a, u, t),  y = r(z, a, u, t),
// with the algebraic part already sorted into assignments and small blocks. Output of dae, input of
// partition and emit.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dae/algebra/flow_tables.hpp"
#include "codegen/dae/algebra/sparse_order.hpp"
#include "codegen/dae/algebra/subsystem_kind.hpp"
#include "codegen/expr/expr.hpp"
#include "codegen/model/network.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

enum class SubsystemId : std::uint16_t {};

/// Differential state. Circuits integrate conserved quantities (charge, flux linkage, energy,
/// momentum).
struct SurrogateState {
  SymbolId symbol{};  ///< z
  Expr derivative{};  ///< over states, assigned symbols, inputs, parameters, time
  Expr start{};  ///< z at t = 0 over start symbols/parameters/inputs; evaluated by initialize()
};

/// Start value of a storage whose law cannot be turned round: law(unknown) = wanted, found by
/// halving (runtime/solver/law_inverse.hpp). The start values that name the unknown come after it.
struct StartLaw {
  SymbolId unknown{};  ///< stored quantity, or natural variable where the stored one is given, at
                       ///< the start
  Expr law{};          ///< over the unknown, parameters, inputs and what is known at the start
  Expr wanted{};
};

/// Linear block solved over tables: matrix * unknowns = right, the same as residuals = 0.
struct LinearTables {
  std::vector<SparseEntry> matrix;  ///< free of the unknowns
  std::vector<Expr> right;
  SparseTables tables;
};

/// Nonlinear block solved by Newton with a bounded number of iterations and warm start.
/// In each iteration: assignments of `body` (torn variables, residuals, Jacobian) and then the
/// update unknown -= step, where `steps` are expressions (the linear solve is already eliminated
/// symbolically).
struct NewtonBlock {
  std::vector<SymbolId> unknowns;
  std::vector<Expr>
      guesses;  ///< start guess of each unknown, over parameters (used once, in initialize)
  std::vector<Expr>
      residuals;  ///< over unknowns and what is known before the block; SI of the equation
  std::vector<Expr> steps;       ///< Newton steps, same length as unknowns
  std::vector<Expr> magnitudes;  ///< of the terms of each residual: what it is measured by
  struct Exponential {           ///< its argument must not grow too fast
    Expr argument{};
    std::vector<Expr> slopes;  ///< by each unknown
  };
  std::vector<Exponential> exponentials;
  int iterations = 3;
  std::optional<LinearTables>
      linear;  ///< of a block that is linear: not iterated, neither steps nor guesses
  std::optional<FlowTables> flows;  ///< of a network: solved over tables, neither steps nor guesses
};

/// An equation of a block that is eliminated: tested where the circuit is observed.
struct EquationCheck {
  Expr residual{}, magnitude{};  ///< zero where it holds; of its terms
  std::string unit;              ///< of both
};

/// Algebraic part in order of evaluation: an assignment, or a block, which is iterated or solved
/// over tables.
struct AlgebraicStep {
  enum class Kind : std::uint8_t { assignment, newton, linear, flows } kind = Kind::assignment;
  Assignment assignment;
  NewtonBlock newton;
};

/// Whether it may end unsolved.
[[nodiscard]] inline bool is_iterated(const AlgebraicStep& step) {
  return step.kind == AlgebraicStep::Kind::newton ||
         (step.kind == AlgebraicStep::Kind::flows && !step.newton.flows->linear);
}

/// Energy bookkeeping of one subsystem. Powers in W over its symbols; stored in J.
struct EnergyBalance {
  Expr supplied{};    ///< power delivered by sources of this subsystem (A and T branches with own
                      ///< values)
  Expr dissipated{};  ///< power turned into loss and not handed to another subsystem
  Expr exchanged{};   ///< power received from other subsystems through fluxes
  Expr stored{};      ///< energy in storages
  bool complete = true;  ///< false where an element gives no energy expression
  Expr absorbed{};  ///< switched circuits: power into storages; then `dissipated` is not given: it
                    ///< is supplied + exchanged - absorbed by Tellegen's theorem
  std::vector<SymbolId>
      heat_sent{};  ///< switched circuits: sent fluxes that are powers and not part of `exchanged`
  std::string incomplete_by{};  ///< where not complete: a storage without energy expression; empty:
                                ///< free equations
};

struct Surrogate {
  std::string name;  ///< "electric", or "electric.1", "electric.2" where a domain has several
                     ///< circuits; "control.1ms"
  CircuitDomain domain{};
  SubsystemKind kind;
  std::vector<SurrogateState> states;
  std::vector<StartLaw> start_laws;    ///< in order: one may name the unknowns of those before it
  std::vector<AlgebraicStep> algebra;  ///< of a control task: the block outputs in order
  std::vector<SymbolId> algebra_outputs;  ///< every symbol that `algebra` defines, in order
  std::vector<std::uint32_t>
      events;  ///< indices into the Network's, in order of priority; they set states
  std::vector<EquationCheck> checks;
  EnergyBalance energy;
  std::size_t equations = 0;  ///< rows of the flattened DAE before reduction
  std::size_t differential = 0, algebraic = 0;
  int index = 1;  ///< d-index before reduction
  bool structural =
      false;  ///< by the structural path: the index is that of its loop and cutset equations
  std::vector<ElementId> elements;
};

/// A through source of one subsystem whose value is a variable of another: exchanged as an
/// integrated flux.
struct Flux {
  SymbolId source{};    ///< symbol in the producer
  SymbolId received{};  ///< input symbol in the consumer (the branch's through variable)
};

/// Whether a part of the algebra is solved over tables: its derivatives are no expressions.
[[nodiscard]] inline bool has_tables(const Surrogate& surrogate) {
  return std::any_of(
      surrogate.algebra.begin(), surrogate.algebra.end(),
      [](const AlgebraicStep& step) { return step.newton.linear || step.newton.flows; });
}

struct DaeResult {
  std::vector<Surrogate> subsystems;
  std::vector<Flux>
      fluxes;  ///< everything else that crosses is a potential (sampled, inter/extrapolated)
};

}  // namespace takt::codegen
