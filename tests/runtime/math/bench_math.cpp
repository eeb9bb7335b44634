// Nanoseconds per call of the portable functions and of libm: independent calls (throughput) and calls that wait for
// each other (latency). Numbers depend on the machine; nothing is asserted.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "runtime/math/elementary.hpp"
#include "runtime/math/side_by_side.hpp"

namespace {

constexpr int calls = 4'000'000;

std::vector<double> arguments(double low, double high) {
  std::vector<double> x(1024);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = low + (high - low) * static_cast<double>(k * 389 % 1024) / 1024.0;
  return x;
}

template <class Function>
double nanoseconds(Function function, const std::vector<double>& x, bool chained) {
  double sum = 0.0;
  const auto begin = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) {
    const double value = function(x[static_cast<std::size_t>(call) % 1024] + (chained ? 1e-30 * sum : 0.0));
    sum = chained ? value : sum + value;
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  volatile double keep = sum;
  (void)keep;
  return took.count() / calls;
}

template <class Ours, class Theirs>
void compare(const char* name, double low, double high, Ours ours, Theirs theirs) {
  const std::vector<double> x = arguments(low, high);
  std::printf("%-6s %8.2f %8.2f %8.2f %8.2f\n", name, nanoseconds(ours, x, false), nanoseconds(theirs, x, false),
              nanoseconds(ours, x, true), nanoseconds(theirs, x, true));
}

#define TAKT_COMPARE(name, low, high) \
  compare(                            \
      #name, low, high, [](double x) { return takt::math::name(x); }, [](double x) { return std::name(x); })

/// Nanoseconds per number, eight at once.
template <class Function>
double side_by_side(Function function, double low, double high) {
  const std::vector<double> x = arguments(low, high);
  double sum = 0.0;
  const auto begin = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; call += 8) {
    std::array<double, 8> eight{};
    for (std::size_t k = 0; k < 8; ++k) eight[k] = x[(static_cast<std::size_t>(call) + k) % 1024];
    function(eight);
    for (const double value : eight) sum += value;
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  volatile double keep = sum;
  (void)keep;
  return took.count() / calls;
}

}  // namespace

int main() {
  std::printf("ns       throughput          latency\n       portable     libm portable     libm\n");
  TAKT_COMPARE(exp, -5.0, 5.0);
  TAKT_COMPARE(log, 0.1, 10.0);
  TAKT_COMPARE(sin, -6.0, 6.0);
  TAKT_COMPARE(cos, -6.0, 6.0);
  TAKT_COMPARE(tan, -6.0, 6.0);
  TAKT_COMPARE(asin, -1.0, 1.0);
  TAKT_COMPARE(acos, -1.0, 1.0);
  TAKT_COMPARE(atan, -5.0, 5.0);
  TAKT_COMPARE(tanh, -3.0, 3.0);
  compare(
      "pow", 0.1, 10.0, [](double x) { return takt::math::pow(x, 1.7); }, [](double x) { return std::pow(x, 1.7); });
  compare(
      "atan2", -5.0, 5.0, [](double x) { return takt::math::atan2(x, 1.3); },
      [](double x) { return std::atan2(x, 1.3); });
  std::printf("eight at once, portable, %zu in a register:\n", takt::math::lanes);
  std::printf("exp    %8.2f\n", side_by_side([](auto& x) { takt::math::exp_each(x); }, -5.0, 5.0));
  std::printf("log    %8.2f\n", side_by_side([](auto& x) { takt::math::log_each(x); }, 0.1, 10.0));
  std::printf("pow    %8.2f\n", side_by_side(
                                    [](auto& x) {
                                      takt::math::pow_each(x, {1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7});
                                    },
                                    0.1, 10.0));
  return 0;
}
