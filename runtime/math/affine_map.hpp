#pragma once
// Kernels for small arrays whose size is known to the compiler.

#include <array>
#include <cstddef>

namespace takt {

/// Two numbers side by side in a register, on x86-64 as on aarch64 (a vector extension of GCC and Clang).
using TwoDoubles [[gnu::vector_size(16)]] = double;

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
