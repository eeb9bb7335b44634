#pragma once
// What a switching branch does in each state, found by evaluating its law: nothing here knows the
// names of elements.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Which way current can flow: forward is from the branch's first node to its second.
struct Conduction {
  bool forward = false, backward = false;
  [[nodiscard]] bool in(int direction) const { return direction > 0 ? forward : backward; }
};

/// A dissipator whose law depends on gates, modes or operating points of its element.
struct SwitchingBranch {
  BranchId branch{};
  std::vector<std::uint32_t> gates;  ///< of its element; indices into Network::gates
  bool latched = false;  ///< it has no gates, but modes that remember; here they stand for gates
  Conduction gated;      ///< while its gates are on
  Conduction free;  ///< while they are off: diodes, body diodes, thyristors that were fired before
  double resistance = 0.0;  ///< while its gates are on, Ohm
  Expr closed{};  ///< over gates and modes: it conducts because of its gates (also a thyristor that
                  ///< was fired)

  [[nodiscard]] bool opens_by_itself() const { return gates.empty() && !latched; }
  /// Its gates end a current that flows this way.
  [[nodiscard]] bool interrupts(int direction) const {
    return gated.in(direction) && !free.in(direction);
  }
};

/// Values of expressions at the parameters as loaded: inputs at their start values, temperatures at
/// 298.15 K, other symbols 0 where nothing is said.
class NominalValues {
 public:
  explicit NominalValues(const Network& network);
  [[nodiscard]] double of(Expr e, const std::unordered_map<SymbolId, double>& given = {}) const;
  /// Whether only parameters, and time where `with_time`, occur in e.
  [[nodiscard]] bool is_known(Expr e, bool with_time) const;

 private:
  const Network& network_;
  std::unordered_map<SymbolId, double> known_;  // parameters
  std::unordered_map<SymbolId, double> inputs_;
};

/// The through variable of a dissipator at an across variable; laws are linear once gates, modes
/// and points are given. Leaves both in `given`.
[[nodiscard]] double through_at(const NominalValues& values, const Branch& branch, double across,
                                std::unordered_map<SymbolId, double>& given);

/// The branches of a circuit that open and close.
[[nodiscard]] std::vector<SwitchingBranch> switching_branches(const Network& network,
                                                              const CircuitTopology& circuit,
                                                              const NominalValues& values);

}  // namespace takt::codegen
