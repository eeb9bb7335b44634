#pragma once
// What emitted functions call by name in the runtime. runtime_names.cpp asks the runtime for each
// of them: what is renamed there does not compile here.

#include <cstddef>
#include <string>
#include <string_view>

// NAME(own name, name in the runtime)
#define TAKT_RUNTIME_NAMES(NAME)                         \
  NAME(abs, takt::math::abs)                             \
  NAME(max, takt::math::max)                             \
  NAME(exp_each, takt::math::exp_each)                   \
  NAME(log_each, takt::math::log_each)                   \
  NAME(pow_each, takt::math::pow_each)                   \
  NAME(min, takt::math::min)                             \
  NAME(two_doubles, takt::TwoDoubles)                    \
  NAME(load_two, takt::load_two)                         \
  NAME(store_two, takt::store_two)                       \
  NAME(load_pairs, takt::load_pairs)                     \
  NAME(store_pairs, takt::store_pairs)                   \
  NAME(any_positive, takt::any_positive)                 \
  NAME(read_again, takt::read_again)                     \
  NAME(newton_damping, takt::NewtonDamping)              \
  NAME(newton_unknown, takt::NewtonUnknown)              \
  NAME(newton_move, takt::NewtonMove)                    \
  NAME(move_undo, takt::NewtonMove::undo)                \
  NAME(move_limited, takt::NewtonMove::limited)          \
  NAME(move_lower, takt::NewtonMove::lower)              \
  NAME(newton_limited, takt::newton_limited)             \
  NAME(newton_damped, takt::newton_damped)               \
  NAME(newton_from_low, takt::newton_from_low)           \
  NAME(newton_settled, takt::newton_settled)             \
  NAME(law_inverse, takt::LawInverse)                    \
  NAME(checked_equation, takt::CheckedEquation)          \
  NAME(equations_hold, takt::equations_hold)             \
  NAME(factor_sparse, takt::factor_sparse)               \
  NAME(solve_sparse, takt::solve_sparse)                 \
  NAME(solve_sparse_twice, takt::solve_sparse_twice)     \
  NAME(matrix_place, takt::MatrixPlace)                  \
  NAME(set_exact, takt::set_exact)                       \
  NAME(phi_functions, takt::math::PhiFunctions)          \
  NAME(pwm_settings, takt::PwmSettings)                  \
  NAME(duty_with_turns, takt::DutyWithTurns)             \
  NAME(carrier, takt::Carrier)                           \
  NAME(duty_update, takt::DutyUpdate)                    \
  NAME(rises, takt::rises)                               \
  NAME(joins_beside, takt::joins_beside)                 \
  NAME(fades, takt::fades)                               \
  NAME(largest, takt::largest)                           \
  NAME(switched_event_count, takt::switched_event_count) \
  NAME(instant_after, takt::instant_after)               \
  NAME(corner_after, takt::corner_after)                 \
  NAME(run_switched, takt::run_switched)                 \
  NAME(lanes, takt::Lanes)                               \
  NAME(lane_truths, takt::LaneTruths)                    \
  NAME(lane_damping, takt::LaneDamping)                  \
  NAME(lane_input, takt::LaneInput)                      \
  NAME(in_lanes, takt::in_lanes)                         \
  NAME(count_left, takt::count_left)                     \
  NAME(count_turned, takt::count_turned)                 \
  NAME(run_side_by_side, takt::run_side_by_side)         \
  NAME(input_polynomial, takt::InputPolynomial)

// MEMBER(own name, type in runtime_names.cpp, its member)
#define TAKT_RUNTIME_MEMBERS(MEMBER)                         \
  MEMBER(judge, NewtonDamping, judge)                        \
  MEMBER(look, NewtonDamping, look)                          \
  MEMBER(looks, NewtonDamping, looks)                        \
  MEMBER(holds, NewtonDamping, holds)                        \
  MEMBER(begin_limit, NewtonDamping, begin_limit)            \
  MEMBER(limit, NewtonDamping, limit)                        \
  MEMBER(begin_lower, NewtonDamping, begin_lower)            \
  MEMBER(is_highest, NewtonDamping, is_highest)              \
  MEMBER(watch, NewtonDamping, watch)                        \
  MEMBER(whole, NewtonDamping, whole)                        \
  MEMBER(settle, NewtonDamping, settle)                      \
  MEMBER(share, NewtonDamping, share)                        \
  MEMBER(solved, NewtonDamping, solved)                      \
  MEMBER(left, NewtonDamping, left)                          \
  MEMBER(turned, NewtonDamping, turned)                      \
  MEMBER(next, NewtonUnknown, next)                          \
  MEMBER(slope, NewtonUnknown, slope)                        \
  MEMBER(inverse_at, LawInverse, at)                         \
  MEMBER(take, LawInverse, take)                             \
  MEMBER(result, LawInverse, result)                         \
  MEMBER(most, LawInverse, most)                             \
  MEMBER(flows_injected, Flows, injected)                    \
  MEMBER(flows_offset, Flows, offset)                        \
  MEMBER(flows_conductance, Flows, conductance)              \
  MEMBER(flows_current, Flows, current)                      \
  MEMBER(flows_potential, Flows, potential)                  \
  MEMBER(flows_at, Flows, at)                                \
  MEMBER(flows_across, Flows, across)                        \
  MEMBER(flows_through, Flows, through)                      \
  MEMBER(flows_factor, Flows, factor)                        \
  MEMBER(flows_solve, Flows, solve<void (*)()>)              \
  MEMBER(flows_solve_linear, Flows, solve_linear)            \
  MEMBER(flows_keep, Flows, keep)                            \
  MEMBER(flows_begin, Flows, begin)                          \
  MEMBER(phi_work_size, takt::math::PhiFunctions, work_size) \
  MEMBER(map_set, Map, set)                                  \
  MEMBER(map_apply, Map, apply)                              \
  MEMBER(map_apply_pairs, Map, apply_pairs)                  \
  MEMBER(map_blocks, Map, blocks)                            \
  MEMBER(leg_high, PwmLeg, high)                             \
  MEMBER(leg_low, PwmLeg, low)                               \
  MEMBER(gate_level, TimedGate, level)                       \
  MEMBER(gate_command, TimedGate, command)                   \
  MEMBER(frequency_hz, PwmSettings, frequency_hz)            \
  MEMBER(phase, PwmSettings, phase)                          \
  MEMBER(dead_time_s, PwmSettings, dead_time_s)              \
  MEMBER(settings_carrier, PwmSettings, carrier)             \
  MEMBER(settings_update, PwmSettings, update)               \
  MEMBER(judge_lanes, LaneDamping, judge)                    \
  MEMBER(watch_lanes, LaneDamping, watch)                    \
  MEMBER(next_lanes, LaneDamping, next)                      \
  MEMBER(settle_lanes, LaneDamping, settle)                  \
  MEMBER(turned_lanes, LaneDamping, turned)                  \
  MEMBER(left_lanes, LaneDamping, left)                      \
  MEMBER(solved_lanes, LaneDamping, solved)

namespace takt::codegen::runtime {

#define TAKT_NAME(own, theirs) inline constexpr std::string_view own = #theirs;
TAKT_RUNTIME_NAMES(TAKT_NAME)
#undef TAKT_NAME

#define TAKT_MEMBER(own, type, member) inline constexpr std::string_view own = #member;
TAKT_RUNTIME_MEMBERS(TAKT_MEMBER)
#undef TAKT_MEMBER

/// Where functions of numbers are.
inline constexpr std::string_view functions_of_numbers = "takt::math::";

/// std::array<double, 3>
[[nodiscard]] inline std::string array_of(std::string_view type, std::size_t size) {
  return "std::array<" + std::string(type) + ", " + std::to_string(size) + ">";
}

}  // namespace takt::codegen::runtime
