#include "codegen/trial/equation_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "codegen/dae/algebra/time_instants.hpp"
#include "codegen/plan/symbol_origins.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {
namespace {

/// x' = f(x): results are the rates, then the outputs.
class EquationModel final : public WindowModel {
 public:
  EquationModel(const PlannedSubsystem& subsystem, SymbolValues& values, const Watches& watches,
                const std::vector<Expr>& integrands)
      : plan_(subsystem.plan),
        time_(subsystem.network.time),
        begin_s_(values[static_cast<std::size_t>(time_)]),
        values_(values),
        program_(subsystem.network.graph()),
        system_(*this, subsystem.surrogate.states.size(),
                plan_.outputs.size() + integrands.size()) {
    for (const SurrogateState& state : subsystem.surrogate.states) {
      states_.push_back(state.symbol);
      z_.push_back(at(state.symbol));
    }
    inputs.resize(plan_.inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k].c0 = at(plan_.inputs[k]);
    for (const SymbolId output : plan_.outputs) outputs.push_back(at(output));
    sent.resize(outputs.size());
    const std::vector<SymbolId> owned = symbols_owned(subsystem.surrogate);
    for (const auto& watch : watches)
      if (std::find(owned.begin(), owned.end(), watch.first) != owned.end())
        watches_.push_back(watch);
    const TimeInstants instants = time_instants(subsystem.network, subsystem.surrogate);
    if (!instants.empty() && !plan_.method->needs_linear)
      instants_.emplace(subsystem.network.graph(), instants,
                        [&](SymbolId symbol) { return at(symbol); });
    program_.add(subsystem.surrogate);
    for (const SymbolId output : plan_.outputs) program_.result(output);
    for (const Expr integrand : integrands) program_.result(integrand);
    program_.run(values);  // iterated until nothing moves; then from there
    constexpr int newton_steps = 5;
    constexpr double settled = 1e-7;  // of the unknown: the next one is within its square
    program_.step_newton(newton_steps, settled);
  }

  void run(std::int64_t start_ns) override {
    const Window window{start_ns, plan_.step_ns,
                        static_cast<std::int32_t>(plan_.period_ns / plan_.step_ns)};
    std::copy(z_.begin(), z_.end(), system_.x.begin());
    if (plan_.method->run != nullptr)
      plan_.method->run(system_, window, plan_.stages);
    else
      methods::rk4.run(system_, finer(window), 0);
    std::copy_n(system_.x.begin(), z_.size(), z_.begin());
    sent.assign(system_.q.begin(),
                system_.q.begin() + static_cast<std::ptrdiff_t>(system_.quadratures()));
    finish(evaluate(static_cast<double>(start_ns + plan_.period_ns) / 1e9,
                    static_cast<double>(plan_.period_ns) / 1e9, z_.data())
               .data() +
           z_.size());
  }

 private:
  double& at(SymbolId symbol) { return values_[static_cast<std::size_t>(symbol)]; }

  /// All equations at these states, t seconds after the begin of the run, s into the window.
  const std::vector<double>& evaluate(double t, double s, const double* z) {
    at(time_) = begin_s_ + t;
    for (std::size_t k = 0; k < states_.size(); ++k) at(states_[k]) = z[k];
    for (std::size_t k = 0; k < inputs.size(); ++k) at(plan_.inputs[k]) = inputs[k].at(s);
    program_.run(values_);
    return program_.results();
  }

  void finish(const double* y) {
    std::copy(y, y + outputs.size(), outputs.begin());
    for (const auto& [symbol, place] : watches_) *place = at(symbol);
  }

  /// What the steps see of the model.
  class System final : public TrialSystem {
   public:
    System(EquationModel& model, std::size_t states, std::size_t quadratures)
        : TrialSystem(states, quadratures), model_(model) {}
    void evaluate(double t, double s, const double* at, double* dx, double* dq) noexcept override {
      const std::vector<double>& results =
          model_.evaluate(model_.instants_ ? inside.of(t) : t, s, at);
      std::copy_n(results.begin(), states(), dx);
      std::copy_n(results.begin() + static_cast<std::ptrdiff_t>(states()), quadratures(), dq);
    }
    [[nodiscard]] double next_instant(double t) const noexcept override {
      if (!model_.instants_) return TrialSystem::next_instant(t);
      return model_.instants_->after(model_.begin_s_ + t) - model_.begin_s_;
    }
    void jacobian(double* rows) noexcept override {
      Slopes slopes = model_.program_.slopes(model_.states_);
      const std::size_t n = states();
      std::fill_n(rows, (n + quadratures()) * n, 0.0);
      each_derivative(slopes, n, n + quadratures(),
                      [&](std::size_t row, std::size_t column, double value) {
                        rows[row * n + column] = value;
                      });
    }

   private:
    EquationModel& model_;
  };

  /// For methods that choose their steps: so that order 4 is stable, and accurate.
  [[nodiscard]] Window finer(const Window& window) const {
    constexpr double share = 0.5;
    constexpr std::int64_t fewest = 4, most = 1000;
    std::int64_t parts = fewest;
    for (const PlanStability::Limit& limit : plan_.stability.limits)
      if (limit.method == &methods::rk4 && limit.step_s && *limit.step_s > 0.0)
        parts = std::clamp(static_cast<std::int64_t>(std::ceil(static_cast<double>(window.step_ns) *
                                                               1e-9 / (share * *limit.step_s))),
                           fewest, most);
    const std::int64_t step_ns = std::max<std::int64_t>(1, window.step_ns / parts);
    return {window.start_ns, step_ns, static_cast<std::int32_t>(plan_.period_ns / step_ns)};
  }

  const PlanSubsystem& plan_;
  SymbolId time_;
  double begin_s_;
  SymbolValues& values_;
  Program program_;
  std::optional<InstantsOf>
      instants_;  // where functions of the time jump or bend, and the method cuts its steps
  std::vector<SymbolId> states_;
  std::vector<double> z_;
  Watches watches_;
  System system_;
};

}  // namespace

std::unique_ptr<WindowModel> equation_model(const PlannedSubsystem& subsystem, SymbolValues& values,
                                            const Watches& watches,
                                            const std::vector<Expr>& integrands) {
  return std::make_unique<EquationModel>(subsystem, values, watches, integrands);
}

}  // namespace takt::codegen
