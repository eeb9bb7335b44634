#pragma once
// Which derivatives of a differentiated system are integrated and which become plain algebraic
// unknowns. Source: S. E. Mattsson, G. Soderlind, "Index reduction in differential-algebraic
// equations using dummy derivatives", SIAM J. Sci. Comput. 14 (1993). The choice is static: no
// magnitudes are compared, only whether a choice is possible at the start values.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "codegen/dae/structural/pantelides.hpp"

namespace takt::codegen {

struct DummyChoice {
  std::vector<bool> is_dummy;       ///< per variable of the differentiated system
  std::vector<std::size_t> states;  ///< variables whose derivatives are integrated
};

/// A variable that is kept as much as this is integrated before rates of any that is not.
inline constexpr int keep_always = 6;

/// @param entry     partial derivative of an equation with respect to a variable at the start
/// values: of a differentiated equation with respect
///                  to a highest derivative
/// @param keep      per variable: the larger, the rather its derivative is integrated; equal ones
/// in order of number
/// @return nothing where no choice makes the constraints solvable at the start values
[[nodiscard]] std::optional<DummyChoice> choose_dummies(
    const StructuralResult& result, std::size_t original_equations,
    const std::function<double(std::size_t equation, std::size_t variable)>& entry,
    const std::vector<int>& keep);

}  // namespace takt::codegen
