#pragma once
// What the expressions of a subsystem stand for.

#include "codegen/emit/coefficients.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

[[nodiscard]] Quantities quantities_of(const SubsystemView& view);

}  // namespace takt::codegen
