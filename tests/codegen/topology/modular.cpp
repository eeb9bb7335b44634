#include "tests/codegen/topology/modular.hpp"

#include <cmath>
#include <utility>

namespace takt::codegen::testing {
namespace {

__extension__ using Wide = unsigned __int128;

Residue power_mod(Residue base, std::uint64_t exponent) {
  Residue result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply_mod(result, base);
    base = multiply_mod(base, base);
  }
  return result;
}

void swap_rows(ModularMatrix& m, std::size_t a, std::size_t b) {
  for (std::size_t column = 0; a != b && column < m.size(); ++column) std::swap(m.at(a, column), m.at(b, column));
}

void scale_row(ModularMatrix& m, std::size_t row, Residue factor) {
  for (std::size_t column = 0; column < m.size(); ++column) m.at(row, column) = multiply_mod(m.at(row, column), factor);
}

/// row `target` -= factor * row `source`
void subtract_row(ModularMatrix& m, std::size_t target, std::size_t source, Residue factor) {
  for (std::size_t column = 0; column < m.size(); ++column) {
    m.at(target, column) = subtract_mod(m.at(target, column), multiply_mod(factor, m.at(source, column)));
  }
}

/// First row at or below `from` with a non-zero entry in `column`; size() if there is none.
std::size_t pivot_row(const ModularMatrix& m, std::size_t from, std::size_t column) {
  std::size_t row = from;
  while (row < m.size() && m.at(row, column) == 0) ++row;
  return row;
}

}  // namespace

Residue add_mod(Residue a, Residue b) {
  const Residue sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

Residue subtract_mod(Residue a, Residue b) { return a >= b ? a - b : a + prime - b; }

Residue multiply_mod(Residue a, Residue b) { return static_cast<Residue>(static_cast<Wide>(a) * b % prime); }

Residue invert_mod(Residue a) { return power_mod(a, prime - 2); }

Residue residue_of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1): 53 bits make it an integer
  const auto mantissa = static_cast<Residue>(std::ldexp(fraction, 53)) % prime;
  const int shift = ((exponent - 53) % 61 + 61) % 61;  // 2^61 = 1 modulo the prime
  const Residue magnitude = multiply_mod(mantissa, Residue{1} << shift);
  return value < 0 ? subtract_mod(0, magnitude) : magnitude;
}

Residue random_nonzero(std::mt19937_64& random) {
  Residue value = 0;
  do value = random() >> 3;
  while (value == 0 || value >= prime);
  return value;
}

void ModularMatrix::accumulate(std::size_t row, std::size_t column, Residue value) {
  at(row, column) = add_mod(at(row, column), value);
}

ModularMatrix multiply(const ModularMatrix& a, const ModularMatrix& b) {
  ModularMatrix product(a.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t inner = 0; inner < a.size(); ++inner) {
      const Residue factor = a.at(row, inner);
      for (std::size_t column = 0; factor != 0 && column < a.size(); ++column) {
        product.accumulate(row, column, multiply_mod(factor, b.at(inner, column)));
      }
    }
  }
  return product;
}

std::size_t rank_of(ModularMatrix matrix) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    const std::size_t pivot = pivot_row(matrix, rank, column);
    if (pivot == matrix.size()) continue;
    swap_rows(matrix, rank, pivot);
    scale_row(matrix, rank, invert_mod(matrix.at(rank, column)));
    for (std::size_t row = rank + 1; row < matrix.size(); ++row) {
      if (matrix.at(row, column) != 0) subtract_row(matrix, row, rank, matrix.at(row, column));
    }
    ++rank;
  }
  return rank;
}

std::optional<ModularMatrix> solve(ModularMatrix matrix, ModularMatrix right) {
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    const std::size_t pivot = pivot_row(matrix, column, column);
    if (pivot == matrix.size()) return std::nullopt;
    swap_rows(matrix, column, pivot);
    swap_rows(right, column, pivot);
    const Residue scale = invert_mod(matrix.at(column, column));
    scale_row(matrix, column, scale);
    scale_row(right, column, scale);
    for (std::size_t row = 0; row < matrix.size(); ++row) {
      const Residue factor = matrix.at(row, column);
      if (row == column || factor == 0) continue;
      subtract_row(matrix, row, column, factor);
      subtract_row(right, row, column, factor);
    }
  }
  return right;
}

}  // namespace takt::codegen::testing
