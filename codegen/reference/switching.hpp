#pragma once
// What switches in a flattened plant: gates at their edges, modes (a diode conducts) where their
// conditions turn, energies lost at edges.

#include <string>

#include "codegen/reference/gate_signals.hpp"
#include "codegen/reference/numeric_system.hpp"

namespace takt::codegen {

/// A gate or mode takes another value.
struct SwitchEvent {
  double time = 0.0;
  SymbolId symbol{};
  double value = 0.0;  ///< 1 or 0
  double condition =
      0.0;  ///< of a mode that turned by itself: where it then was, zero but for rounding
};
using EventSink = std::function<void(const SwitchEvent&)>;

/// Across an edge storages keep what they hold. Modes are those that agree with the circuit: all
/// that do not are flipped, then the first of them (Murty's least-index rule), until none is left.
/// A mode disagrees from `threshold` on, so that one that has just changed, with its condition at
/// zero, does not change back by rounding.
class Switching {
 public:
  static constexpr double threshold = 1e-9;  ///< V or A

  /// Symbols whose values it sets in the NumericSystem.
  [[nodiscard]] static std::vector<SymbolId> held_symbols(const Network& network,
                                                          const FlatSystem& flat);
  Switching(const Network& network, const FlatSystem& flat, NumericSystem& system,
            GateSignals::ValueOf value_of, double look_s);

  [[nodiscard]] bool has_modes() const { return !network_.modes.empty(); }
  [[nodiscard]] bool has_gates() const { return !network_.gates.empty(); }
  [[nodiscard]] GateSignals& gates() { return gates_; }

  /// Start values of modes, gates as at time 0.
  void start();
  /// Modes that agree with the circuit as `solve` solves it.  @throw std::runtime_error  where
  /// there are none
  void settle(double time, const std::function<void()>& solve);
  /// Conditions of all modes, V or A: positive where a mode does not agree.  @pre the system has
  /// been observed
  [[nodiscard]] Values conditions() const;
  /// An instant at which gates or these modes move: levels of gates, modes, energies. @return
  /// whether anything has changed
  bool cross(double time, Values& y, const std::vector<std::size_t>& due, const EventSink& sink);
  /// @throw std::runtime_error  where storages have exchanged what equations cannot take as an
  /// impulse
  void refuse_impulses(double time, const Values& before, const Values& after) const;

 private:
  [[nodiscard]] double condition(std::size_t mode) const {
    return system_.observed(flat_.indicators[mode]);
  }
  void flip(std::size_t mode);
  bool take_levels();
  [[nodiscard]] std::string changes_since(const std::unordered_map<SymbolId, double>& before) const;
  void lose_energy(double time, Values& y, const std::unordered_map<SymbolId, double>& before);
  void heat(double time, Values& y, const std::unordered_map<SymbolId, double>& energies);

  const Network& network_;
  const FlatSystem& flat_;
  NumericSystem& system_;
  GateSignals::ValueOf value_of_;
  GateSignals gates_;
};

}  // namespace takt::codegen
