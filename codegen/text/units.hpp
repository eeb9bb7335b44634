#pragma once
// Units and dimensions under the names of the generator: runtime/units, which built plants have,
// too.

#include "runtime/units/units.hpp"

namespace takt::codegen {

using takt::Dimension;
using takt::dimension_text;
using takt::from_si;
using takt::nearest_unit;
using takt::parse_unit;
using takt::parse_unit_prefix;
using takt::to_si;
using takt::Unit;

}  // namespace takt::codegen
