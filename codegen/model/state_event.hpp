#pragma once
// Events of elements: what the integration of their circuit is cut at.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

enum class ElementId : std::uint32_t;

/// What happens at an instant that the solver locates: variables of the element take other values,
/// which are held or integrated on from there. Modes of elements with free equations or events are
/// states with derivative 0.
struct StateEvent {
  ElementId element{};
  std::string path;  ///< "translational.ball.hit"
  Expr indicator{};  ///< occurs where it comes to be > 0; over variables of the circuit, signals,
                     ///< parameters, time
  bool level =
      false;  ///< occurs wherever it is > 0, at the start too: a mode follows its indicators
  struct Set {
    SymbolId symbol{};
    Expr value{};  ///< over the same, just before
    std::string name;
    Location where;
  };
  std::vector<Set> sets;
  double priority = 0.0;  ///< where several occur at once and set the same, the smaller one
                          ///< decides; then the first
  Location where;
};

}  // namespace takt::codegen
