#pragma once
// Instants at which functions of the time jump or bend. Micro-steps are cut there, and inside a piece functions of the
// time are read between its ends only: what jumps at an instant acts from it on, and not before, in every stage of
// every method. A subsystem with such functions has
//   takt::Inside inside;                                  between its ends time is read
//   double next_instant(double t) const noexcept;         the first instant after t, s; infinity: none
// and evaluates at inside.of(t). Method exact cannot cut its steps: there `inside` alone, and no next_instant().

#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/math/elementary.hpp"
#include "runtime/solver/sizes.hpp"

namespace takt {

/// Ends of what is being computed, a little inside. Real-time: constant.
struct Inside {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  [[nodiscard]] double of(double t) const noexcept { return t < from ? from : t > to ? to : t; }
  /// Far enough from the ends for the rounding of what is compared with the time there.
  void set(double begin, double end) noexcept {
    const double least = 8.0 * std::numeric_limits<double>::epsilon() * math::abs(end);
    const double margin = math::min(math::max(1e-9 * (end - begin), least), 0.25 * (end - begin));
    from = begin + margin, to = end - margin;
  }
};

/// The first of first + k*period after t; of a period that is none, `first` alone. Infinity: none, or not finite.
/// Real-time: constant.
[[nodiscard]] inline double instant_after(double t, double first, double period) noexcept {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (!(math::abs(first) < never)) return never;
  const double length = math::abs(period);
  if (!(length > 0.0) || !(length < never)) return first > t ? first : never;
  const double passed = math::floor((t - first) / length);
  for (int k = 0; k < 3; ++k)  // rounding may be off by one
    if (const double next = first + (passed + k) * length; next > t) return next;
  return never;
}

/// slope*t + offset
struct LineInTime {
  double slope, offset;
};

/// The first instant after t at which a line passes one of the ascending corners of a table.
/// Real-time: a binary search, then at most `count` corners that rounding puts on t.
[[nodiscard]] inline double corner_after(double t, LineInTime line, const double* corners, std::size_t count) noexcept {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto [slope, offset] = line;
  if (slope == 0.0 || count == 0) return never;
  const double x = slope * t + offset;
  std::size_t low = 0, high = count;  // the first corner above x
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    (corners[middle] > x ? high : low) = middle + (corners[middle] > x ? 0 : 1);
  }
  if (slope > 0.0) {
    for (; low < count; ++low)
      if (const double at = (corners[low] - offset) / slope; at > t) return at;
    return never;
  }
  for (; low > 0; --low)
    if (const double at = (corners[low - 1] - offset) / slope; at > t) return at;
  return never;
}

/// Of a micro-step; what is left after them is computed in one: the generator refuses steps that meet more instants.
inline constexpr int most_pieces = 64;

namespace detail {

inline constexpr double snapped = 1e-6;  ///< instants closer than this part of a step to its ends are on them

template <class S>
concept ReadsInside = requires(S& s) {
  s.inside;
};
template <class S>
concept CutsSteps = ReadsInside<S> && requires(const S& s, double t) {
  s.next_instant(t);
};

/// Whether no instant lies inside a micro-step at t, h long: then it is computed as ever. Real-time: one
/// next_instant().
template <class S>
[[nodiscard]] inline bool is_whole(S& s, double t, double h) noexcept {
  s.inside.set(t, t + h);
  return !(s.next_instant(t + snapped * h) < t + (1.0 - snapped) * h);
}

/// Calls piece(from, length), s after the begin of a micro-step at t, for each of its pieces.
/// Real-time: at most most_pieces calls, and as many of next_instant().
template <class S, class Piece>
inline void in_pieces(S& s, double t, double h, Piece&& piece) noexcept {
  const double margin = snapped * h;
  double from = 0.0;
  for (int k = 1; k < most_pieces; ++k) {
    const double to = s.next_instant(t + from + margin) - t;
    if (!(to < h - margin)) break;
    s.inside.set(t + from, t + to);
    piece(from, to - from);
    from = to;
  }
  s.inside.set(t + from, t + h);
  piece(from, h - from);
}

}  // namespace detail
}  // namespace takt
