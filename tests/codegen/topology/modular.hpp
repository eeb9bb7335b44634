#pragma once
// Exact linear algebra over the integers modulo the prime 2^61 - 1. A rank computed here with random coefficients
// equals the generic rank over the reals except with probability about (size of the matrix)/2^61.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace takt::codegen::testing {

/// Residue modulo `prime`, always in [0, prime).
using Residue = std::uint64_t;
inline constexpr Residue prime = (Residue{1} << 61) - 1;

[[nodiscard]] Residue add_mod(Residue a, Residue b);
[[nodiscard]] Residue subtract_mod(Residue a, Residue b);
[[nodiscard]] Residue multiply_mod(Residue a, Residue b);
/// @pre a != 0
[[nodiscard]] Residue invert_mod(Residue a);
/// A finite double is a dyadic fraction m*2^e, hence has one exact residue: 0.5 becomes the inverse of 2.
[[nodiscard]] Residue residue_of(double value);
/// Uniform in [1, prime).
[[nodiscard]] Residue random_nonzero(std::mt19937_64& random);

/// Square matrix, row-major.
class ModularMatrix {
 public:
  explicit ModularMatrix(std::size_t size) : size_(size), values_(size * size, 0) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Residue& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  [[nodiscard]] Residue at(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  /// at(row, column) += value
  void accumulate(std::size_t row, std::size_t column, Residue value);

 private:
  std::size_t size_;
  std::vector<Residue> values_;
};

[[nodiscard]] ModularMatrix multiply(const ModularMatrix& a, const ModularMatrix& b);
[[nodiscard]] std::size_t rank_of(ModularMatrix matrix);
/// matrix^-1 * right, or nothing where the matrix is singular.
[[nodiscard]] std::optional<ModularMatrix> solve(ModularMatrix matrix, ModularMatrix right);

}  // namespace takt::codegen::testing
