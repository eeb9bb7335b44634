#pragma once
// Of the search for a steady state: what counts as small, large, and rounding.

#include <cstddef>

namespace takt::start {

inline constexpr std::size_t most_states = 40000;  // what acts on what asks twice for each
inline constexpr int most_steps = 120;             // accepted steps of one attempt
inline constexpr int most_tries = 45;              // of one step, each with a shorter dt
inline constexpr int most_short_tries = 40;        // beyond these, of one step that is not near the steady state
inline constexpr double longest_dt = 1e15;         // s: Newton's step
inline constexpr double long_dt = 1e9;             // s: what a step of this length hardly moves is steady
inline constexpr double response_step = 0.1;       // of a state's magnitude, to find invariants
inline constexpr double jacobian_step =
    1e-5;  // of a state's magnitude, central: 1e-10 of truncation and 1e-11 of rounding
inline constexpr double slow_control = 1e-6;  // part of its speed
inline constexpr double largest_move = 1e6;   // of a state's magnitude in one step
inline constexpr double small_part = 1e-1;    // of the largest in its unit: what is smaller hinders no step
inline constexpr double near = 1e-6;          // of magnitudes: then what is small counts, too
inline constexpr double unbounded = 1e12;     // of its first magnitude: a state that gets there has no steady value
inline constexpr double accurate = 1e-12;     // relative error left
inline constexpr double slow = 1e-9;          // of steps and rates: steady, though not seen to be stable
inline constexpr double nearly = 1e-6;        // of a state's magnitude in a second: said to be nearly steady
inline constexpr double far = 1e4;            // of its first magnitude: what has gone there is not near anything
inline constexpr double rounding = 1e-12;     // rates below this part of the flows through a state are rounding
inline constexpr double unit_noise = 1e-14;   // of flows: what rounding leaves of the difference of two rates
inline constexpr double driven = 1e-9;        // rates of conserved sums above this part of the flows drive them

}  // namespace takt::start
