#pragma once
// "Did you mean" under the names of the generator: runtime/units.

#include "runtime/units/nearest.hpp"

namespace takt::codegen {

using takt::did_you_mean;
using takt::edit_distance;
using takt::nearest_name;

}  // namespace takt::codegen
