#pragma once
// The kinds of subsystem. What is done differently for each is asked by by_kind(), which names
// every kind: a new kind does not compile before each of these questions is answered for it.
// Questions of yes or no that several stages ask stand here; the others stand where they are asked
// (`grep -r by_kind codegen`).

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// symbol = value
struct Assignment {
  SymbolId symbol{};
  Expr value{};
};

/// Circuit whose equations stay the same: its states are integrated by one of codegen/methods.
struct SmoothCircuit {};

/// row = sum of coefficients[row][column] * column + offsets[row]; coefficients and offsets over
/// switch states, parameters, held inputs.
struct AffineRows {
  std::vector<SymbolId> rows, columns;
  std::vector<std::vector<Expr>> coefficients;
  std::vector<Expr> offsets;
  bool cheaper = false;  ///< than eliminating the potentials in every micro-step
};

/// Of the energy that a joining of capacitors takes.
struct HeatShare {
  SymbolId sent{};     ///< by the heat port of a switch
  double share = 0.0;  ///< its on-resistance over that of the loop
};

/// Circuit whose switches change its equations: what it has beside its algebra
/// (runtime/solver/switched.hpp). The algebra is that of the companion network: over histories,
/// modes, gates, operating points, inputs, time and `scale` it gives the rates of all states.
struct SwitchedCircuit {
  SymbolId scale{};  ///< k = 2/h of the segment, 1/s
  std::vector<SymbolId>
      histories;  ///< w of the first states, the storages; the other states are known as they are
  std::vector<std::uint32_t> modes, points, gates, legs, timed_gates,
      edges;  ///< indices into the Network's lists
  std::optional<AffineRows>
      affine;                    ///< across variables the micro-step needs, where they are affine
  std::vector<Expr> indicators;  ///< per mode: it flips where > 0
  std::vector<SymbolId>
      discrete;  ///< symbols of modes, points, gates, legs, timed gates, edge totals: observable
  std::vector<SwitchLoop> loops;  ///< counted where gates close them
  std::vector<SwitchLoop>
      joins;  ///< by which gates join capacitors: the energy that is lost is booked
  std::vector<std::vector<HeatShare>>
      join_heats;  ///< of each of them; empty: none of its switches sends heat
  std::vector<std::pair<SymbolId, Expr>>
      elastances;                  ///< charge and 1/C [1/F] of the capacitors, where joins are
  std::vector<SymbolId> linkages;  ///< of the inductors, where joins are
  std::vector<FloatingInductor>
      cut_off;           ///< inductors whose current gates can cut off: counted where they do
  Expr voltage_limit{};  ///< more than this across one of them comes from off-resistances, V
  std::vector<SymbolId> source_inputs;  ///< read by sources, so followed inside a window; other
                                        ///< inputs are held over it
};

/// Sampled control blocks of one period: executed, not integrated.
struct ControlTask {
  std::int64_t period_ns = 0;       ///< of execution
  std::vector<Assignment> updates;  ///< of states, executed after the outputs
};

/// An FMU: its inputs are the algebra, its outputs are the states. A helper process computes it.
struct ForeignTask {
  std::uint32_t model = 0;  ///< index into Network::foreign
  std::vector<Expr> given;  ///< values of its parameters
};

using SubsystemKind = std::variant<SmoothCircuit, SwitchedCircuit, ControlTask, ForeignTask>;

namespace kinds {

/// A kind that no answer was written for.
struct Unknown {};

template <class... Answers>
struct Answer : Answers... {
  using Answers::operator()...;
};

}  // namespace kinds

/// The answer for the kind at hand. One function for each kind, by its type: what takes any type is
/// no answer.
template <class Kind, class... Answers>
decltype(auto) by_kind(Kind&& kind, Answers&&... answers) {
  using All = kinds::Answer<std::remove_cvref_t<Answers>...>;
  static_assert(!std::invocable<All, kinds::Unknown>, "each kind is answered for by its own name");
  static_assert(sizeof...(Answers) == std::variant_size_v<std::remove_cvref_t<Kind>>,
                "each kind is answered for once");
  return std::visit(All{std::forward<Answers>(answers)...}, std::forward<Kind>(kind));
}

/// A circuit of the network with conserved quantities and an energy balance, not blocks.
[[nodiscard]] bool is_circuit(const SubsystemKind& kind);
/// States integrated by one of codegen/methods, rates given at any instant: it can be linearised,
/// its steps chosen.
[[nodiscard]] bool is_integrated(const SubsystemKind& kind);
/// Everything in it follows from states, inputs and time by expressions: the generator can evaluate
/// it by itself.
[[nodiscard]] bool is_evaluable(const SubsystemKind& kind);
/// Of what is executed periodically: the period.
[[nodiscard]] std::optional<std::int64_t> sampling_period_ns(const SubsystemKind& kind);
/// Assignments executed after the algebra, once in each period.
[[nodiscard]] std::vector<Assignment> updates_of(const SubsystemKind& kind);

/// The parts of a kind that is known where this stands. @throws std::bad_variant_access
[[nodiscard]] inline const SwitchedCircuit& switched_circuit(const SubsystemKind& kind) {
  return std::get<SwitchedCircuit>(kind);
}
[[nodiscard]] inline const ForeignTask* foreign_task(const SubsystemKind& kind) {
  return std::get_if<ForeignTask>(&kind);
}
[[nodiscard]] inline const ControlTask& control_task(const SubsystemKind& kind) {
  return std::get<ControlTask>(kind);
}

}  // namespace takt::codegen
