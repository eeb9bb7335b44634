#pragma once
// A plant as one system of equations, as the emitted flat.cpp describes it: numbers of places in one array, and
// functions of that array. Plain data; the emitted code owns it, and it never changes.
//
// The point holds everything that has a value, in this order: unknowns (what is integrated among them), time, what is
// held between events, parameters, named quantities of elements, rates of what is integrated. The number of a place is
// the value reference of an FMU.
//
// Equations: for each row  0 = value(point)  or  d(unknown)/dt = value(point); the system is of index 1.

#include <cstdint>
#include <span>

#include "runtime/solver/pwm_leg.hpp"

namespace takt::flat {

using Place = std::uint32_t;
inline constexpr Place no_place = static_cast<Place>(-1);

using Values = void (*)(const double* point, double* results) noexcept;
using Value = double (*)(const double* point) noexcept;
/// The first instant after t at which something jumps or bends; s.
using FirstAfter = double (*)(const double* point, double t) noexcept;

/// What an importer may do with a place.
enum class Role : std::uint8_t {
  computed,
  input,
  event_input,  ///< read by control blocks and gates: it changes at events only
  tunable,      ///< a parameter
  fixed,        ///< a parameter that is read at the start only
  structural,   ///< a parameter that is compiled in
  hidden
};

struct Range {
  Place first = 0;
  std::uint32_t count = 0;
};

/// Expressions and their derivatives by places of the point, row by row.
struct Rows {
  Values values = nullptr, slopes = nullptr;
  std::span<const std::uint32_t> row_start{};  ///< [rows + 1] into the slopes
  std::span<const Place> column{};             ///< of each slope
  [[nodiscard]] std::size_t size() const noexcept { return row_start.size() - 1; }
};

/// Square blocks of equations, each solvable once those before it are: row and unknown numbers.
struct Blocks {
  std::span<const std::uint32_t> start{};  ///< [blocks + 1] into the other two
  std::span<const std::uint32_t> row{}, unknown{};
  [[nodiscard]] std::size_t size() const noexcept { return start.size() - 1; }
};

struct BlockOutput {
  Value value = nullptr;
  Place place = 0;
  std::int64_t period_ns = 1;
};
struct BlockState {
  Value next = nullptr, start = nullptr;
  Place place = 0;
  std::int64_t period_ns = 1;
};
struct Leg {
  Value duty = nullptr, frequency_hz = nullptr, phase = nullptr, dead_time_s = nullptr;
  Carrier carrier{};
  DutyUpdate update{};
  Place high = 0, low = 0;
  FirstAfter turn_after = nullptr;  ///< of the duty; nullptr: it has no such instants
};
struct Timed {
  Value level = nullptr, delay_s = nullptr;
  Place place = 0;
};
struct Gate {
  Value signal = nullptr;
  Place place = 0;
  bool follows_time = false;
};
struct Mode {
  Value start = nullptr;
  Place place = 0, indicator = 0;  ///< indicator: positive where the mode does not agree with the circuit
};
struct Edge {
  Value rise = nullptr, fall = nullptr;  ///< J
  Place of = 0, total = 0;
  Place pulse = no_place;  ///< power where the energy arrives as heat
};
struct Before {
  Place place = 0, of = 0;  ///< value of `of` just before an edge
};
struct Limit {
  Value holds = nullptr;
  const char* text = nullptr;
};
/// A sum of jumps that must be zero: equations cannot take it as an impulse.
struct Impulse {
  const char* text = nullptr;
  std::span<const Place> stored{};
  std::span<const double> share{};
};

struct Description {
  Place time = 0;  ///< also: how many unknowns
  std::uint32_t points = 0;
  Range inputs, parameters, variables, rates;
  std::span<const double> start{};            ///< [points] as instantiated: parameters, inputs
  std::span<const Role> role{};               ///< [points]
  std::span<const char* const> path{};        ///< [points]
  std::span<const double> usual{};            ///< by unknown: errors are judged relative to its size plus this
  std::span<const std::uint32_t> unit{};      ///< by unknown: number of its unit
  std::span<const Place> states{};            ///< unknowns that are integrated
  std::span<const std::uint32_t> rate_row{};  ///< by state
  Rows rows, start_rows, variable_rows;
  Blocks algebra, start_blocks;            ///< algebra: of rows without rate, for unknowns that are not integrated
  Values guesses = nullptr;                ///< of unknowns, at the start; not a number: none
  std::span<const BlockOutput> outputs{};  ///< in the order of evaluation
  std::span<const BlockState> block_states{};
  std::span<const Leg> legs{};
  std::span<const Timed> timed{};
  std::span<const Gate> gates{};
  std::span<const Mode> modes{};
  std::span<const Edge> edges{};
  std::span<const Before> befores{};
  std::span<const Limit> limits{};
  std::span<const Impulse> impulses{};
  std::span<const double> turns_s{};  ///< instants at which something that follows time changes its course
  double look_s = 1e-6;               ///< pulses of gates that follow time are not missed where they are longer
};

}  // namespace takt::flat
