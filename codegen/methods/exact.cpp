#include "runtime/solver/exact.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "codegen/methods/method.hpp"

namespace takt::codegen::methods {
namespace {

/// What runtime/solver/exact.hpp asks for, of a linear system.
class ExactTrial {
 public:
  static constexpr std::size_t state_count = at_run_time, quadrature_count = at_run_time,
                               driven_count = 0;
  static constexpr int points = 3;
  static constexpr bool middle = true, follows_inputs = false;

  /// Linearised in the middle of the window, as an emitted plant does whose coefficients follow
  /// inputs.
  ExactTrial(TrialSystem& system, const Window& window)
      : x(system.x),
        q(system.q),
        system_(system),
        zero_(std::max<std::size_t>(system.states(), 1)),
        rates_(zero_.size()),
        integrands_(system.q.size()) {
    const double s = 0.5e-9 * static_cast<double>(window.steps * window.step_ns),
                 t = static_cast<double>(window.start_ns) / 1e9 + s;
    system.linearise(t, s, x.data(), rates_.data(), integrands_.data());
    const double step_s = static_cast<double>(window.step_ns) * 1e-9;
    auto* kept = std::any_cast<Maps>(&system.kept);
    if (kept == nullptr || kept->of != system.rows() || kept->step_s != step_s)
      kept = &system.kept.emplace<Maps>(maps(t, s, step_s));
    maps_ = kept;
    driven_integrals = state_integrals = kept->linear;
    powers = kept->powers;
  }

  [[nodiscard]] std::size_t states() const noexcept { return system_.states(); }
  [[nodiscard]] std::size_t quadratures() const noexcept { return system_.quadratures(); }

  std::vector<double>&x, &q;
  std::vector<std::size_t> driven_integrals, state_integrals, powers;

  void evaluate(double t, double s, const double* at, double* dx, double* dq) noexcept {
    system_.evaluate(t, s, at, dx, dq);
  }
  void loss(double t, double s, const double* at, double* dq) noexcept {
    system_.evaluate(t, s, at, rates_.data(), dq);
  }
  void driving(double t, double s, double* b) noexcept {
    system_.evaluate(t, s, zero_.data(), b, integrands_.data());
    for (std::size_t k = 0; k < driven_integrals.size(); ++k)
      b[states() + k] = integrands_[driven_integrals[k]];
  }
  void increments(const double* drive, double* move) const noexcept {
    const std::size_t columns = 3 * states(), height = 2 * states() + state_integrals.size();
    for (std::size_t row = 0; row < height; ++row)
      move[row] =
          std::inner_product(drive, drive + columns, maps_->entries.data() + row * columns, 0.0);
  }

 private:
  struct Maps {
    std::vector<double> of;  ///< these rows
    double step_s = 0.0;
    std::vector<std::size_t> linear{}, powers{};  ///< quadratures
    std::size_t columns = 0;
    std::vector<double> entries{};
    void set(std::size_t row, std::size_t column, double value) {
      entries[row * columns + column] = value;
    }
  };

  [[nodiscard]] Maps maps(double t, double s, double step_s) {
    const std::size_t n = states();
    Maps maps{.of = system_.rows(), .step_s = step_s};
    sort_quadratures(t, s, maps);
    const std::size_t integrals = maps.linear.size();
    std::vector<std::uint16_t> driven(n);
    std::iota(driven.begin(), driven.end(), std::uint16_t{0});
    std::vector<MatrixPlace> rates, integrands;
    std::vector<double> entries(maps.of.begin(),
                                maps.of.begin() + static_cast<std::ptrdiff_t>(n * n));
    for (std::uint16_t row = 0; row < n; ++row)
      for (std::uint16_t column = 0; column < n; ++column) rates.push_back({row, column});
    for (std::uint16_t k = 0; k < integrals; ++k)
      for (std::uint16_t column = 0; column < n; ++column) {
        integrands.push_back({k, column});
        entries.push_back(maps.of[(n + maps.linear[k]) * n + column]);
      }
    maps.columns = 3 * n;
    maps.entries.resize((2 * n + integrals) * maps.columns);
    std::vector<double> work(math::PhiFunctions::work_size(n));
    set_exact(maps,
              {.states = n,
               .integrals = integrals,
               .driven = driven,
               .rates = rates,
               .integrands = integrands,
               .entries = entries,
               .points = points,
               .middle = middle,
               .step_s = step_s},
              work);
    return maps;
  }

  /// Quadratures that are linear have the same slopes elsewhere.
  void sort_quadratures(double t, double s, Maps& maps) {
    constexpr double rounding = 1e-9;
    std::vector<double> elsewhere = x;
    for (double& value : elsewhere) value = 1.0 + 2.0 * value;
    system_.linearise(t, s, elsewhere.data(), rates_.data(), integrands_.data());
    const std::size_t n = states();
    for (std::size_t k = 0; k < quadratures(); ++k) {
      const auto own = static_cast<std::ptrdiff_t>((n + k) * n),
                 end = own + static_cast<std::ptrdiff_t>(n);
      const bool linear =
          std::equal(maps.of.begin() + own, maps.of.begin() + end, system_.rows().begin() + own,
                     [](double a, double b) {
                       return std::abs(a - b) <= rounding * (std::abs(a) + std::abs(b));
                     });
      (linear ? maps.linear : maps.powers).push_back(k);
    }
  }

  TrialSystem& system_;
  std::vector<double> zero_, rates_, integrands_;
  const Maps* maps_ = nullptr;
};

}  // namespace

constinit const Method exact{
    .name = "exact",
    .words =
        "linear circuits by the matrix exponential: any step, as accurate as their inputs are "
        "known",
    .source =
        "Moler, Van Loan, SIAM Review 45 (2003); Hochbruck, Ostermann, Acta Numerica 19 (2010)",
    .order = 4,
    .header = "exact.hpp",
    .call = "takt::run_exact",
    .demands = "takt::ExactlySolved",
    .stability = {stability_of<[](std::complex<double> z) { return std::exp(z); }>},
    .needs_linear = true,
    .proposed = true,
    .evaluations = [](int) { return 4; },
    // products run side by side: about two in the time of an operation that waits for the one
    // before
    .cost =
        [](const StepSize& size, int) {
          return (size.linear_powers ? 1 : 2) * (size.evaluation + size.entries) +
                 2.0 * size.states;
        },
    .run =
        [](TrialSystem& system, const Window& window, int) {
          ExactTrial trial(system, window);
          run_exact(trial, window);
        }};

}  // namespace takt::codegen::methods
