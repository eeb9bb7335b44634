// Prints one hash per elementary function and per method over the bits of many results, to be compared between
// machines.

#include <bit>
#include <cstdint>
#include <cstdio>

#include "runtime/math/elementary.hpp"
#include "runtime/solver/explicit_rk.hpp"

namespace {

/// FNV-1a. All NaNs count as one: their sign and payload are not fixed.
class Hash {
 public:
  void add(double value) {
    std::uint64_t bits = value != value ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) state_ = (state_ ^ (bits & 0xff)) * 0x100000001b3u;
  }
  void print(const char* name) const { std::printf("%-8s %016llx\n", name, static_cast<unsigned long long>(state_)); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

/// Arguments: half of them any bit pattern at all, half of moderate size. (xorshift64*)
class Arguments {
 public:
  double next() {
    const std::uint64_t bits = draw();
    if ((bits & 1) != 0) return std::bit_cast<double>(draw());
    return (static_cast<double>(draw() >> 11) * 0x1p-53 - 0.5) * static_cast<double>(std::uint64_t{1} << (bits >> 59));
  }

 private:
  std::uint64_t draw() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  std::uint64_t state_ = 88172645463325252u;
};

constexpr int samples = 200'000;

void print_unary(const char* name, double (*function)(double) noexcept) {
  Hash hash;
  Arguments arguments;
  for (int k = 0; k < samples; ++k) hash.add(function(arguments.next()));
  hash.print(name);
}

void print_binary(const char* name, double (*function)(double, double) noexcept) {
  Hash hash;
  Arguments arguments;
  for (int k = 0; k < samples; ++k) {
    const double first = arguments.next();
    hash.add(function(first, arguments.next()));
  }
  hash.print(name);
}

/// Lorenz system with a driven parameter: chaotic, so one different bit would grow to all of them.
struct Lorenz {
  static constexpr std::size_t state_count = 3, quadrature_count = 1;
  double x[3] = {1.0, 1.0, 1.0};
  double q[1] = {0.0};
  void evaluate(double t, double, const double* state, double* dx, double* dq) noexcept {
    dx[0] = 10.0 * (state[1] - state[0]);
    dx[1] = state[0] * (28.0 + takt::math::sin(t) - state[2]) - state[1];
    dx[2] = state[0] * state[1] - 8.0 / 3.0 * state[2];
    dq[0] = state[0] * state[0];
  }
};

template <class Method>
void print_method(const char* name) {
  Hash hash;
  Lorenz system;
  for (std::int64_t window = 0; window < 1000; ++window) {
    takt::run<Method>(system, takt::Window{.start_ns = window * 50'000'000, .step_ns = 1'000'000, .steps = 50});
    for (const double x : system.x) hash.add(x);
    hash.add(system.q[0]);
  }
  hash.print(name);
}

}  // namespace

int main() {
  namespace math = takt::math;
  print_unary("sqrt", math::sqrt);
  print_unary("floor", math::floor);
  print_unary("exp", math::exp);
  print_unary("log", math::log);
  print_unary("sin", math::sin);
  print_unary("cos", math::cos);
  print_unary("tan", math::tan);
  print_unary("asin", math::asin);
  print_unary("acos", math::acos);
  print_unary("atan", math::atan);
  print_unary("tanh", math::tanh);
  print_binary("pow", math::pow);
  print_binary("atan2", math::atan2);
  print_binary("mod", math::mod);
  print_method<takt::Euler>("euler");
  print_method<takt::Heun>("heun");
  print_method<takt::Rk3>("rk3");
  print_method<takt::Rk4>("rk4");
}
