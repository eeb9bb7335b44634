// Hash of the results at fixed pseudo-random arguments. One stored value for every compiler, option and processor:
// a difference means that a paced run on one machine could not be replayed bit for bit on another.

#include <bit>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "runtime/math/elementary.hpp"
#include "runtime/math/phi_functions.hpp"
#include "runtime/math/side_by_side.hpp"
#include "runtime/math/table.hpp"

namespace math = takt::math;

namespace {

constexpr std::uint64_t expected = 0xCFEE2E05148F114E;

struct Random {  // xorshift64*; integer arithmetic only
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  std::uint64_t next() {
    state ^= state >> 12U;
    state ^= state << 25U;
    state ^= state >> 27U;
    return state * 0x2545F4914F6CDD1DU;
  }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  /// Any sign and an exponent between -range and range.
  double wide(int range) {
    const int exponent = static_cast<int>(next() % static_cast<unsigned>(2 * range)) - range;
    const double size = (1.0 + unit()) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52U);
    return (next() & 1U) != 0 ? size : -size;
  }
};

struct Hash {
  std::uint64_t value = 14695981039346656037U;
  void add(double x) {
    const std::uint64_t bits =
        x != x ? 0x7FF8000000000000U : std::bit_cast<std::uint64_t>(x);  // NaNs differ by machine
    for (unsigned byte = 0; byte < 8; ++byte) value = (value ^ (bits >> (8 * byte) & 0xFFU)) * 1099511628211U;
  }
};

void add_all(Hash& hash, double x, double y) {
  hash.add(math::exp(x));
  hash.add(math::log(math::abs(x)));
  hash.add(math::sin(x));
  hash.add(math::cos(x));
  hash.add(math::tan(x));
  hash.add(math::asin(x));
  hash.add(math::acos(x));
  hash.add(math::atan(x));
  hash.add(math::tanh(x));
  hash.add(math::atan2(x, y));
  hash.add(math::pow(math::abs(x), y));
  hash.add(math::sqrt(math::abs(x)));
  hash.add(math::mod(x, y));
  hash.add(math::floor(x));
}

/// Functions of several numbers at once have the bits of those of one, in whatever registers.
int count_differing() {
  constexpr std::size_t n = 7;
  Random random;
  int differing = 0;
  const auto compare = [&](double a, double b) { differing += a == b || (a != a && b != b) ? 0 : 1; };
  for (int point = 0; point < 4000; ++point) {
    std::array<double, n> x{}, y{};
    for (std::size_t k = 0; k < n; ++k) {
      const double size = random.wide(8);  // now and then one below zero, which pow and log do one by one
      x[k] = point % 4 == 0 ? size : math::abs(size);
      y[k] = 2.0 * random.unit();
    }
    std::array<double, n> exponentials = x, logarithms = x, powers = x;
    math::exp_each(exponentials);
    math::log_each(logarithms);
    math::pow_each(powers, y);
    for (std::size_t k = 0; k < n; ++k) {
      compare(exponentials[k], math::exp(x[k]));
      compare(logarithms[k], math::log(x[k]));
      compare(powers[k], math::pow(x[k], y[k]));
    }
  }
  return differing;
}

/// Matrix functions of linear systems of 1 to 12 states.
std::uint64_t hash_of_matrices() {
  Random random;
  Hash hash;
  for (std::size_t n = 1; n <= 12; ++n) {
    std::vector<double> work(math::PhiFunctions::work_size(n), 0.0);
    for (std::size_t k = 0; k < n * n; ++k) work[k] = random.wide(4) * (k % 3 == 0 ? 1.0 : 0.01);
    for (std::size_t k = 0; k < n; ++k) work[k * n + k] = -math::abs(work[k * n + k]);
    const math::PhiFunctions phi(n, work);
    for (int k = 1; k <= 4; ++k)
      for (std::size_t entry = 0; entry < n * n; ++entry) hash.add(phi.entry(k, entry / n, entry % n));
  }
  return hash.value;
}

}  // namespace

int main() {
  if (const int differing = count_differing(); differing > 0) {
    std::printf("%d results of several at once differ from those of one\n", differing);
    return 1;
  }
  constexpr std::uint64_t expected_matrices = 0x0B7F8EF418EFCAC0;
  if (const std::uint64_t matrices = hash_of_matrices(); matrices != expected_matrices) {
    std::printf("0x%016" PRIX64 " of matrices, expected 0x%016" PRIX64 "\n", matrices, expected_matrices);
    return 1;
  }
  Random random;
  Hash hash;
  constexpr double table_x[] = {-2.0, -0.5, 0.1, 3.0}, table_y[] = {1.0, -1.0, 0.3, 7.0};
  const math::TableView table = math::make_table_view(table_x, table_y, 4);
  for (int point = 0; point < 40000; ++point) {
    for (const int range : {1, 8, 1000}) {
      const double x = random.wide(range);  // named: compilers evaluate arguments in different orders
      const double y = random.wide(range);
      add_all(hash, x, y);
    }
    hash.add(math::lookup(table, random.wide(2)));
    hash.add(math::slope(table, random.wide(2)));
  }
  std::printf("0x%016" PRIX64 "\n", hash.value);
  if (hash.value == expected) return 0;
  std::printf("expected 0x%016" PRIX64 "\n", expected);
  return 1;
}
