#include "codegen/dae/algebra/jacobian.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/stability/step_limits.hpp"
#include "runtime/math/phi_functions.hpp"
#include "runtime/solver/rkc.hpp"
#include "runtime/solver/rosenbrock.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

namespace {

/// x' = rate*x
struct Decay {
  static constexpr std::size_t state_count = 1, quadrature_count = 0;
  double x[1] = {1.0}, q[1] = {};
  double rate = -1.0, pivot = 0.0;
  void evaluate(double, double, const double* z, double* dz, double*) noexcept { dz[0] = rate * z[0]; }
  void linearise(double t, double s, const double* z, double* dz, double* dq) noexcept { evaluate(t, s, z, dz, dq); }
  void factor(double gh) noexcept { pivot = 1.0 - gh * rate; }
  void solve(double* b) const noexcept { b[0] /= pivot; }
  void quadrature_slopes(const double*, double*) const noexcept {}
};

constexpr takt::Window one_step{0, 1'000'000'000, 1};

}  // namespace

TEST_CASE("stability functions of the generator are what one step of the runtime does") {
  for (const double z : {-0.5, -3.0, -40.0, -64.0}) {
    Decay rkc{.rate = z}, ros1{.rate = z}, ros2{.rate = z};
    takt::run_rkc<10>(rkc, one_step);
    takt::run_rosenbrock<1>(ros1, one_step);
    takt::run_rosenbrock<2>(ros2, one_step);
    CHECK(rkc.x[0] == Approx(amplification(&methods::rkc, 10, z).real()).margin(1e-12));
    CHECK(ros1.x[0] == Approx(amplification(&methods::ros1, 0, z).real()).margin(1e-14));
    CHECK(ros2.x[0] == Approx(amplification(&methods::ros2, 0, z).real()).margin(1e-14));
    std::vector<double> work{z};
    work.resize(takt::math::PhiFunctions::work_size(1));
    CHECK(1.0 + z * takt::math::PhiFunctions(1, work).entry(1, 0, 0) ==
          Approx(amplification(&methods::exact, 0, z).real()).margin(1e-14));
  }
}

TEST_CASE("RKC reaches 0.65 (s^2 - 1) along the negative axis, linearly implicit methods any distance") {
  Spectrum decay;
  decay.values = {-1000.0};
  for (const int stages : {10, 30, 50}) {
    const double reach = 1000.0 * largest_stable_step(&methods::rkc, stages, decay).value();
    CHECK(reach == Approx(0.65 * (stages * stages - 1)).epsilon(0.05));
  }
  CHECK_FALSE(largest_stable_step(&methods::ros1, 0, decay).has_value());
  CHECK_FALSE(largest_stable_step(&methods::ros2, 0, decay).has_value());
  CHECK_FALSE(largest_stable_step(&methods::exact, 0, decay).has_value());
}

TEST_CASE("symbolic Jacobians agree with derivatives along the program, sent powers among them") {
  sample::Plant plant = sample::make_plant();
  Graph& graph = plant.network.graph();
  for (const Surrogate& surrogate : plant.dae.subsystems) {
    if (!is_circuit(surrogate.kind)) continue;
    std::vector<SymbolId> states;
    for (const SurrogateState& state : surrogate.states) states.push_back(state.symbol);
    std::vector<Expr> sent;
    for (const Flux& flux : plant.dae.fluxes) sent.push_back(graph.use(flux.source));
    const Jacobian jacobian = derive_jacobian(graph, surrogate, sent);
    SymbolValues values(graph.symbol_count(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = 2.0 + 0.3 * static_cast<double>(k);
    Program program(graph), entries(graph);
    program.add(surrogate);
    for (const Flux& flux : plant.dae.fluxes) program.result(flux.source);
    for (const AlgebraicStep& step : surrogate.algebra) entries.assign(step.assignment.symbol, step.assignment.value);
    for (const auto* part : {&jacobian.states, &jacobian.quadratures})
      for (const Jacobian::Entry& entry : *part) entries.result(entry.value);
    program.run(values);
    entries.run(values);
    Slopes slopes = program.slopes(states);
    std::vector<Slopes::Row> in(states.size()), out;
    for (std::size_t k = 0; k < states.size(); ++k) in[k][k] = 1.0;
    slopes.apply(in, out);
    std::vector<double> symbolic(out.size() * states.size(), 0.0);
    std::size_t next = 0;
    for (const Jacobian::Entry& entry : jacobian.states)
      symbolic[entry.row * states.size() + entry.column] = entries.results()[next++];
    for (const Jacobian::Entry& entry : jacobian.quadratures)
      symbolic[(states.size() + entry.row) * states.size() + entry.column] = entries.results()[next++];
    for (std::size_t row = 0; row < out.size(); ++row)
      for (std::size_t k = 0; k < states.size(); ++k)
        CHECK(symbolic[row * states.size() + k] == Approx(out[row][k]).epsilon(1e-12).margin(1e-300));
  }
}
