// Every row keeps what it says: its order, its stability function, its integrals.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <set>

#include "codegen/methods/method.hpp"

using namespace takt::codegen;

namespace {

constexpr int stages = 7;  // of methods that choose them

/// x' = z*x + 1 from 0.3, q' = x
class Mode final : public TrialSystem {
 public:
  explicit Mode(double z, double constant = 0.0, double start = 1.0) : TrialSystem(1, 1), z_(z), constant_(constant) {
    x[0] = start;
  }
  void evaluate(double, double, const double* at, double* dx, double* dq) noexcept override {
    dx[0] = z_ * at[0] + constant_, dq[0] = at[0];
  }
  void jacobian(double* rows) noexcept override { rows[0] = z_, rows[1] = 1.0; }

 private:
  double z_, constant_;
};

/// A pendulum and the work of its torque: x0' = x1, x1' = -sin(x0), q' = -sin(x0)*x1.
class Pendulum final : public TrialSystem {
 public:
  Pendulum() : TrialSystem(2, 1) { x = {1.0, 0.2}; }
  void evaluate(double, double, const double* at, double* dx, double* dq) noexcept override {
    dx[0] = at[1], dx[1] = -std::sin(at[0]);
    dq[0] = dx[1] * at[1];
    at_[0] = at[0], at_[1] = at[1];
  }
  void jacobian(double* rows) noexcept override {
    const double c = std::cos(at_[0]), s = std::sin(at_[0]);
    const double values[6] = {0.0, 1.0, -c, 0.0, -c * at_[1], -s};
    std::copy(values, values + 6, rows);
  }

 private:
  double at_[2] = {};
};

constexpr std::int64_t second = 1'000'000'000;

/// Angle after 1 s, and the work.
std::pair<double, double> swing(const Method& method, int steps) {
  Pendulum pendulum;
  method.run(pendulum, {0, second / steps, steps}, stages);
  return {pendulum.x[0], pendulum.q[0]};
}

std::vector<const Method*> stepped() {
  std::vector<const Method*> list;
  for (const Method* method : methods::all())
    if (method->kind == Method::Kind::stepped) list.push_back(method);
  return list;
}

}  // namespace

TEST_CASE("names are the only ones, and found again") {
  std::set<std::string_view> names;
  for (const Method* method : methods::all()) {
    CHECK(names.insert(method->name).second);
    CHECK(methods::find(method->name) == method);
    CHECK_FALSE(method->words.empty());
  }
  CHECK(methods::find("rk5") == nullptr);
}

TEST_CASE("one step does to a mode what the stability function says") {
  for (const Method* method : stepped()) {
    CAPTURE(method->name);
    for (const double z : {-4.0, -0.7, 0.3}) {
      Mode mode(z);
      method->run(mode, {0, second, 1}, stages);
      CHECK(mode.x[0] == Approx(method->stability.amplification(stages, {z, 0.0}).re).margin(1e-13));
    }
  }
}

TEST_CASE("states and integrals converge with the order of the row") {
  const auto [angle, work] = swing(methods::rk4, 4000);
  CHECK(work == Approx(std::cos(angle) - std::cos(1.0)).margin(1e-13));
  for (const Method* method : stepped()) {
    if (method->needs_linear) continue;
    CAPTURE(method->name);
    const int steps = 40;
    const auto [coarse_angle, coarse_work] = swing(*method, steps);
    const auto [fine_angle, fine_work] = swing(*method, 2 * steps);
    CHECK(std::log2(std::abs((coarse_angle - angle) / (fine_angle - angle))) > method->order - 0.2);
    CHECK(std::log2(std::abs((coarse_work - work) / (fine_work - work))) > method->order - 0.2);
  }
}

TEST_CASE("what is sent is what has left: integrals of linear systems, by the method's own weights") {
  for (const Method* method : stepped()) {
    CAPTURE(method->name);
    Mode mode(-0.5, 2.0, 0.3);  // x' = -x/2 + 2: the change of x is 2 t - q/2
    method->run(mode, {0, second / 10, 30}, stages);
    CHECK(mode.x[0] - 0.3 == Approx(2.0 * 3.0 - 0.5 * mode.q[0]).epsilon(1e-13));
  }
}

TEST_CASE("a linear system is exact with any step") {
  Mode mode(-50.0, 3.0, 1.0);
  methods::exact.run(mode, {0, second, 2}, 0);
  CHECK(mode.x[0] == Approx(0.06 + 0.94 * std::exp(-100.0)).epsilon(1e-14));
  CHECK(mode.q[0] == Approx(0.06 * 2.0 + 0.94 / 50.0).epsilon(1e-14));
}

TEST_CASE("explicit methods reach no further than their rows say") {
  for (const Method* method : stepped()) {
    if (method->stability.reach == nullptr) continue;
    CAPTURE(method->name);
    CHECK(std::abs(method->stability.amplification(stages, {-method->stability.reach(stages), 0.0}).re) > 1.0);
  }
}
