#include "codegen/accuracy/methods_for_times.hpp"

#include <algorithm>

#include "codegen/partition/stable_steps.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {
namespace {

constexpr double worth_it = 0.8;       // of the cost of a step
constexpr double worth_a_trial = 0.2;  // of the work of the whole plan
constexpr std::int64_t many_steps =
    4;  // in a window: their error, not that of exchange, is what holds the step

class MethodChoice {
 public:
  MethodChoice(const PlantEquations& plant, const Plan& plan, const PlanTimes& found,
               const OperatingRange& range)
      : plant_(plant),
        plan_(plan),
        found_(found),
        space_(plant, plan),
        spectra_(linearise(plant.network, plant.dae, range)) {}

  /// Those that `choose` gives, where the steps that it changes cost enough.
  template <class Choose>
  std::vector<const Method*> set_of(Choose choose) const {
    std::vector<const Method*> methods(plan_.subsystems.size(), nullptr);
    double work = 0.0;
    for (std::size_t k = 0; k < methods.size(); ++k) {
      const PlanSubsystem& s = plan_.subsystems[k];
      if (s.method->kind != Method::Kind::stepped || s.step_given) continue;
      methods[k] = choose(k);
      if (methods[k] != nullptr) work += space_.work_of_steps(found_, k);
    }
    if (work < worth_a_trial * space_.work(found_)) methods.clear();
    return methods;
  }

  [[nodiscard]] const Method* cheapest(std::size_t k) const {
    const StepQuestion question = question_of(k);
    const std::vector<Candidate> all = candidates(question, window_ns(k));
    const PlanSubsystem& s = plan_.subsystems[k];
    if (all.empty() || all.front().method == s.method) return nullptr;
    const double now = cost_of_step(s.method, s.stages, question) /
                       (static_cast<double>(found_.step_ns[k]) * 1e-9);
    return all.front().cost < worth_it * now ? all.front().method : nullptr;
  }

  [[nodiscard]] const Method* of_higher_order(std::size_t k) const {
    const PlanSubsystem& s = plan_.subsystems[k];
    if (s.method->order >= methods::rk4.order || s.method->needs_linear) return nullptr;
    if (window_ns(k) < many_steps * found_.step_ns[k]) return nullptr;
    const auto limit = largest_stable_step(&methods::rk4, 0, spectra_[k]);
    constexpr double twice = 2.0;  // the evaluations of heun
    const bool may_be_longer =
        !limit || *limit >= twice * static_cast<double>(found_.step_ns[k]) * 1e-9;
    return may_be_longer ? &methods::rk4 : nullptr;
  }

 private:
  [[nodiscard]] std::int64_t window_ns(std::size_t k) const {
    return found_.period_ns[plan_.subsystems[k].group];
  }
  [[nodiscard]] StepQuestion question_of(std::size_t k) const {
    return {plant_.network, plant_.dae.subsystems[k], spectra_[k],
            nothing_set_,   found_.step_ns[k],        nullptr};
  }

  const PlantEquations& plant_;
  const Plan& plan_;
  const PlanTimes& found_;
  PlanTimesSpace space_;
  std::vector<Spectrum> spectra_;
  SolveSetting nothing_set_;
};

}  // namespace

std::vector<std::vector<const Method*>> methods_for_times(const PlantEquations& plant,
                                                          const Plan& plan, const PlanTimes& found,
                                                          const OperatingRange& range) {
  const MethodChoice choice(plant, plan, found, range);
  std::vector<std::vector<const Method*>> sets{
      choice.set_of([&](std::size_t k) { return choice.cheapest(k); }),
      choice.set_of([&](std::size_t k) { return choice.of_higher_order(k); })};
  std::erase_if(sets, [](const auto& set) {
    return std::all_of(set.begin(), set.end(),
                       [](const Method* method) { return method == nullptr; });
  });
  return sets;
}

}  // namespace takt::codegen
