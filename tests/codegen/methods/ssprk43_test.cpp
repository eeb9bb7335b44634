#include "runtime/solver/ssprk43.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/methods/method.hpp"

using namespace takt::codegen;

namespace {

/// u_i' = u_(i-1) - u_i: a front that flows through cells, 1 behind it and 0 ahead.
class Front final : public TrialSystem {
 public:
  Front() : TrialSystem(60, 0) { std::fill_n(x.begin(), 20, 1.0); }
  void evaluate(double, double, const double* u, double* du, double*) noexcept override {
    for (std::size_t i = 0; i < states(); ++i) du[i] = (i > 0 ? u[i - 1] : 1.0) - u[i];
  }
  void jacobian(double*) noexcept override {}
};

bool overshoots(const Method& method, double step_s) {
  Front front;
  method.run(front, {0, static_cast<std::int64_t>(step_s * 1e9), 10}, 0);
  const auto [low, high] = std::minmax_element(front.x.begin(), front.x.end());
  return *low < -1e-12 || *high > 1.0 + 1e-12;
}

}  // namespace

TEST_CASE("ssprk43 lets a front overshoot only beyond twice the step of Euler's method") {
  const Method& ssprk43 = *methods::find("ssprk43");
  CHECK_FALSE(overshoots(methods::euler, 1.0));
  CHECK(overshoots(methods::euler, 1.1));
  CHECK_FALSE(overshoots(ssprk43, 2.0));
  CHECK(overshoots(ssprk43, 2.4));
  CHECK(overshoots(methods::rk4, 2.0));
}

TEST_CASE("ssprk43 is stable to 5.149 along the negative axis") {
  const auto size = [](double z) {
    return std::abs(methods::find("ssprk43")->stability.amplification(0, {z, 0.0}).re);
  };
  CHECK(size(-5.148) <= 1.0);
  CHECK(size(-5.150) > 1.0);
  CHECK(size(-1.0) == Approx(1.0 - 1.0 + 0.5 - 1.0 / 6.0 + 1.0 / 48.0));
}
