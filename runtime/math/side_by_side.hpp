#pragma once
// Elementary functions of several numbers at once, in the vector registers the compiler is told of. Each result has the
// bits of the function of one number: every number goes through the same operations, whatever stands beside it.
//
// Real-time: wait-free, bounded as so many single calls.

#include <array>
#include <cstddef>

#include "runtime/math/elementary.hpp"
#include "runtime/math/log_kernel.hpp"

namespace takt::math {

/// Numbers in one register: 2 on x86-64-v2 and aarch64, 4 from x86-64-v3 on (wider ones slow the whole core down).
inline constexpr std::size_t lanes = __BIGGEST_ALIGNMENT__ >= 32 ? 4 : 2;

namespace detail {

template <std::size_t width>
struct SideBySide {
  using Type [[gnu::vector_size(width * sizeof(double))]] = double;
};
using Side = SideBySide<lanes>::Type;

/// x[from] and those after it; beyond the end the last one again.
template <std::size_t n>
inline Side load(const std::array<double, n>& x, std::size_t from) noexcept {
  Side side{};
  for (std::size_t lane = 0; lane < lanes; ++lane) side[lane] = x[from + lane < n ? from + lane : n - 1];
  return side;
}

/// x[from] ... = fast(from) where all are in its range, else each by `single`.
template <std::size_t n, class InRange, class Fast, class Single>
inline void apply(std::array<double, n>& x, const InRange& in_range, const Fast& fast, const Single& single) noexcept {
  for (std::size_t from = 0; from < n; from += lanes) {
    const std::size_t count = n - from < lanes ? n - from : lanes;
    const Side result = fast(from);
    bool all = true;
    for (std::size_t lane = 0; lane < count; ++lane) all = in_range(from + lane) && all;
    for (std::size_t lane = 0; lane < count; ++lane) x[from + lane] = all ? result[lane] : single(from + lane);
  }
}

}  // namespace detail

/// x = exp(x), each.
template <std::size_t n>
inline void exp_each(std::array<double, n>& x) noexcept {
  detail::apply(
      x, [&](std::size_t k) { return abs(x[k]) < exp_range; },
      [&](std::size_t from) { return exp_within(detail::load(x, from), detail::Side{}); },
      [&](std::size_t k) { return exp(x[k]); });
}

/// x = log(x), each.
template <std::size_t n>
inline void log_each(std::array<double, n>& x) noexcept {
  detail::apply(
      x, [&](std::size_t k) { return is_normal(x[k]); },
      [&](std::size_t from) {
        const TwoParts<detail::Side> parts = log_parts(detail::load(x, from));
        return parts.high + parts.low;
      },
      [&](std::size_t k) { return log(x[k]); });
}

/// x = x^y, each.
template <std::size_t n>
inline void pow_each(std::array<double, n>& x, const std::array<double, n>& y) noexcept {
  detail::Side exponents{};
  std::size_t begin = 0;
  detail::apply(
      x,
      [&](std::size_t k) {
        return is_normal(x[k]) && abs(y[k]) < power_range && abs(exponents[k - begin]) < exp_range;
      },
      [&](std::size_t from) {
        const TwoParts<detail::Side> exponent = power_parts(detail::load(x, from), detail::load(y, from));
        begin = from;
        exponents = exponent.high;
        return exp_within(exponent.high, exponent.low);
      },
      [&](std::size_t k) { return pow(x[k], y[k]); });
}

}  // namespace takt::math
