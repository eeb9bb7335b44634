#pragma once
// Storages of a switched circuit as companion conductances, so that its network is resistive
// whatever the switches do.

#include <vector>

#include "codegen/dae/circuit/law_points.hpp"
#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// One storage z with history w: z1 = w + rate/k.
struct CompanionStorage {
  BranchId branch{};
  SymbolId stored{}, history{}, rate{};  ///< rate: through variable of a C, across variable of an L
};

/// A network in which the storages of one circuit are dissipators:
///   C: i = k*(q(v) - w)        L: v = k*(lambda(i) - w)        k = 2/h
///   or, of laws the other way round, v = f(w + i/k) and i = f(w + v/k): linear, or linearised
///   about points.
/// Source: H. W. Dommel, IEEE Trans. PAS-88(4), 1969, in conserved quantities.
class CompanionNetwork {
 public:
  /// @param linearise  false: laws that are not linear in what is stored stand as they are
  CompanionNetwork(const Network& network, const CircuitTopology& circuit, SymbolId scale,
                   bool linearise);
  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const std::vector<CompanionStorage>& storages() const { return storages_; }
  [[nodiscard]] const std::vector<LawPoint>& points() const { return points_; }

 private:
  void replace(BranchId id, SymbolId scale);
  void turn_laws(SymbolId scale, bool linearise);
  void couple(SymbolId scale);

  Network network_;
  std::vector<CompanionStorage> storages_;
  std::vector<LawPoint> points_;
  std::vector<std::pair<BranchId, Branch>> originals_;  ///< as they are without companions
};

/// Circuits with modes, gates or operating points.
[[nodiscard]] bool is_switched(const Network& network, const CircuitTopology& circuit);

/// Surrogate of a switched circuit but for its bookkeeping (name, counts, energy). Nothing where it
/// is singular (reported).
[[nodiscard]] std::optional<Surrogate> switched_surrogate(const CircuitScope& scope,
                                                          Diagnostics& diagnostics);

}  // namespace takt::codegen
