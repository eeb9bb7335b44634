#pragma once
// Rules on several variables at once.

#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {

/// Y042: FMI 3 has one independent variable, FMI 2 at most one; a number with a point.
void check_independent(const FmuReading& reading);

/// Y031: variables of FMI 2 with one type and one valueReference are one value; what they say of it
/// must fit together (FMI 2.0.4, 2.2.7, alias variables). An error only where nobody can tell what
/// is meant: other tools run the rest.
void check_shared_references(const FmuReading& reading);

}  // namespace takt::codegen
