#include "codegen/code/runtime_names.hpp"

#include "runtime/math/affine_map.hpp"
#include "runtime/math/elementary.hpp"
#include "runtime/math/lanes.hpp"
#include "runtime/math/phi_functions.hpp"
#include "runtime/math/side_by_side.hpp"
#include "runtime/math/sparse_lu.hpp"
#include "runtime/math/table2.hpp"
#include "runtime/plant/window.hpp"
#include "runtime/solver/equation_check.hpp"
#include "runtime/solver/exact.hpp"
#include "runtime/solver/flow_network.hpp"
#include "runtime/solver/law_inverse.hpp"
#include "runtime/solver/newton.hpp"
#include "runtime/solver/newton_lanes.hpp"
#include "runtime/solver/pwm_leg.hpp"
#include "runtime/solver/side_by_side.hpp"
#include "runtime/solver/switched_network.hpp"
#include "runtime/solver/time_instants.hpp"
#include "runtime/solver/timed_gate.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "runtime/solver/switched.hpp"
#pragma GCC diagnostic pop

// Each name of the header is one of the runtime.

#define TAKT_NAME(own, theirs)                      \
  namespace takt::codegen::code::own##_in_runtime { \
    using theirs;                                   \
  }
TAKT_RUNTIME_NAMES(TAKT_NAME)
#undef TAKT_NAME

// Words of the operations of expressions (codegen/expr/op_words.hpp).
namespace takt::codegen::code::operations_in_runtime {
using math::acos, math::asin, math::atan, math::atan2, math::cos, math::exp, math::floor, math::log,
    math::mod, math::pow, math::sign, math::sin, math::sqrt, math::tan, math::tanh;
using math::lookup, math::lookup2, math::slope, math::slope2_x, math::slope2_xy, math::slope2_y;
}  // namespace takt::codegen::code::operations_in_runtime

namespace takt::codegen::code {
namespace {

using Flows = FlowNetwork<FixedSizes<2, 2, 2>>;
using Map = AffineMap<2, 2>;

#define TAKT_MEMBER(own, type, member) static_assert(sizeof(decltype(&type::member)) > 0);
TAKT_RUNTIME_MEMBERS(TAKT_MEMBER)
#undef TAKT_MEMBER

// Blocks in lanes are solved by what has the same names.
static_assert(runtime::judge_lanes == runtime::judge && runtime::watch_lanes == runtime::watch &&
              runtime::turned_lanes == runtime::turned && runtime::left_lanes == runtime::left &&
              runtime::solved_lanes == runtime::solved);

// Of functions that are called in one of several ways.
static_assert(requires(InputPolynomial input) { input.at<0>(0.0); });
static_assert(requires(PwmLeg leg, double (*duty)(double)) {
  leg.start(0.0, PwmSettings{}, duty);
  leg.replan(0.0, duty);
});

}  // namespace
}  // namespace takt::codegen::code
