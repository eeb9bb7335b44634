#pragma once
// A number carried twice: as a double for its value, and modulo the prime 2^61 - 1 so that "is it
// zero?" has an exact answer after any number of eliminations. Two-port ratios are taken as the
// simplest fraction within 1e-12.

#include <cmath>
#include <cstdint>

namespace takt::codegen {

class ExactNumber {
 public:
  ExactNumber() = default;
  static ExactNumber integer(std::int64_t value);
  static ExactNumber ratio(double value);

  [[nodiscard]] bool is_zero() const { return residue_ == 0; }
  [[nodiscard]] double value() const { return is_zero() ? 0.0 : value_; }

  friend ExactNumber operator+(ExactNumber a, ExactNumber b);
  friend ExactNumber operator-(ExactNumber a) {
    return {a.residue_ == 0 ? 0 : prime - a.residue_, -a.value_};
  }
  friend ExactNumber operator*(ExactNumber a, ExactNumber b);
  /// @pre b is not zero
  friend ExactNumber operator/(ExactNumber a, ExactNumber b);

 private:
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  ExactNumber(std::uint64_t residue, double value) : residue_(residue), value_(value) {}
  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b);
  static std::uint64_t invert(std::uint64_t a);

  std::uint64_t residue_ = 0;
  double value_ = 0.0;
};

}  // namespace takt::codegen
