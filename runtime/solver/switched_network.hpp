#pragma once
// The resistive network of a switched circuit at one instant: factorisations of its switch states, the modes and
// operating points that agree with it, its gates and the energy lost where it switches. switched.hpp advances it in
// time and names the sources.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "runtime/math/affine_map.hpp"
#include "runtime/solver/time_instants.hpp"

namespace takt {

/// Run-time events of a switched circuit, counted (as doubles: they stand in plant memory).
enum class SwitchedEvent : std::uint8_t { undecided, crowded, unsettled };
inline constexpr std::size_t switched_event_count = 3;

/// 1 where a condition has become true; `was` remembers it. Real-time: wait-free.
inline double rises(bool now, bool& was) noexcept {
  const bool rise = now && !was;
  was = now;
  return rise ? 1.0 : 0.0;
}

/// Whether a capacitor that is not of just one loop that has closed takes a part of what is lost that is not small.
/// Real-time: wait-free.
inline bool joins_beside(double closed, double taken, double lost) noexcept {
  return closed != 1.0 && taken > 1e-3 * lost;
}
/// Whether a rate falls by ten and more. Real-time: wait-free.
inline bool fades(double now, double later) noexcept { return std::fabs(later) < 0.1 * std::fabs(now); }

namespace detail {

inline constexpr int flips_of_all = 4;       ///< rounds that flip every violated mode, before least-index
inline constexpr int point_iterations = 40;  ///< bound of the iteration of operating points
inline constexpr double jump = 1e5;          ///< tolerances by which an operating point moves in a step: an edge
inline constexpr double rounding = 1e-12;    ///< V or A: less does not tell whether a mode agrees
inline constexpr double snap = 1e-6;         ///< edges closer than this part of a step are one
inline constexpr std::int32_t horizon = 64;  ///< micro-steps for which gate edges are asked ahead
inline constexpr std::size_t ways = 4;       ///< places of the cache where a switch state may stand

constexpr std::size_t room(std::size_t n) { return n > 0 ? n : 1; }

// Arrays of n numbers that do not overlap, two numbers at a time: GCC does not see that of arrays in plant memory.

/// to[i] = rule(to[i], a[i], b[i]), for one number and for two.
template <std::size_t n, class Rule>
inline void combine(double* to, const double* a, const double* b, const Rule& rule) noexcept {
#pragma GCC unroll 16
  for (std::size_t i = 0; i + 1 < n; i += 2)
    store_two(rule(load_two(to + i), load_two(a + i), load_two(b + i)), to + i);
  if constexpr (n % 2 == 1) to[n - 1] = rule(to[n - 1], a[n - 1], b[n - 1]);
}
/// to += a
template <std::size_t n>
inline void accumulate(double* to, const double* a) noexcept {
  combine<n>(to, a, a, [](auto old, auto more, auto) { return old + more; });
}
/// to += a*factor
template <std::size_t n>
inline void accumulate(double* to, const double* a, double factor) noexcept {
  combine<n>(to, a, a, [factor](auto old, auto more, auto) { return old + more * factor; });
}
/// to += (a + b)*factor
template <std::size_t n>
inline void accumulate_sum(double* to, const double* a, const double* b, double factor) noexcept {
  combine<n>(to, a, b, [factor](auto old, auto one, auto other) { return old + (one + other) * factor; });
}
/// to = a + b*factor
template <std::size_t n>
inline void assign_sum(double* to, const double* a, const double* b, double factor) noexcept {
  combine<n>(to, a, b, [factor](auto, auto one, auto other) { return one + other * factor; });
}
/// to = from + share*(to - from)
template <std::size_t n>
inline void blend(double* to, const double* from, double share) noexcept {
  combine<n>(to, from, from, [share](auto old, auto start, auto) { return start + share * (old - start); });
}

/// S is emitted; its members are named in codegen/emit/switched_functions.cpp. A segment leads from S::point[now] to
/// the other one. Real-time: every function is bounded; no heap, no system call.
template <class S>
class SwitchedNetwork {
 public:
  explicit SwitchedNetwork(S& circuit) noexcept : s_(circuit) {}

 protected:
  using Point = typename S::Point;
  Point& here() noexcept { return s_.point[s_.now]; }
  Point& ahead() noexcept { return s_.point[1 - s_.now]; }
  void turn() noexcept { s_.now = 1 - s_.now; }
  // What the circuit has none of it has no member for: then these are read nowhere.
  [[nodiscard]] double* gates() const noexcept {
    if constexpr (S::gate_count > 0) return s_.gates.data();
    return nullptr;
  }
  [[nodiscard]] double* modes() const noexcept {
    if constexpr (S::mode_count > 0) return s_.modes.data();
    return nullptr;
  }
  [[nodiscard]] double* extent() const noexcept {
    if constexpr (S::storage_count > 0) return s_.extent.data();
    return nullptr;
  }

  // --- solution
  /// What holds for a whole window; factorisations stay valid where nothing of it has changed.
  void hold_inputs(double half, double middle) noexcept {
    half_ = half;
    if (!s_.hold_inputs(half, middle)) return;
    s_.keys = {};
    stale_ = true;
  }
  /// Gates and modes as bits; never 0. Where there are more than fit, nothing is kept.
  void read_key() noexcept {
    key_ = 1;
    for (std::size_t g = 0; g < S::gate_count; ++g)
      if (gates()[g] > 0.5) key_ ^= bit(g);
    for (std::size_t m = 0; m < S::mode_count; ++m)
      if (modes()[m] > 0.5) key_ ^= bit(S::gate_count + m);
  }
  static constexpr bool key_fits = S::gate_count + S::mode_count <= 62;
  static constexpr std::uint64_t bit(std::size_t index) noexcept { return std::uint64_t{2} << (index % 63); }
  /// The factorisation of the present switch state.
  void factor() noexcept {
    stale_ = false;
    if constexpr (S::point_count > 0 || !key_fits) {  // points move too often to be worth keeping
      s_.slot = 0;
      s_.factor();
    } else {
      const std::uint64_t key = key_;
      const std::size_t home = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 40) % S::cache_size;
      std::size_t vacant = home;
      for (std::size_t way = detail::ways; way-- > 0;) {
        const std::size_t slot = (home + way) % S::cache_size;
        if (s_.keys[slot] == key) {
          s_.slot = slot;
          return;
        }
        if (s_.keys[slot] == 0) vacant = slot;
      }
      if (s_.keys[vacant] != 0) vacant = (home + s_.evicted++ % detail::ways) % S::cache_size;
      s_.slot = vacant;
      s_.keys[vacant] = key;
      s_.factor();
    }
  }
  void histories() noexcept { assign_sum<S::storage_count>(ahead().w.data(), s_.x.data(), here().r.data(), half_); }
  void histories_at_rest() noexcept {
    for (std::size_t i = 0; i < S::storage_count; ++i) ahead().w[i] = s_.x[i];
  }
  /// @return whether a mode does not agree with the circuit
  bool solve(double end) noexcept { return solve_from(ahead().w.data(), end); }
  bool solve_from(const double* w, double end) noexcept {
    Point& next = ahead();
    return s_.solve(time_of(end), end, w, next.r.data(), next.v.data(), next.p.data(), next.e.data());
  }

  // --- sources that jump or bend
  static constexpr bool sources_turn = requires(const S& s) { s.next_source_turn(0.0); };
  /// The first instant from `begin` on at which a source jumps or bends, s into the window. Beyond any window: none.
  [[nodiscard]] double next_source_turn(double begin) const noexcept {
    if constexpr (sources_turn) return s_.next_source_turn(window_t_ + begin) - window_t_;
    return 1e300;
  }
  /// Sources are read between these two instants only, however far beyond them a segment is solved to.
  void read_sources_in([[maybe_unused]] double begin, [[maybe_unused]] double end) noexcept {
    if constexpr (sources_turn) sources_in_.set(window_t_ + begin, window_t_ + end);
  }
  void read_sources_anywhere() noexcept {
    if constexpr (sources_turn) sources_in_ = {};
  }
  [[nodiscard]] double time_of(double at) const noexcept {
    if constexpr (sources_turn) return sources_in_.of(window_t_ + at);
    return window_t_ + at;
  }

  // --- modes and operating points
  static constexpr std::size_t free_count =
      S::mode_count - S::latched_count;  ///< modes that settle; latched ones stand last
  /// Modes that may be flipped now: thyristors, which do not come back, once all that follow the circuit agree.
  std::size_t settling(double tolerance) noexcept {
    constexpr std::size_t following = free_count - S::fired_count;
    if constexpr (S::fired_count == 0) return free_count;
    return any_violated(tolerance, following) ? following : free_count;
  }
  bool is_violated(std::size_t mode) noexcept { return ahead().e[mode] > 0.0; }
  void flip(std::size_t mode) noexcept {
    modes()[mode] = 1.0 - modes()[mode];
    key_ ^= bit(S::gate_count + mode);
    stale_ = true;
  }
  [[nodiscard]] static bool is_finite(const Point& point) noexcept {
    double sum = 0.0;  // of zeros, else NaN
    for (const double rate : point.r) sum += 0.0 * rate;
    for (const double power : point.p) sum += 0.0 * power;
    return sum == 0.0;
  }
  /// Flips until all modes but the latched ones agree with the circuit at the end of the segment. In the end violations
  /// that are rounding count as none: characteristics are continuous where modes change. Where that does not end (the
  /// network is not monotone) it counts as undecided. Real-time: at most 9 + 4*modes solutions, one factorisation each,
  /// or (1 + point_iterations) times as many where there are operating points; least-index flips may need more in
  /// theory, 2^modes, and are cut off.
  void settle(double end) noexcept {
    constexpr int bound = detail::flips_of_all + 4 * static_cast<int>(free_count) + 4;
    for (int round = 0; round < bound; ++round) {
      if (stale_) factor();
      bool violated = solve(end);
      if constexpr (S::point_count > 0) violated = !iterate_points(end);
      if constexpr (S::latched_count > 0) violated = any_violated(0.0, free_count);
      if (!violated || (round > detail::flips_of_all && !any_violated(detail::rounding, free_count))) return;
      const std::size_t flippable = settling(round > detail::flips_of_all ? detail::rounding : 0.0);
      for (std::size_t m = 0; m < flippable; ++m) {
        if (!is_violated(m)) continue;
        flip(m);
        if (round >= detail::flips_of_all) break;
      }
    }
    if (stale_) factor();
    solve(end);
    if (any_violated(detail::rounding, free_count)) count(SwitchedEvent::undecided);
  }
  /// Newton on the operating points, the circuit solved at `end` before; true where all modes agree afterwards.
  /// Real-time: at most point_iterations factorisations and solutions; what has not settled then is counted.
  bool iterate_points(double end) noexcept {
    for (int round = 0; round < detail::point_iterations; ++round) {
      if (!s_.move_points(time_of(end), end, ahead().w.data())) return !any_violated();
      factor();
      solve(end);
    }
    count(SwitchedEvent::unsettled);
    return !any_violated();
  }
  /// Whether an operating point has moved so far that the element has practically switched.
  bool has_jumped(const auto& points) const noexcept {
    bool any = false;
    for (std::size_t k = 0; k < S::point_count; ++k)
      any = any || std::fabs(s_.points[k] - points[k]) > detail::jump * s_.tolerances[k];
    return any;
  }
  void return_points(const auto& points) noexcept {
    s_.points = points;
    stale_ = true;
  }
  bool any_violated(double tolerance = 0.0, std::size_t modes = S::mode_count) noexcept {
    bool any = false;
    for (std::size_t m = 0; m < modes; ++m) any = any || ahead().e[m] > tolerance;
    return any;
  }

  // --- gates
  /// The next gate edge, s into the window; anything from `until` on where there is none before. Asked as rarely as
  /// possible.
  double next_edge(double until) noexcept {
    if (edge_ >= known_until_ && until > known_until_) {
      known_until_ = until;
      edge_ = s_.next_edge(window_t_, until);
    }
    return edge_;
  }
  void apply_edges() noexcept {
    s_.apply_edges(window_t_ + edge_);
    edge_ = s_.next_edge(window_t_, known_until_);
  }
  /// Whether a gate that follows time is another at the end of this micro-step.
  bool gates_move(double end) noexcept {
    if constexpr (!S::gates_follow_time) return false;
    double levels[room(S::gate_count)];
    s_.gate_levels(window_t_ + end, end, levels);
    return differ(levels);
  }
  bool differ(const double* levels) const noexcept {
    bool any = false;
    for (std::size_t g = 0; g < S::gate_count; ++g) any = any || levels[g] != gates()[g];
    return any;
  }
  /// The first instant from `begin` on, s into the window, at which a signal of a gate may turn: pulses between two
  /// ends of micro-steps show there only. Beyond any window where none is known.
  double next_turn(double begin) noexcept {
    if constexpr (requires { s_.next_instant(begin); }) {
      const double after = begin - turn_margin();
      if (!(turn_ > after)) turn_ = s_.next_instant(window_t_ + after) - window_t_;
      return turn_;
    }
    return 1e300;
  }
  [[nodiscard]] double turn_margin() const noexcept { return 2e-9 * half_; }
  /// Whether a gate that follows time is another somewhere in (begin, end]. @return the first such place that is looked
  /// at: at instants and at `end`; beyond it where none is
  double gates_moved_by(double begin, double end) noexcept {
    constexpr int most_turns = 16;
    int turns = 0;
    for (double turn = next_turn(begin); turn < end && turns < most_turns;
         turn = next_turn(turn + 2.0 * turn_margin()), ++turns)
      if (gates_move(turn + turn_margin())) return turn + turn_margin();
    if (turns == most_turns) count(SwitchedEvent::crowded);  // pulses after them would not be seen
    return gates_move(end) ? end : 2.0 * end - begin;
  }
  /// First instant in (begin, end] at which a gate that follows time moves; `end` where none does.
  double find_gate_edge(double begin, double end) noexcept {
    const double seen = gates_moved_by(begin, end);
    if (seen > end) return end;
    double low = begin, high = seen;
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = 0.5 * (low + high);
      (gates_move(middle) ? high : low) = middle;
    }
    return high;
  }
  bool update_gates(double at) noexcept {
    double levels[room(S::gate_count)];
    s_.gate_levels(window_t_ + at, at, levels);
    if (!differ(levels)) return false;
    before_edge(at);
    for (std::size_t g = 0; g < S::gate_count; ++g) {
      if (levels[g] != gates()[g]) key_ ^= bit(g);
      gates()[g] = levels[g];
    }
    stale_ = true;
    return true;
  }

  // --- energy lost at edges
  void before_edge([[maybe_unused]] double at) noexcept {
    if constexpr (S::edge_count > 0) {
      if (s_.edge_pending) return;
      s_.edge_pending = true;
      if (stale_) factor();
      s_.observe_edge(window_t_ + at, at, here().w.data(), s_.before.data());
      if constexpr (S::mode_count > 0) s_.modes_before = s_.modes;
      if constexpr (S::gate_count > 0) s_.gates_before = s_.gates;
    }
  }
  void after_edge([[maybe_unused]] double at) noexcept {
    if constexpr (S::edge_count > 0) {
      if (!s_.edge_pending) return;
      s_.edge_pending = false;
      s_.lose_energy(window_t_ + at, at, here().w.data());
    }
  }

  void count(SwitchedEvent event) noexcept { s_.events[static_cast<std::size_t>(event)] += 1.0, s_.alert = 1.0; }

  S& s_;
  double window_t_ = 0.0;                  ///< simulated time at the start of the window, s
  double half_ = 0.0;                      ///< h/2, s
  std::uint64_t key_ = 1;                  ///< of gates and modes
  bool stale_ = true;                      ///< the factorisation does not fit gates, modes, points or inputs any more
  double edge_ = 0.0, known_until_ = 0.0;  ///< next gate edge; exact where below the other
  double turn_ = -1e300;                   ///< next_turn() that was found last
  Inside sources_in_{};                    ///< where sources are read
};

}  // namespace detail
}  // namespace takt
