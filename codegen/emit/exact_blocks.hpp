#pragma once
// Which states method exact moves by one map. Internal to codegen/emit.

#include <cstddef>
#include <vector>

#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// States that hang together: one map.
struct ExactBlock {
  std::vector<std::size_t> states;
  std::vector<std::size_t> driven;     ///< indices into LinearForm::rate_driving
  std::vector<std::size_t> integrals;  ///< places in state_integrals

  /// Of the map.
  [[nodiscard]] std::size_t columns(const LinearForm& form) const;
  [[nodiscard]] std::size_t rows(const LinearForm& form) const;
};

/// @pre view.plan.linear
[[nodiscard]] std::vector<ExactBlock> exact_blocks(const SubsystemView& view);

/// Linear quadratures that states feed, ascending.
[[nodiscard]] std::vector<std::size_t> state_integrals(const LinearForm& form);
/// Quadratures that are not linear: powers.
[[nodiscard]] std::vector<std::size_t> nonlinear_integrals(const LinearForm& form);

[[nodiscard]] std::size_t place_in(const std::vector<std::size_t>& list, std::size_t value);

}  // namespace takt::codegen
