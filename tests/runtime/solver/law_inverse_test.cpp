#include "runtime/solver/law_inverse.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

template <class Law>
double turned(double wanted, Law&& law) {
  takt::LawInverse inverse(wanted);
  for (int k = 0; k < takt::LawInverse::most; ++k) inverse.take(law(inverse.at()));
  return inverse.result();
}

}  // namespace

TEST_CASE("a law is turned round to rounding, whatever its scale") {
  for (const double q : {0.0, 1e-12, -3e-6, 0.7, -42.0, 1e9}) {
    const auto cubic = [](double x) { return 2.0 * x + 3.0 * x * x * x; };
    CHECK(turned(cubic(q), cubic) == Approx(q).epsilon(1e-14).margin(0.0));
  }
}

TEST_CASE("a law without slope where it starts, or with a wide one, is turned round") {
  CHECK(turned(8e-9, [](double x) { return x * x * x; }) == Approx(2e-3).epsilon(1e-9));
  CHECK(turned(5.0, [](double x) { return 1e-12 * (std::exp(x / 0.025) - 1.0); }) ==
        Approx(0.025 * std::log1p(5e12)).epsilon(1e-12));
}

TEST_CASE("what is not finite far out does not mislead") {
  const auto saturating = [](double x) { return x / std::sqrt(1.0 + x * x); };  // infinity over infinity beyond 1e154
  CHECK(turned(0.6, saturating) == Approx(0.75).epsilon(1e-12));
}

TEST_CASE("a law that falls is turned round, too") {
  CHECK(turned(2e5, [](double x) { return 1e5 / x; }) == Approx(0.5).epsilon(1e-12));
  CHECK(turned(-3.0, [](double x) { return -1.5 * x; }) == Approx(2.0).epsilon(1e-14));
}

TEST_CASE("a value the law gives nowhere has no start") {
  CHECK(std::isnan(turned(1.5, [](double x) { return std::tanh(x); })));
  CHECK(std::isnan(turned(1.0, [](double) { return 0.0; })));
  CHECK(std::isnan(turned(0.5, [](double x) { return x < 2.0 ? 0.0 : 1.0; })));
}
