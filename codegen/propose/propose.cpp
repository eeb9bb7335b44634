#include "codegen/propose/propose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "codegen/partition/make_plan.hpp"
#include "codegen/partition/stable_steps.hpp"
#include "codegen/partition/steps.hpp"
#include "codegen/propose/plan_trial.hpp"
#include "codegen/stability/step_limits.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr double affordable = 1.2e8;   // operations of the reference run: some seconds
constexpr std::int64_t settling = 16;  // times the base period
constexpr double shortest_s = 1e-3;
constexpr std::size_t most_groups = 3;
constexpr std::int64_t fewest_samples = 50;
constexpr int lowest_level = -6;
constexpr double reference_reach = 0.4;  // of H*|lambda|
constexpr double too_dear = 4.0;         // an explicit method costs this much more than others: they are taken
constexpr double margin = 1.1;           // of a step to the largest stable one
constexpr double room = 0.5;             // of the error, for what is cheaper still

/// How fine and by what kind of method: per cluster.
struct Choice {
  std::vector<int> level;   ///< H = base * 2^level
  std::vector<bool> cheap;  ///< the cheapest method; else one of order 4, where it can be afforded
};

class Search {
 public:
  Search(const PlantEquations& plant, const Plan& plan, const OperatingRange& range, const ProposalOptions& options)
      : network_(plant.network),
        dae_(plant.dae),
        plan_(plan),
        range_(range),
        options_(options),
        spectra_(linearise(plant.network, plant.dae, range)),
        planned_(plant.network) {
    planned_.record.clear();  // recording periods are the user's matter once there is a plan
  }

  Proposal run() {
    prepare();
    if (!proposal_.problem.empty()) return std::move(proposal_);
    proposal_.alternatives.push_back(evaluate_given());
    std::optional<Choice> choice = uniform();
    if (!choice) {
      proposal_.problem = "no plan tried comes near an error of " + number_text(options_.error) +
                          ", down to synchronisation times of " + duration_text(period(lowest_level_)) + tried_;
      return std::move(proposal_);
    }
    cheaper_methods(*choice);
    Alternative single = evaluate(*choice, "one synchronisation time");
    for (int pass = 0; pass < 4 && longer_times(*choice); ++pass) {
    }
    cheaper_methods(*choice);
    proposal_.alternatives.push_back(std::move(single));
    finish(*choice);
    return std::move(proposal_);
  }

 private:
  // --- what stays the same in all trials
  void prepare() {
    std::int64_t base = 0;
    for (const Surrogate& surrogate : dae_.subsystems)
      if (const auto period_ns = sampling_period_ns(surrogate.kind)) base = std::gcd(base, *period_ns);
    base_ns_ = base > 0 ? base : plan_.macro_step_ns;
    proposal_.clusters = find_clusters(plan_, network_, dae_, spectra_, range_, seconds(base_ns_));
    double fastest = 0.0;
    bool smooth = false;
    for (const Cluster& cluster : proposal_.clusters)
      fastest = std::max(fastest, cluster.fastest), smooth = smooth || cluster.kind == Cluster::Kind::smooth;
    if (!smooth) {
      proposal_.problem = "there is nothing to propose: no circuit without switches";
      return;
    }
    while (lowest_level_ < 0 && base_ns_ % (std::int64_t{1} << -lowest_level_) != 0) ++lowest_level_;
    int level = 0;
    while (level > lowest_level_ && seconds(period(level)) * fastest > reference_reach) --level;
    choose_watched(runs_, plan_, dae_);
    std::optional<Plan> plan = plan_reference(level);
    if (!plan) return;
    runs_.settling_ns = settling * base_ns_;
    choose_begins(runs_, *plan, {network_, dae_}, range_);
    choose_duration(*plan);
    run_reference(*plan);
    // Until it is finer than what is asked for.
    while (proposal_.problem.empty() && level > lowest_level_) {
      const Trial coarse = std::move(truth_);
      if (!(plan = plan_reference(--level))) return;
      run_reference(*plan);
      proposal_.reference_error = difference(coarse, truth_, runs_).nrms / 3.0;  // of order 2
      if (proposal_.reference_error <= room * room * options_.error) break;
    }
  }

  std::optional<Plan> plan_reference(int level) {
    reference_ = {std::vector<int>(proposal_.clusters.size(), level),
                  std::vector<bool>(proposal_.clusters.size(), false)};
    std::string problem;
    std::optional<Plan> plan = arrange(reference_, problem);
    if (!plan) proposal_.problem = "the reference cannot be planned: " + problem;
    return plan;
  }

  void run_reference(const Plan& plan) {
    say("reference: all exchange every " + duration_text(plan.macro_step_ns));
    truth_ = try_plan(plan, network_, dae_, runs_);
    note_scale(runs_, truth_.rows);
    if (!truth_.finite)
      proposal_.problem = "the reference run, with synchronisation times of " + duration_text(plan.macro_step_ns) +
                          ", does not stay finite";
  }

  /// As many samples as there is time for; every synchronisation time tried divides the time between two.
  void choose_duration(const Plan& reference) {
    std::int64_t duration = options_.duration_ns;
    if (duration <= 0) {
      const double all_s =
          affordable / cost_of(reference, network_, dae_, spectra_) / static_cast<double>(runs_.begins.size());
      duration = static_cast<std::int64_t>(std::max(shortest_s, all_s) * 1e9);
      if (network_.default_duration_ns) duration = std::min(duration, *network_.default_duration_ns);
    }
    while (period(highest_level_ + 1) * fewest_samples <= duration) ++highest_level_;
    while (highest_level_ > lowest_level_ && period(highest_level_) * fewest_samples > duration) --highest_level_;
    runs_.sample_ns = std::lcm(period(std::max(highest_level_, reference_.level.front())), plan_.macro_step_ns);
    runs_.duration_ns = std::max<std::int64_t>(2, duration / runs_.sample_ns) * runs_.sample_ns;
    proposal_.duration_ns = runs_.duration_ns;
    proposal_.runs = runs_.begins.size();
  }

  // --- one candidate
  [[nodiscard]] std::int64_t period(int level) const { return level >= 0 ? base_ns_ << level : base_ns_ >> -level; }
  [[nodiscard]] static double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

  [[nodiscard]] const std::optional<Candidate>& method_of(std::size_t subsystem, std::int64_t period_ns,
                                                          bool cheap) const {
    const auto [known, fresh] = methods_.try_emplace({subsystem, period_ns, cheap});
    if (fresh) known->second = find_method(subsystem, period_ns, cheap);
    return known->second;
  }

  [[nodiscard]] std::optional<Candidate> find_method(std::size_t subsystem, std::int64_t period_ns, bool cheap) const {
    const SolveSetting none;
    std::vector<Candidate> all;
    for (std::int64_t most_ns = period_ns; all.empty() && most_ns > 0; most_ns /= 2) {
      all = candidates({network_, dae_.subsystems[subsystem], spectra_[subsystem], none, most_ns}, period_ns);
      // The operating range is a sample: away from the edge of stability. rkc is not searched.
      std::erase_if(all, [&](const Candidate& c) {
        return c.method->chooses_stages ||
               !is_stable(c.method, c.stages, spectra_[subsystem], margin * seconds(c.step_ns));
      });
    }
    if (all.empty()) return std::nullopt;
    const auto best =
        cheap ? std::find_if(all.begin(), all.end(), [](const Candidate& c) { return c.method->is_runge_kutta(); })
              : std::find_if(all.begin(), all.end(),
                             [](const Candidate& c) { return c.method->is_runge_kutta() && c.method->order == 4; });
    return best != all.end() && best->cost <= too_dear * all.front().cost * (cheap ? 1.0 : 2.0) ? *best : all.front();
  }

  /// Control exchanges every base where anything does, switched circuits with the fastest cluster.
  [[nodiscard]] std::vector<int> levels_of(const Choice& choice) const {
    std::vector<int> levels = choice.level;
    int low = 100, high = -100;
    const auto& clusters = proposal_.clusters;
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (clusters[k].kind == Cluster::Kind::smooth) low = std::min(low, levels[k]), high = std::max(high, levels[k]);
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (clusters[k].kind != Cluster::Kind::smooth)
        levels[k] = clusters[k].kind == Cluster::Kind::switched ? low : std::clamp(0, low, high);
    return levels;
  }

  void settings_of(const Choice& choice, std::vector<SolveSetting>& solve, std::vector<SyncSetting>& sync) const {
    const std::vector<int> levels = levels_of(choice);
    std::map<int, std::vector<std::size_t>> members;  // subsystems by level
    for (std::size_t k = 0; k < levels.size(); ++k) {
      auto& here = members[levels[k]];
      here.insert(here.end(), proposal_.clusters[k].members.begin(), proposal_.clusters[k].members.end());
      for (const std::size_t subsystem : proposal_.clusters[k].members)
        if (auto setting = solve_setting(subsystem, period(levels[k]), choice.cheap[k], proposal_.clusters[k].kind))
          solve.push_back(std::move(*setting));
    }
    for (auto& [level, subsystems] : members) {
      SyncSetting group;
      group.period_ns = period(level);
      std::string name = duration_text(group.period_ns);
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == ' ' || c == '.'; }, '_');
      group.name = "sync_" + name;
      group.order = 1;
      if (!sync.empty()) group.members.push_back(sync.back().name);
      std::sort(subsystems.begin(), subsystems.end());
      for (const std::size_t subsystem : subsystems) group.members.push_back(dae_.subsystems[subsystem].name);
      sync.push_back(std::move(group));
    }
  }

  std::optional<SolveSetting> solve_setting(std::size_t subsystem, std::int64_t period_ns, bool cheap,
                                            Cluster::Kind kind) const {
    if (kind == Cluster::Kind::control) return std::nullopt;
    const PlanSubsystem& planned = plan_.subsystems[subsystem];
    SolveSetting setting;
    setting.pattern = planned.name;
    setting.newton_iterations = planned.newton_iterations;
    if (kind == Cluster::Kind::switched) {
      setting.step_ns = planned.step_ns;
      if (planned.sampled_edges) setting.edges = EdgeTreatment::sampled;
    } else if (const auto choice = method_of(subsystem, period_ns, cheap)) {
      setting.method = std::string(choice->method->name);
      setting.step_ns = choice->step_ns;
    }
    return setting;
  }

  std::optional<Plan> arrange(const Choice& choice, std::string& problem) {
    planned_.solve.clear(), planned_.sync.clear();
    settings_of(choice, planned_.solve, planned_.sync);
    return arranged(problem);
  }

  std::optional<Plan> arranged(std::string& problem) {
    Diagnostics findings;
    Plan plan = arrange_plan(planned_, dae_, {.spectra = spectra_}, findings);
    for (const Diagnostic& finding : findings.all())
      if (finding.severity == Severity::error) {
        problem = finding.code + ": " + finding.message;
        return std::nullopt;
      }
    return plan;
  }

  Alternative tried(std::string name, std::optional<Plan> plan, const std::string& problem) {
    Alternative alternative{.name = std::move(name), .plan = {}, .worst = {}, .refused = problem};
    if (!plan) return alternative;
    alternative.plan = std::move(*plan);
    alternative.cost = cost_of(alternative.plan, network_, dae_, spectra_);
    const TrialError error = difference(try_plan(alternative.plan, network_, dae_, runs_), truth_, runs_);
    alternative.error = error.nrms;
    alternative.worst = network_.graph().symbol(runs_.watched[error.worst]).path;
    return alternative;
  }

  Alternative evaluate(const Choice& choice, const std::string& name) {
    say(name);
    std::string problem;
    std::optional<Plan> plan = arrange(choice, problem);
    return tried(name, std::move(plan), problem);
  }

  Alternative evaluate_given() {
    planned_.solve = network_.solve, planned_.sync = network_.sync;
    std::string problem;
    say("as it is");
    return tried("as it is", arranged(problem), problem);
  }

  [[nodiscard]] bool serves(const Alternative& alternative, double share = 1.0) const {
    return alternative.refused.empty() && alternative.error <= share * options_.error;
  }

  // --- the search
  /// The longest time for all that leaves room in the error.
  std::optional<Choice> uniform() {
    const std::size_t count = proposal_.clusters.size();
    Choice choice{std::vector<int>(count, highest_level_), std::vector<bool>(count, false)};
    for (int level = highest_level_; level >= lowest_level_; --level) {
      choice.level.assign(count, level);
      best_ = evaluate(choice, "all every " + duration_text(period(level)));
      tried_ += "\n  " + best_.name + ": " +
                (best_.refused.empty() ? "error " + three_digits(best_.error) + " in " + best_.worst : best_.refused);
      if (!serves(best_, room)) continue;
      if (level == reference_.level.front()) break;
      return choice;
    }
    return std::nullopt;
  }

  /// Clusters in the order of their cost, the dearest first.
  [[nodiscard]] std::vector<std::size_t> dearest_first(const Choice& choice) const {
    std::vector<std::pair<double, std::size_t>> costs;
    const std::vector<int> levels = levels_of(choice);
    for (std::size_t k = 0; k < proposal_.clusters.size(); ++k) {
      if (proposal_.clusters[k].kind != Cluster::Kind::smooth) continue;
      double cost = 0.0;
      for (const std::size_t subsystem : proposal_.clusters[k].members)
        if (const auto found = method_of(subsystem, period(levels[k]), choice.cheap[k])) cost += found->cost;
      costs.emplace_back(-cost, k);
    }
    std::sort(costs.begin(), costs.end());
    std::vector<std::size_t> order;
    for (const auto& [cost, k] : costs) order.push_back(k);
    return order;
  }

  bool take_if_better(Choice& choice, const Choice& candidate, const std::string& name) {
    Alternative tried = evaluate(candidate, name);
    if (!serves(tried) || tried.cost >= best_.cost) return false;
    best_ = std::move(tried);
    choice = candidate;
    return true;
  }

  void cheaper_methods(Choice& choice) {
    for (const std::size_t k : dearest_first(choice)) {
      if (choice.cheap[k]) continue;
      Choice candidate = choice;
      candidate.cheap[k] = true;
      take_if_better(choice, candidate, "cheaper method for " + name_of(k));
    }
  }

  bool longer_times(Choice& choice) {
    bool any = false;
    for (const std::size_t k : dearest_first(choice)) {
      Choice candidate = choice;
      if (++candidate.level[k] > highest_level_) continue;
      const std::vector<int> levels = levels_of(candidate);
      if (std::set<int>(levels.begin(), levels.end()).size() > most_groups) continue;
      any =
          take_if_better(choice, candidate, name_of(k) + " every " + duration_text(period(candidate.level[k]))) || any;
    }
    return any;
  }

  void finish(const Choice& choice) {
    best_.name = "proposal";
    settings_of(choice, proposal_.solve, proposal_.sync);
    // Looked at last, since it takes a while: whether the couplings as they are now are stable.
    planned_.solve = proposal_.solve, planned_.sync = proposal_.sync;
    Diagnostics findings;
    best_.plan = make_plan(planned_, dae_, range_, findings);
    for (const Diagnostic& finding : findings.all())
      if (finding.severity == Severity::error) best_.refused = finding.code + ": " + finding.message;
    proposal_.alternatives.push_back(std::move(best_));
  }

  [[nodiscard]] const std::string& name_of(std::size_t cluster) const {
    return dae_.subsystems[proposal_.clusters[cluster].members.front()].name;
  }
  void say(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }

  const Network& network_;
  const DaeResult& dae_;
  const Plan& plan_;
  const OperatingRange& range_;
  const ProposalOptions& options_;
  const std::vector<Spectrum> spectra_;
  Network planned_;  ///< the network with the settings that are tried
  Proposal proposal_;
  std::int64_t base_ns_ = 0;
  int lowest_level_ = lowest_level, highest_level_ = 0;
  Choice reference_;
  mutable std::map<std::tuple<std::size_t, std::int64_t, bool>, std::optional<Candidate>> methods_;
  Trial truth_;
  TrialRuns runs_;
  Alternative best_;
  std::string tried_;  // for the message where nothing serves
};

}  // namespace

Proposal propose(const PlantEquations& plant, const Plan& plan, const OperatingRange& range,
                 const ProposalOptions& options) {
  return Search(plant, plan, range, options).run();
}

}  // namespace takt::codegen
