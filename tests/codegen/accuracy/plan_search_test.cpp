#include "codegen/accuracy/plan_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/codegen/accuracy/circuits_in_one_group.hpp"

namespace {

using namespace takt;
using namespace takt::codegen;
using tests::Plant, tests::us;

/// Signals with errors of known sizes: of each circuit weight[k]*(step/1 ms)^2, and the group's weight*(H/1 ms).
struct Model {
  std::vector<double> steps;
  double exchange = 0.0;
  mutable int asked = 0;

  [[nodiscard]] std::vector<double> values(const PlanTimes& times) const {
    std::vector<double> at;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double h = static_cast<double>(times.step_ns[k]) * 1e-6;
      at.push_back(steps[k] * h * h + exchange * static_cast<double>(times.period_ns[0]) * 1e-6);
    }
    return at;
  }
  TrialAnswer operator()(const std::vector<PlanTimes>& plans, double duration_s) const {
    ++asked;
    TrialAnswer answer;
    answer.covered_s = duration_s;
    for (std::size_t k = 0; k < steps.size(); ++k) answer.signals.push_back("signal_" + std::to_string(k));
    const std::vector<double> first = values(plans.front()), last = values(plans.back());
    for (const PlanTimes& plan : plans) {
      const std::vector<double> own = values(plan);
      answer.to_first.emplace_back(), answer.to_last.emplace_back();
      for (std::size_t k = 0; k < own.size(); ++k) {
        answer.to_first.back().push_back(std::fabs(own[k] - first[k]));
        answer.to_last.back().push_back(std::fabs(own[k] - last[k]));
      }
    }
    return answer;
  }
  [[nodiscard]] double error(const PlanTimes& times) const {
    const std::vector<double> all = values(times);
    return *std::max_element(all.begin(), all.end());
  }
};

PlanSearch searched(const Plant& plant, const TryPlans& trials, double error = 1e-3) {
  return search_times({plant.network, plant.dae}, plant.plan, trials,
                      {.error = error, .duration_s = 1.0, .progress = {}});
}

bool nests(const Plan& plan, const PlanTimes& times) {
  for (std::size_t k = 0; k < times.step_ns.size(); ++k)
    if (times.period_ns[plan.subsystems[k].group] % times.step_ns[k] != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("only the step that errs becomes shorter, as far as it must") {
  const Plant plant(3);
  const Model model{.steps = {1e-6, 0.5, 1e-6}};
  const PlanSearch found = searched(plant, std::cref(model));
  CHECK(found.met);
  CHECK(model.error(found.times) <= 1e-3);
  CHECK(model.error(found.times) > 1e-5);
  CHECK(found.times.step_ns[1] < 100 * us);
  CHECK(found.times.step_ns[0] >= 1000 * us);
  CHECK(nests(plant.plan, found.times));
  CHECK(found.given.error == Approx(0.5).epsilon(0.05));
  CHECK(found.given.signal == "signal_1");
}

TEST_CASE("where exchange errs the synchronisation time becomes shorter, and steps with it") {
  const Plant plant(2);
  const Model model{.steps = {1e-6, 1e-6}, .exchange = 0.1};
  const PlanSearch found = searched(plant, std::cref(model));
  CHECK(found.met);
  CHECK(found.times.period_ns[0] <= 10 * us);
  CHECK(found.shares.front().time.kind == FreeTime::Kind::period);
  CHECK(nests(plant.plan, found.times));
}

TEST_CASE("times that are shorter than the error needs become longer") {
  const Plant plant(2, 100 * us);
  const Model model{.steps = {1e-6, 1e-5}, .exchange = 1e-6};
  const PlanSearch found = searched(plant, std::cref(model));
  CHECK(found.met);
  CHECK(found.found_work < 0.5 * found.given_work);
  CHECK(model.error(found.times) <= 1e-3);
}

TEST_CASE("a time suits the control in it: one is a multiple of the other") {
  Plant plant(2);
  plant.plan.subsystems[1].method = &methods::discrete;
  plant.plan.subsystems[1].every_ns = 600 * us;
  plant.plan.subsystems[1].step_ns = plant.plan.subsystems[1].period_ns = 200 * us;
  const PlanTimesSpace space({plant.network, plant.dae}, plant.plan);
  PlanTimes wished = space.times();
  for (const std::int64_t period : {10'000 * us, 1000 * us, 500 * us, 333 * us, 50 * us, std::int64_t{7}}) {
    wished.period_ns[0] = period;
    const std::int64_t fitted = space.fitted(wished).period_ns[0];
    INFO(period << " -> " << fitted);
    CHECK(fitted <= period);
    CHECK((600 * us % fitted == 0 || fitted % (600 * us) == 0));
    CHECK(10'000 * us % fitted == 0);
  }
  wished.period_ns[0] = 1000 * us;
  CHECK(space.fitted(wished).period_ns[0] == 200 * us);
}

TEST_CASE("what control samples becomes no staler than in the plan") {
  const auto longest = [](std::int64_t plan_ns, std::int64_t wished_ns = 10'000 * us) {
    Plant plant(2, plan_ns);
    plant.plan.subsystems[1].method = &methods::discrete;
    plant.plan.subsystems[1].every_ns = 1000 * us;
    const PlanTimesSpace space({plant.network, plant.dae}, plant.plan);
    PlanTimes wished = space.times();
    wished.period_ns[0] = wished_ns;
    return space.fitted(wished).period_ns[0];
  };
  CHECK(longest(500 * us) == 1000 * us);
  CHECK(longest(2000 * us) == 2000 * us);
  CHECK(longest(500 * us, 100'000 * us) == 1000 * us);  // beyond what is recorded, too
}

TEST_CASE("shares of a quiet beginning do not decide how much shorter times become") {
  const Plant plant(1);
  const Model early{.steps = {1e-9}}, late{.steps = {4e-3}};
  const auto trials = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    return duration_s < 0.5 ? early(plans, duration_s) : late(plans, duration_s);
  };
  const PlanSearch found = search_times(
      {plant.network, plant.dae}, plant.plan, trials,
      {.error = 1e-3, .duration_s = 1.0, .may_lengthen = false, .work = 1e5, .last_work = 1e9, .progress = {}});
  CHECK(found.met);
  CHECK(late.error(found.times) <= 1e-3);
  CHECK(late.error(found.times) > 5e-5);  // not a tenth, the shortest at once
}

TEST_CASE("what happens late is seen by the last estimate, and times become shorter for it") {
  const Plant plant(1);
  const Model early{.steps = {1e-4}}, late{.steps = {1e-2}};
  const auto trials = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    return duration_s < 0.5 ? early(plans, duration_s) : late(plans, duration_s);
  };
  const PlanSearch found =
      search_times({plant.network, plant.dae}, plant.plan, trials,
                   {.error = 1e-3, .duration_s = 1.0, .work = 3e4, .last_work = 1e8, .progress = {}});
  CHECK(found.met);
  CHECK(late.error(found.times) <= 1e-3);
  CHECK(found.found.covered_s == 1.0);
}

TEST_CASE("times become no longer where runs do not show all that the plant will do") {
  const Plant plant(2, 100 * us);
  const Model model{.steps = {1e-6, 1e-5}};
  const PlantEquations equations{plant.network, plant.dae};
  const PlanSearch allowed = search_times(equations, plant.plan, std::cref(model),
                                          {.error = 1e-3, .duration_s = 1.0, .may_lengthen = false, .progress = {}});
  CHECK(allowed.met);
  CHECK(allowed.times.step_ns[0] == 100 * us);
  // Of 1000 s no trial gets beyond some.
  const PlanSearch far =
      search_times(equations, plant.plan, std::cref(model),
                   {.error = 1e-3, .duration_s = 1e3, .work = 1e7, .last_work = 1e7, .progress = {}});
  CHECK(far.met);
  CHECK(far.found.covered_s < 1e3);
  CHECK(far.times.step_ns[0] == 100 * us);
}

TEST_CASE("what the user gave stays, and the search says that the error is not met") {
  Plant plant(2);
  plant.plan.subsystems[1].step_given = true;
  const Model model{.steps = {1e-6, 0.5}};
  const PlanSearch found = searched(plant, std::cref(model));
  CHECK_FALSE(found.met);
  CHECK(found.times.step_ns[1] == 1000 * us);
  CHECK(found.found.error == Approx(0.5).epsilon(0.05));
}

TEST_CASE("what does not converge is no estimate") {
  const Plant plant(1);
  const auto noise = [](const std::vector<PlanTimes>& plans, double duration_s) {  // all as far from each other
    TrialAnswer answer;
    answer.covered_s = duration_s;
    answer.signals = {"signal"};
    for (std::size_t k = 0; k < plans.size(); ++k) {
      answer.to_first.push_back({k > 0 ? 0.3 : 0.0});
      answer.to_last.push_back({k + 1 < plans.size() ? 0.3 : 0.0});
    }
    return answer;
  };
  const PlanSearch found = searched(plant, noise);
  CHECK_FALSE(found.met);
  CHECK_FALSE(found.given.converges);
}

TEST_CASE("a plan that leaves all bounds is shortened until it does not") {
  const Plant plant(1);
  const Model model{.steps = {0.01}};
  const auto unstable = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    TrialAnswer answer = model(plans, duration_s);
    for (std::size_t k = 0; k < plans.size(); ++k)
      if (plans[k].step_ns[0] > 400 * us || plans.front().step_ns[0] > 400 * us) answer.to_first[k] = {HUGE_VAL};
    for (std::size_t k = 0; k < plans.size(); ++k)
      if (plans[k].step_ns[0] > 400 * us) answer.to_last[k] = {HUGE_VAL};
    return answer;
  };
  const PlanSearch found = searched(plant, unstable);
  CHECK(found.met);
  CHECK(found.times.step_ns[0] <= 400 * us);
}

TEST_CASE("a plant that gives no answer is no estimate, with its reason") {
  const Plant plant(1);
  const PlanSearch found = searched(plant, [](const std::vector<PlanTimes>&, double) {
    TrialAnswer answer;
    answer.problem = "it ended";
    return answer;
  });
  CHECK(found.problem == "it ended");
  CHECK_FALSE(found.met);
}

TEST_CASE("a plan by which runs fail, and that is far off, is left in few rounds") {
  const Plant plant(1);
  const auto far_off = [](const std::vector<PlanTimes>& plans, double duration_s) {
    TrialAnswer answer;
    answer.covered_s = duration_s;
    answer.signals = {"signal_0"};
    const auto value = [](const PlanTimes& plan) { return std::min(1.0, static_cast<double>(plan.step_ns[0]) * 1e-6); };
    for (const PlanTimes& plan : plans) {
      answer.to_first.push_back({std::fabs(value(plan) - value(plans.front()))});
      answer.to_last.push_back({std::fabs(value(plan) - value(plans.back()))});
      answer.verdicts.push_back(answer.to_last.back()[0] > 3e-3 ? "X020: circuit_0: steps too long" : "");
    }
    return answer;
  };
  const PlanSearch found = searched(plant, far_off);
  CHECK(found.met);
  CHECK(found.times.step_ns[0] <= 2 * us);
  // Where nothing is right, what is found is the nearest.
  const auto never = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    TrialAnswer answer = far_off(plans, duration_s);
    for (std::size_t k = 0; k + 1 < plans.size(); ++k) answer.verdicts[k] = "X020: circuit_0: steps too long";
    return answer;
  };
  const PlanSearch nearest = searched(plant, never);
  CHECK_FALSE(nearest.met);
  CHECK(nearest.found.error < 0.1 * nearest.given.error);
}

TEST_CASE("a plan by which runs fail, and by finer ones do not, is none, however near it comes") {
  const Plant plant(1);
  const Model model{.steps = {1e-5}};
  const auto failing = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    TrialAnswer answer = model(plans, duration_s);
    for (const PlanTimes& plan : plans)
      answer.verdicts.push_back(plan.step_ns[0] > 400 * us ? "X004: circuit_0: no solution" : "");
    return answer;
  };
  const PlanSearch found = searched(plant, failing);
  CHECK(found.met);
  CHECK(found.times.step_ns[0] <= 400 * us);
  CHECK(found.given.verdict == "X004: circuit_0: no solution");
  const auto plant_s_own = [&](const std::vector<PlanTimes>& plans, double duration_s) {
    TrialAnswer answer = model(plans, duration_s);
    answer.verdicts.assign(plans.size(), "X015: circuit_0: empty");
    return answer;
  };
  CHECK(searched(plant, plant_s_own).found_work < 0.9 * searched(plant, failing).found_work);
}

TEST_CASE("the next plans: what one time twice or half as long makes of it, measured", "[accuracy]") {
  const Plant plant(3, 100 * us);
  const Model model{.steps = {0.01, 0.0004, 1e-9}};  // 1e-4, 4e-6 and 1e-11 at these steps
  const PlanTimesSpace space({plant.network, plant.dae}, plant.plan);
  PlanTimes times = space.times();
  times.step_ns = {50 * us, 50 * us, 10 * us};
  const SearchOptions options{.error = 1e-3, .duration_s = 1.0, .progress = {}};
  const PlanEstimate found = estimate(space, times, std::cref(model), options);
  const NextPlans next = next_plans(space, times, found, std::cref(model), options);
  REQUIRE(next.finer);
  CHECK(next.finer->time.members == std::vector<std::size_t>{0});
  CHECK(next.finer->factor == 0.5);
  CHECK(next.finer->error == Approx(found.error / 4.0).epsilon(0.05));
  REQUIRE(next.cheaper);
  CHECK(next.cheaper->time.members == std::vector<std::size_t>{2});  // saves most and loses nothing
  CHECK(next.cheaper->error == Approx(found.error).epsilon(0.05));
  CHECK(next.cheaper->work < space.work(times));
  CHECK(next.finer->work > space.work(times));
  Plant given = plant;
  for (PlanSubsystem& s : given.plan.subsystems) s.step_given = true;
  given.plan.groups[0].proposed = false;
  const PlanTimesSpace fixed({given.network, given.dae}, given.plan);
  const NextPlans none = next_plans(fixed, times, found, std::cref(model), options);
  CHECK_FALSE(none.cheaper);
  CHECK_FALSE(none.finer);
}

TEST_CASE("who has hardly seen anything has not met an error", "[accuracy]") {
  const Plant plant(1);
  const Model model{.steps = {1e-9}};
  const PlantEquations equations{plant.network, plant.dae};
  const auto of_most = [&](double part) {
    return search_times(equations, plant.plan,
                        [&](const std::vector<PlanTimes>& plans, double duration_s) {
                          TrialAnswer answer = model(plans, duration_s);
                          answer.covered_s = std::min(duration_s, part);
                          return answer;
                        },
                        {.error = 1e-3, .duration_s = 1.0, .progress = {}})
        .met;
  };
  CHECK(of_most(1e-3));
  CHECK_FALSE(of_most(1e-5));
}

TEST_CASE("an estimate reaches further for a known instant, or for none that is too far") {
  const Plant plant(1);
  const Model model{.steps = {1e-9}};
  const PlanTimesSpace space({plant.network, plant.dae}, plant.plan);
  SearchOptions options{.error = 1e-3, .duration_s = 100.0, .progress = {}};
  const auto covered = [&] { return estimate(space, space.times(), std::cref(model), options).covered_s; };
  options.work = 1e3;  // not enough for all
  const double usual = covered(), later = 3.0 * usual;
  REQUIRE(usual < 20.0);
  std::vector<double> known;
  options.later = [&](double after_s) {
    CHECK(after_s == usual);
    return known;
  };
  CHECK(covered() == usual);
  known = {later};
  CHECK(covered() == Approx(later + usual));
  known = {later, 50.0 * usual};
  CHECK(covered() == Approx(later + usual));
  known = {50.0 * usual};
  CHECK(covered() == usual);
  options.duration_s = later + 0.1 * usual;
  known = {later};
  CHECK(covered() == options.duration_s);
}

TEST_CASE("where the plan that is found is refused, the next best is taken") {
  const Plant plant(1);
  const Model model{.steps = {1e-5}};  // steps may become much longer
  const auto with = [&](std::function<bool(const PlanTimes&)> accepts) {
    return search_times({plant.network, plant.dae}, plant.plan, std::cref(model),
                        {.error = 1e-3, .duration_s = 1.0, .progress = {}, .accepts = std::move(accepts)});
  };
  const PlanSearch free = with({});
  REQUIRE(free.times.step_ns[0] > 1000 * us);
  SECTION("the one whose times only become shorter") {
    CHECK(with([](const PlanTimes& times) { return times.step_ns[0] <= 1000 * us; }).times.step_ns[0] == 1000 * us);
  }
  SECTION("the same with shorter times, and what is then known of its error") {
    const PlanSearch found = with([](const PlanTimes& times) { return times.step_ns[0] <= 300 * us; });
    CHECK(found.problem.empty());
    CHECK(found.met);
    CHECK(found.times.step_ns[0] <= 300 * us);
    CHECK(found.times.step_ns[0] >= 100 * us);
    CHECK(found.found.error == Approx(model.error(found.times)).epsilon(0.05));
  }
  SECTION("none: said") {
    CHECK(with([](const PlanTimes&) { return false; }).problem.find("refused") != std::string::npos);
  }
}
