#include "runtime/audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "runtime/audit/deviation.hpp"
#include "runtime/audit/replica.hpp"
#include "runtime/audit/thread_seconds.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double share_from_start = 0.6;  // of the time, where that does not cover the run

std::string part_text(std::int64_t divisor) {
  constexpr const char* names[] = {"", "", "half", "a third", "a quarter", "a fifth", "a sixth", "a seventh"};
  return divisor < 8 ? names[divisor] : "a " + std::to_string(divisor) + "th";
}

std::string share_text(double share) {
  if (!std::isfinite(share)) return "beyond all numbers";
  return share < 10.0 ? formatted("%.2g %% of its range", 100.0 * share) : formatted("%.2g times its range", share);
}

/// The plant as it ran, and the same with finer steps.
struct Pair {
  Replica own, finer;
  Pair(const AuditedRun& run, const RefinedPlan& plan)
      : own(run.plant, same_plan(run.plant), run.script), finer(run.plant, plan, run.script) {}
  void load(const PlantCopy& copy) {
    own.load(copy);
    finer.load(copy);
  }
  void advance() {
    own.advance();
    finer.advance();
  }
};

/// Where a comparison ends: whichever comes first.
struct Until {
  std::uint64_t macro_step;
  double spent_s;  ///< of all that may be spent
};

class Auditor {
 public:
  Auditor(const AuditedRun& run, const AuditSettings& settings)
      : run_(run), settings_(settings), quantities_(compared_quantities(run.plant)), begun_s_(thread_seconds()) {
    observes_ = std::any_of(quantities_.begin(), quantities_.end(), [](const Quantity& q) { return q.seen; });
  }

  AuditResult operator()() {
    if (!result_.not_done.empty() || !can_be_audited()) return result_;
    result_.done = true;
    result_.limit = settings_.limit;
    result_.whole_s = seconds_of(run_.macro_steps);
    std::optional<RefinedPlan> plan = with_shorter_times(run_.plant);
    from_start(plan ? *plan : with_shorter_steps(run_.plant));
    if (result_.finding.empty() && from_start_ < run_.macro_steps) stretches();
    result_.compute_s = thread_seconds() - begun_s_;
    return result_;
  }

 private:
  bool can_be_audited() {
    for (const SubsystemDescription& s : run_.plant.subsystems) {
      const std::string_view method = s.method;
      if (method == "adaptive" || method == "bdf") result_.not_done = std::string(s.name) + " chooses its steps itself";
    }
    if (run_.copies.empty() || run_.macro_steps == 0 || quantities_.empty()) result_.not_done = "nothing was computed";
    return result_.not_done.empty();
  }

  [[nodiscard]] double seconds_of(std::uint64_t macro_steps) const {
    return static_cast<double>(macro_steps) * static_cast<double>(run_.plant.macro_step_ns) * 1e-9;
  }
  [[nodiscard]] bool goes_on() const { return settings_.goes_on == nullptr || settings_.goes_on(); }
  [[nodiscard]] double spent() const { return thread_seconds() - begun_s_; }
  [[nodiscard]] double allowed() const {
    return settings_.seconds < 0.0 ? std::numeric_limits<double>::infinity() : settings_.seconds;
  }

  /// Both plants from a copy on, side by side.
  /// @return macro-step reached
  std::uint64_t walk(Pair& pair, const PlantCopy& from, Until until, Deviations& deviations) {
    auto& [own, finer] = pair;
    std::vector<double> own_values(quantities_.size()), finer_values(quantities_.size());
    const auto read = [&] {
      read_values(quantities_, own, own_values);
      read_values(quantities_, finer, finer_values);
    };
    pair.load(from);
    read();
    deviations.begin(own_values, finer_values);
    while (own.macro_step() < until.macro_step && (own.macro_step() == from.macro_step || spent() < until.spent_s) &&
           goes_on()) {
      pair.advance();
      if (observes_) own.observe(), finer.observe();
      read();
      deviations.compare(own_values, finer_values, seconds_of(own.macro_step()));
    }
    deviations.end();
    return own.macro_step();
  }

  void from_start(const RefinedPlan& plan) {
    Pair pair(run_, plan);
    pair.own.load(run_.copies.front());
    give_least_ranges(quantities_, pair.own);
    Deviations deviations(quantities_, run_.copies);
    result_.finer =
        (plan.divisor > 1 ? "steps and synchronisation times " : "steps ") + part_text(plan.finest) + " as long";
    const double enough =
        static_cast<double>(run_.macro_steps) * probe(pair) <= allowed() ? allowed() : share_from_start * allowed();
    from_start_ = walk(pair, run_.copies.front(), {run_.macro_steps, enough}, deviations);
    result_.from_start_s = result_.covered_s = seconds_of(from_start_);
    const Judgement judgement = judge(deviations);
    take(judgement);
    if (judgement.error <= settings_.limit) return;
    const bool by_steps = plan.divisor == 1 || !goes_on() || steps_matter();
    found(judgement, by_steps, plan);
  }

  /// Seconds one macro-step takes in both.
  double probe(Pair& pair) {
    pair.load(run_.copies.front());
    const double before = thread_seconds();
    std::uint64_t steps = 0;
    do {
      pair.advance();
      ++steps;
    } while (steps < run_.macro_steps && steps < 64 && thread_seconds() - before < 0.02 * allowed());
    return (thread_seconds() - before) / static_cast<double>(steps);
  }

  /// Whether shorter steps alone show the error, or only shorter synchronisation times do.
  bool steps_matter() {
    Pair pair(run_, with_shorter_steps(run_.plant));
    Deviations deviations(quantities_, run_.copies);
    (void)walk(pair, run_.copies.front(), {from_start_, spent() + allowed()}, deviations);
    return judge(deviations).error > 0.5 * settings_.limit;
  }

  void stretches() {
    std::vector<const PlantCopy*> ahead;
    for (const PlantCopy& copy : run_.copies)
      if (copy.macro_step >= from_start_ && copy.macro_step < run_.macro_steps) ahead.push_back(&copy);
    if (ahead.empty()) return;
    const RefinedPlan plan = with_shorter_steps(run_.plant);
    Pair pair(run_, plan);
    for (std::size_t i = 0; i < ahead.size() && result_.finding.empty(); ++i) {
      const double left = allowed() - spent();
      if (left <= 0.0 || !goes_on()) return;
      const std::uint64_t end = i + 1 < ahead.size() ? ahead[i + 1]->macro_step : run_.macro_steps;
      Deviations deviations(quantities_, run_.copies);
      const double share = left / static_cast<double>(ahead.size() - i);
      const std::uint64_t reached = walk(pair, *ahead[i], {end, spent() + share}, deviations);
      result_.covered_s += seconds_of(reached - ahead[i]->macro_step);
      ++result_.stretches;
      const Judgement judgement = judge(deviations);
      take(judgement);
      if (judgement.error > settings_.limit) found(judgement, true, plan);
    }
  }

  [[nodiscard]] Judgement judge(const Deviations& deviations) const {
    return deviations.judged(settings_.limit, run_.plant.autonomous);
  }

  void take(const Judgement& judgement) {
    result_.drifts = result_.drifts || judgement.drifts;
    if (judgement.error < result_.error || quantities_.empty()) return;
    result_.error = judgement.error;
    result_.worst = quantities_[judgement.quantity].path;
    result_.at_s = judgement.at_s;
  }

  void found(const Judgement& judgement, bool by_steps, const RefinedPlan& plan) {
    result_.finding = finding(judgement, by_steps, plan);
    result_.subsystem = run_.plant.subsystems[quantities_[judgement.quantity].subsystem].name;
  }

  [[nodiscard]] std::string finding(const Judgement& judgement, bool by_steps, const RefinedPlan& plan) const {
    const Quantity& quantity = quantities_[judgement.quantity];
    const SubsystemDescription& s = run_.plant.subsystems[quantity.subsystem];
    const double step_s = static_cast<double>(s.step_ns) * 1e-9, period_s = static_cast<double>(s.period_ns) * 1e-9;
    const std::string what = by_steps ? "steps" : "synchronisation times";
    std::string text = what + " too long: " + quantity.path + " is " + share_text(judgement.error) + " off what " +
                       what + " " + part_text(by_steps ? with_shorter_steps(run_.plant).finest : plan.divisor) +
                       " as long give (most at " + short_duration(judgement.at_s) + "); ";
    if (!by_steps)
      return text + "try synchronisation times of " + short_duration(period_s / 5.0) + " and less in [sync]";
    return text + "try steps of " + short_duration(step_s / 5.0) + " and less for " + s.name + " (now " + s.method +
           ", " + short_duration(step_s) + "), or another method";
  }

  const AuditedRun& run_;
  AuditSettings settings_;
  std::vector<Quantity> quantities_;
  bool observes_ = false;  // some of them are computed for looking at alone
  double begun_s_;
  std::uint64_t from_start_ = 0;
  AuditResult result_;
};

}  // namespace

AuditResult audit(const AuditedRun& run, const AuditSettings& settings) { return Auditor(run, settings)(); }

}  // namespace takt
