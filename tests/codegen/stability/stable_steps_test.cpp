#include <catch2/catch.hpp>

#include "codegen/stability/step_limits.hpp"

using namespace takt::codegen;

namespace {

Spectrum modes(std::vector<std::complex<double>> values) {
  Spectrum spectrum;
  spectrum.values = std::move(values);
  return spectrum;
}

}  // namespace

TEST_CASE("largest stable steps on the real axis are the ones of the textbooks") {
  const Spectrum decay = modes({-1000.0, -1.0, 0.0});
  CHECK(largest_stable_step(&methods::euler, 0, decay).value() == Approx(2.0e-3).epsilon(1e-3));
  CHECK(largest_stable_step(&methods::heun, 0, decay).value() == Approx(2.0e-3).epsilon(1e-3));
  CHECK(largest_stable_step(&methods::rk3, 0, decay).value() == Approx(2.5127e-3).epsilon(1e-3));
  CHECK(largest_stable_step(&methods::rk4, 0, decay).value() == Approx(2.7853e-3).epsilon(1e-3));
}

TEST_CASE(
    "an undamped oscillator needs a method that is stable on the imaginary axis, or a step whose growth nobody sees") {
  const Spectrum swing = modes({{0.0, 1000.0}, {0.0, -1000.0}});
  CHECK(largest_stable_step(&methods::rk3, 0, swing).value() == Approx(1.7321e-3).epsilon(1e-3));
  CHECK(largest_stable_step(&methods::rk4, 0, swing).value() == Approx(2.8284e-3).epsilon(1e-3));
  // |R| - 1 = (h w)^4/8 a step: 1e-4 1/s
  CHECK(largest_stable_step(&methods::heun, 0, swing).value() == Approx(std::cbrt(8e-4 / 1e12)).epsilon(1e-2));
}

TEST_CASE("what grows by itself may grow") {
  CHECK(is_stable(&methods::euler, 0, modes({3.0}), 1.0));
  CHECK_FALSE(largest_stable_step(&methods::rk4, 0, modes({0.0})).has_value());
  CHECK_FALSE(largest_stable_step(&methods::rk4, 0, modes({})).has_value());
}

TEST_CASE("the largest stable divisor of the window is found, or none") {
  CHECK(largest_stable_divisor(&methods::heun, 0, modes({-1000.0}), {10'000'000, 10'000'000}) == 2'000'000);
  CHECK(largest_stable_divisor(&methods::heun, 0, modes({-1e6}), {1'000'000, 500'000}) == 2'000);
  CHECK(largest_stable_divisor(&methods::heun, 0, modes({-1e10}), {1'000'000, 500'000}) == std::nullopt);
}

TEST_CASE("a step beside which the slow modes are rounding is not stable, by any method") {
  const Spectrum stiff = modes({-2e22, -10.0});
  for (const Method* method : {&methods::heun, &methods::rk4, &methods::ros1, &methods::ros2, &methods::exact})
    CHECK_FALSE(is_stable(method, 0, stiff, 1e-3));
  CHECK(is_stable(&methods::ros2, 0, modes({-2e12, -10.0}), 1e-3));
}
