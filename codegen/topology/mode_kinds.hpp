#pragma once
// Which modes follow the circuit and which remember.

#include "codegen/topology/switching_branch.hpp"

namespace takt::codegen {

enum class ModeKind : std::uint8_t { follows, fired, latched };

/// A mode follows the circuit (a diode conducts) where it reads nothing of the circuit but the
/// branch it switches, and whatever stands behind that branch, a source and a resistance in series,
/// just one of on and off agrees: then modes are found together with the circuit's voltages and
/// currents, at one instant. One that with its gates off stays as it is has been fired (a
/// thyristor). All others are latched: hysteresis, or a threshold on another element's current.
class ModeKinds {
 public:
  ModeKinds(const Network& network, const NominalValues& values)
      : network_(network), values_(values) {}
  [[nodiscard]] ModeKind of(const Mode& mode) const;
  /// Those that follow, those that are fired, those that are latched.
  [[nodiscard]] std::vector<std::uint32_t> sorted(const std::vector<std::uint32_t>& modes) const;
  /// Of these modes, as many as are of the kind.
  [[nodiscard]] std::size_t count(const std::vector<std::uint32_t>& modes, ModeKind kind) const;

 private:
  const Network& network_;
  const NominalValues& values_;
};

}  // namespace takt::codegen
