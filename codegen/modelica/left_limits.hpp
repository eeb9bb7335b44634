#pragma once
// What an expression was just before the instant.

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

/// `e` where relations of the time alone are as they were just before: of 0.1 <= time, which comes
/// true at 0.1, that is 0.1 < time. Other names are left as they stand.
[[nodiscard]] Expr left_limit(ScalarModel& model, Expr e);

}  // namespace takt::codegen::modelica
