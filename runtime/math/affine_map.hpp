#pragma once
// Kernels for small arrays whose size is known to the compiler.

#include <array>
#include <cstddef>

namespace takt {

/// Two numbers side by side in a register, on x86-64 as on aarch64 (a vector extension of GCC and Clang).
using TwoDoubles [[gnu::vector_size(16)]] = double;

/// Neighbours in memory. Real-time: wait-free, as all that follow.
[[nodiscard]] inline TwoDoubles load_two(const double* from) noexcept {
  TwoDoubles value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store_two(const TwoDoubles& value, double* to) noexcept { __builtin_memcpy(to, &value, sizeof value); }

/// n numbers as pairs; beside the last of an odd number stands 0.
template <std::size_t n>
inline void load_pairs(const double* __restrict from, TwoDoubles* __restrict to) noexcept {
#pragma GCC unroll 16
  for (std::size_t pair = 0; pair < n / 2; ++pair) to[pair] = load_two(from + 2 * pair);
  if constexpr (n % 2 == 1) to[n / 2] = TwoDoubles{from[n - 1], 0.0};
}
template <std::size_t n>
inline void store_pairs(const TwoDoubles* __restrict from, double* __restrict to) noexcept {
#pragma GCC unroll 16
  for (std::size_t pair = 0; pair < n / 2; ++pair) store_two(from[pair], to + 2 * pair);
  if constexpr (n % 2 == 1) to[n - 1] = from[n / 2][0];
}

/// Whether any of these numbers is above 0.
template <class... Two>
[[nodiscard]] inline bool any_positive(const TwoDoubles& first, const Two&... others) noexcept {
  TwoDoubles largest = first;
  ((largest = others > largest ? others : largest), ...);
  return (largest[0] > largest[1] ? largest[0] : largest[1]) > 0.0;
}

/// The compiler does not know what it points to: it does not copy in front of a loop what the loop reads.
template <class T>
inline void read_again(const T*& pointer) noexcept {
  asm("" : "+r"(pointer));
}

/// Affine map of `columns` values to `rows` values, two rows at a time: d[block][column], the last column is c.
/// Every row is summed in the same order whatever the machine's vectors, so results are the same bits.
/// Real-time: set() and apply() are wait-free.
template <std::size_t rows, std::size_t columns>
struct AffineMap {
  static constexpr std::size_t blocks = (rows + 1) / 2, padded = 2 * blocks;
  std::array<std::array<TwoDoubles, columns + 1>, blocks> d{};

  void set(std::size_t row, std::size_t column, double value) noexcept { d[row / 2][column][row % 2] = value; }

  /// @param s  [columns]   @param y  [blocks]
  void apply(const double* __restrict s, TwoDoubles* __restrict y) const noexcept {
    if constexpr (blocks * columns > 512) {
      apply_large(s, y);
      return;
    }
#pragma GCC unroll 16
    for (std::size_t block = 0; block < blocks; ++block) {
      TwoDoubles sum = d[block][columns];
#pragma GCC unroll 32
      for (std::size_t column = 0; column < columns; ++column) sum += d[block][column] * s[column];
      y[block] = sum;
    }
  }

  /// The same of pairs.
  /// @param s  [(columns + 1) / 2]   @param y  [blocks]
  void apply_pairs(const TwoDoubles* __restrict s, TwoDoubles* __restrict y) const noexcept {
#pragma GCC unroll 16
    for (std::size_t block = 0; block < blocks; ++block) {
      TwoDoubles sum = d[block][columns];
#pragma GCC unroll 32
      for (std::size_t column = 0; column < columns; ++column) sum += d[block][column] * s[column / 2][column % 2];
      y[block] = sum;
    }
  }

 private:
  /// In loops, four blocks side by side: their sums do not wait for each other.
  void apply_large(const double* __restrict s, TwoDoubles* __restrict y) const noexcept {
    constexpr std::size_t together = 4;
    std::size_t block = 0;
    for (; block + together <= blocks; block += together) {
      std::array<TwoDoubles, together> sum;  // NOLINT(cppcoreguidelines-pro-type-member-init): set in the next line
      for (std::size_t k = 0; k < together; ++k) sum[k] = d[block + k][columns];
      for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t k = 0; k < together; ++k) sum[k] += d[block + k][column] * s[column];
      for (std::size_t k = 0; k < together; ++k) y[block + k] = sum[k];
    }
    for (; block < blocks; ++block) {
      TwoDoubles sum = d[block][columns];
      for (std::size_t column = 0; column < columns; ++column) sum += d[block][column] * s[column];
      y[block] = sum;
    }
  }
};

/// Largest of n >= 1 numbers, without branches. Real-time: wait-free.
template <std::size_t n>
[[nodiscard]] inline double largest(const double* values) noexcept {
  double result = values[0];
#pragma GCC unroll 32
  for (std::size_t i = 1; i < n; ++i) result = values[i] > result ? values[i] : result;
  return result;
}

}  // namespace takt
