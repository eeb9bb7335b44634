#include "tools/takt/fmu_fitness.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace takt::tools {
namespace {

using Weight = Reason::Weight;
using fmu_host::TrialPlan;

class Probing {
 public:
  Probing(const TrialPlan& plan, const FitnessLimits& limits) : plan_(plan), limits_(limits) {}

  /// @return what was found; null where it crashed, hung or said why it could not: then that is a reason
  nlohmann::json run(const char* name, Weight weight, const char* work, std::optional<double> input = std::nullopt) {
    TrialPlan plan = plan_;
    plan.work = work;
    plan.held.value = input;
    const ProbeOutcome outcome = probe(plan, limits_.patience, true);
    const bool told = outcome.end == ProbeOutcome::End::finished && outcome.found.contains("problem");
    const std::string text = told ? outcome.found["problem"].get<std::string>() : outcome.text();
    if (outcome.end == ProbeOutcome::End::finished && !told) {
      fitness.found[name] = outcome.found;
      return outcome.found;
    }
    fitness.found[name] = {{"failed", text}, {"step", outcome.step}};
    fitness.reasons.push_back({told ? weight : std::min(weight, Weight::care), std::string(name) + ": " + text});
    return nullptr;
  }
  void reason(Weight weight, const std::string& text) { fitness.reasons.push_back({weight, text}); }
  Fitness fitness;

 private:
  const TrialPlan& plan_;
  const FitnessLimits& limits_;
};

void judge_repeats(Probing& probing, const TrialPlan& plan) {
  const nlohmann::json first = probing.run("run", Weight::unfit, "short run");
  const nlohmann::json again = probing.run("run again", Weight::unfit, "short run");
  if (first.is_null() || again.is_null()) return;
  if (first["digest"] != again["digest"])
    probing.reason(Weight::unfit, "two runs with the same inputs have other bits");
  const nlohmann::json reset = probing.run("reset", Weight::care, "reset");
  if (!reset.is_null() && reset["first"] != reset["again"])
    probing.reason(Weight::care, "after a reset it computes other bits: load it anew instead");
  if (plan.table.can.only_once_per_process) {
    probing.reason(Weight::note, "one instance per process only, as it says");
    return;
  }
  const nlohmann::json two = probing.run("two instances", Weight::care, "two instances");
  if (!two.is_null() && (two["first"] != first["digest"] || two["second"] != first["digest"]))
    probing.reason(Weight::care, "two instances in one process disturb each other: one host process for each");
}

void judge_state(Probing& probing, const TrialPlan& plan) {
  if (!plan.table.can.get_and_set_state) {
    probing.reason(Weight::note, "does not give its state: no checkpoint, no restart from the last state");
    return;
  }
  const nlohmann::json found = probing.run("state", Weight::care, "state");
  if (found.is_null()) return;
  if (found["straight"] != found["again"])
    probing.reason(Weight::care, "a state that was taken and set does not go on with the same bits: no checkpoints");
  if (found.contains("from_bytes") && found["from_bytes"] != found["straight"])
    probing.reason(Weight::care, "a state from bytes does not go on with the same bits: no checkpoints in files");
}

void judge_inputs(Probing& probing) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    const char* name;
    double value;
    const char* what;
  } tries[] = {{"inputs at zero", 0.0, "inputs at zero"},
               {"huge inputs", 1e30, "inputs of 1e30"},
               {"NaN inputs", nan, "inputs that are NaN"}};
  for (const auto& one : tries) {
    const bool usual = one.value == 0.0;
    const nlohmann::json found = probing.run(one.name, usual ? Weight::unfit : Weight::note, "inputs", one.value);
    if (found.is_null()) continue;
    if (!found["inputs"].get<bool>()) return;
    if (found["not_finite"].get<std::uint64_t>() > 0)
      probing.reason(usual ? Weight::unfit : Weight::note,
                     std::string(one.what) + " come out as NaN or infinite outputs");
  }
}

}  // namespace

std::string Fitness::verdict() const {
  const auto has = [&](Weight weight) {
    return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& one) { return one.weight == weight; });
  };
  return has(Weight::unfit) ? "not fit" : has(Weight::care) ? "fit with care" : "fit";
}

Fitness fitness_of(const TrialPlan& plan, const FitnessLimits& limits) {
  Probing probing(plan, limits);
  const nlohmann::json found = probing.run("long run", Weight::unfit, "long run");
  if (!found.is_null()) judge_long_run(found, limits, probing.fitness.reasons);
  judge_repeats(probing, plan);
  judge_state(probing, plan);
  judge_inputs(probing);
  std::stable_sort(probing.fitness.reasons.begin(), probing.fitness.reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.weight < b.weight; });
  return probing.fitness;
}

}  // namespace takt::tools
