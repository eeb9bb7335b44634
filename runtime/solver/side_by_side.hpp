#pragma once
// Windows of several copies of a part at once, one copy in each lane of a vector register. The memory of every copy
// stays as it is: what a window reads is taken from there into lanes before it, what it writes goes back after it. So
// nobody else sees that copies are computed together.

#include <cstddef>

#include "runtime/math/lanes.hpp"
#include "runtime/plant/window.hpp"

namespace takt {

/// Input of each copy within one window.
struct LaneInput {
  Lanes c0, c1, c2, c3;
  template <int degree = 3>
  [[nodiscard]] Lanes at(Lanes s) const noexcept {
    if constexpr (degree == 0) return c0;
    if constexpr (degree == 1) return c0 + c1 * s;
    if constexpr (degree == 2) return c0 + s * (c1 + s * c2);
    return c0 + s * (c1 + s * (c2 + s * c3));
  }
};

/// Counts where it holds, as a subsystem does of what left its range.
inline void count_left(LaneTruths where, Lanes& count, Lanes& alert) noexcept {
  if (!any(where)) [[likely]]
    return;
  count = where ? count + 1.0 : count;
  alert = where ? count : alert;
}
/// ... and of a Newton block whose residual has turned.
inline void count_turned(LaneTruths where, Lanes& count, Lanes& alert) noexcept {
  if (!any(where)) [[likely]]
    return;
  count = where ? count + 1.0 : count;
  alert = where ? in_lanes(1.0) : alert;
}

namespace detail {

template <std::size_t width>
struct RowOf {
  using Type [[gnu::vector_size(width * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
};

/// A square of doubles turned: row k becomes column k.
/// @param from, to  by row
template <std::size_t width>
inline void turn_square(const double* const* from, double* const* to) noexcept {
  using Row = typename RowOf<width>::Type;
  const auto row = [&](int k) { return *reinterpret_cast<const Row*>(from[k]); };
  const auto put = [&](int k, Row turned) { *reinterpret_cast<Row*>(to[k]) = turned; };
  if constexpr (width == 4) {
    const auto even = [](Row a, Row b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); };
    const auto odd = [](Row a, Row b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); };
    const Row a = even(row(0), row(1)), b = odd(row(0), row(1)), c = even(row(2), row(3)), d = odd(row(2), row(3));
    put(0, __builtin_shufflevector(a, c, 0, 1, 4, 5));
    put(1, __builtin_shufflevector(b, d, 0, 1, 4, 5));
    put(2, __builtin_shufflevector(a, c, 2, 3, 6, 7));
    put(3, __builtin_shufflevector(b, d, 2, 3, 6, 7));
  } else {
    static_assert(width == 2);
    const Row a = row(0), b = row(1);
    put(0, __builtin_shufflevector(a, b, 0, 2));
    put(1, __builtin_shufflevector(a, b, 1, 3));
  }
}

}  // namespace detail

/// Doubles `from` to `end` of each copy into lanes, or back.
/// @param own    memory of each copy; the same one more than once where there are fewer copies than lanes
/// @param lanes  [doubles][copies]
inline void into_lanes(std::byte* const* own, double* lanes, std::size_t from, std::size_t end) noexcept {
  constexpr std::size_t width = math::lanes;
  for (; from + width <= end; from += width) {
    const double* rows[width];
    double* columns[width];
    for (std::size_t k = 0; k < width; ++k) {
      rows[k] = reinterpret_cast<const double*>(own[k]) + from;
      columns[k] = lanes + (from + k) * width;
    }
    detail::turn_square<width>(rows, columns);
  }
  for (; from < end; ++from)
    for (std::size_t k = 0; k < width; ++k) lanes[from * width + k] = reinterpret_cast<const double*>(own[k])[from];
}
inline void from_lanes(std::byte* const* own, const double* lanes, std::size_t from, std::size_t end) noexcept {
  constexpr std::size_t width = math::lanes;
  for (; from + width <= end; from += width) {
    const double* rows[width];
    double* columns[width];
    for (std::size_t k = 0; k < width; ++k) {
      rows[k] = lanes + (from + k) * width;
      columns[k] = reinterpret_cast<double*>(own[k]) + from;
    }
    detail::turn_square<width>(rows, columns);
  }
  for (; from < end; ++from)
    for (std::size_t k = 0; k < width; ++k) reinterpret_cast<double*>(own[k])[from] = lanes[from * width + k];
}

/// One window of each copy.
/// @tparam One    the subsystem as it is computed alone
/// @tparam Side   the same in lanes, with places in doubles: what a window reads ends at `read`, what it writes at
///                `written`, less its inputs, from `inputs_begin` to `inputs_end`
/// @param copies  1 ... math::lanes
/// Real-time: bounded; no heap, no system call. Takes what the copies read from the stack once more.
template <class One, class Side>
inline void run_side_by_side(std::byte* const* own, std::size_t copies, const Window& window) noexcept {
  static_assert(sizeof(Side) >= Side::read * sizeof(Lanes) && alignof(Side) >= alignof(Lanes));
  std::byte* in_lane[math::lanes];
  for (std::size_t k = 0; k < math::lanes; ++k) in_lane[k] = own[k < copies ? k : 0];
  Side side;  // NOLINT(cppcoreguidelines-pro-type-member-init): set next
  auto* lanes = reinterpret_cast<double*>(&side);
  into_lanes(in_lane, lanes, 0, Side::read);
  if (!side.run(window)) [[unlikely]] {  // nothing has been written yet
    for (std::size_t k = 0; k < copies; ++k) reinterpret_cast<One*>(own[k])->run(window);
    return;
  }
  from_lanes(in_lane, lanes, 0, Side::inputs_begin);
  from_lanes(in_lane, lanes, Side::inputs_end, Side::written);
  if constexpr (requires(One & one) { Side::look(one, window); })
    for (std::size_t k = 0; k < copies; ++k) Side::look(*reinterpret_cast<One*>(own[k]), window);
}

}  // namespace takt
