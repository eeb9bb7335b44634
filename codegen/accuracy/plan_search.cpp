#include "codegen/accuracy/plan_search.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/accuracy/plan_estimate.hpp"

namespace takt::codegen {
namespace {

constexpr double room = 0.7;  // of the error asked for: the finest plan has some, too
constexpr double halved = 0.5, shortest_at_once = 0.1;
constexpr int most_rounds = 8;
constexpr double worth_it = 0.97;  // of the work: less is not saved

class Search {
 public:
  Search(const PlantEquations& plant, const Plan& plan, const TryPlans& try_plans,
         const SearchOptions& options)
      : space_(plant, plan), try_(try_plans), options_(options) {}

  PlanSearch run() {
    found_.times = space_.fitted(space_.times());
    found_.given_work = space_.work(found_.times);
    PlanTimes now = found_.times;
    std::pair<bool, double> nearest{
        true, HUGE_VAL};  // a plan that the audit finds fault with is farther than all others
    for (found_.rounds = 1; found_.rounds <= most_rounds; ++found_.rounds) {
      if (!look(now)) return std::move(found_);
      if (found_.rounds == 1) found_.given = now_;
      const bool fails = !now_.verdict.empty();
      const std::pair off{fails, fails && !now_.converges ? HUGE_VAL : now_.error};
      if (found_.rounds == 1 || off < nearest) take(now), nearest = off;
      if (met()) break;
      const PlanTimes next = shortened(now);
      if (next == now) break;  // nothing to shorten
      now = next;
    }
    const PlanSearch short_times = found_;
    if (options_.may_lengthen && is_met(found_.found)) lengthen();
    look_further();
    if (!(found_.times == short_times.times) && !shows_all(found_.found)) {
      found_ = short_times;  // what comes later might need them
      look_further();
    }
    found_.met = is_met(found_.found) && found_.found.covered_s >= least_seen * options_.duration_s;
    found_.found_work = space_.work(found_.times);
    return std::move(found_);
  }

 private:
  void say(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }

  std::optional<TrialAnswer> tried(const std::vector<PlanTimes>& plans) {
    TrialAnswer answer = try_(plans, duration_of(space_, plans, options_));
    found_.problem = answer.problem;
    if (answer.problem.empty() && answer.covered_s <= 0.0)
      found_.problem = "a run over a few of its longest times would take too long";
    if (!found_.problem.empty()) return std::nullopt;
    return answer;
  }

  /// The error of these times, and the share of each.
  bool look(const PlanTimes& times) {
    say("round " + std::to_string(found_.rounds));
    std::vector<PlanTimes> plans{times};
    std::vector<const FreeTime*> looked_at;
    for (const FreeTime& time : space_.free()) {
      plans.push_back(space_.moved(times, time, halved));
      looked_at.push_back(&time);
    }
    plans.push_back(space_.divided(times, finer));
    plans.push_back(space_.divided(times, finest));
    const auto answer = tried(plans);
    if (!answer) return false;
    now_ = estimate_of(*answer, 0, plans.size() - 2, options_.error);
    shares_.clear();
    for (std::size_t k = 0; k < looked_at.size(); ++k) {
      const double left = std::pow(halved, looked_at[k]->order);
      shares_.push_back({*looked_at[k], worst_of(answer->to_first[k + 1]).error / (1.0 - left)});
    }
    return true;
  }

  [[nodiscard]] bool shows_all(const PlanEstimate& estimate) const {
    constexpr double all = 0.999;
    return is_met(estimate) && estimate.covered_s >= all * options_.duration_s;
  }
  [[nodiscard]] bool is_met(const PlanEstimate& estimate) const {
    return codegen::is_met(estimate, options_);
  }
  [[nodiscard]] bool met() const { return is_met(now_) && now_.error <= room * options_.error; }

  void take(const PlanTimes& times) {
    found_.times = times;
    found_.found = now_;
    found_.shares = shares_;
    std::stable_sort(
        found_.shares.begin(), found_.shares.end(),
        [](const ShareOfError& a, const ShareOfError& b) { return a.share > b.share; });
  }

  /// What diverges may be far from what does not.
  [[nodiscard]] static double for_error(double error, double wanted, const FreeTime& time) {
    return std::max(shortest_at_once, std::pow(wanted / error, 1.0 / time.order));
  }

  /// Times whose shares are too large, so that they are not; all of them where no share explains
  /// the error.
  [[nodiscard]] PlanTimes shortened(const PlanTimes& times) const {
    double sum = 0.0;
    std::size_t many = 0;
    for (const ShareOfError& share : shares_) {
      if (!(share.share <= HUGE_VAL)) continue;
      sum += std::min(share.share, 1.0);
      if (share.share > 0.1 * options_.error) ++many;
    }
    const double allowed =
        0.5 * room * options_.error / static_cast<double>(std::max<std::size_t>(1, many));
    PlanTimes next = times;
    const bool all = !std::isfinite(now_.error) || !now_.verdict.empty() ||
                     sum < 0.3 * std::min(now_.error, 1.0);
    for (const ShareOfError& share : shares_) {
      double factor = 1.0;
      if (all)  // how far an error that does not converge is from what does, it does not tell
        factor = now_.converges || !std::isfinite(now_.error)
                     ? std::min(halved, for_error(now_.error, room * options_.error, share.time))
                     : halved;
      else if (share.share > allowed)
        factor = for_error(share.share, allowed, share.time);
      if (factor < 1.0) PlanTimesSpace::scale(next, share.time, factor);
    }
    return space_.fitted(std::move(next));
  }

  /// The last estimate, over more of the time: what happens late may need shorter times.
  void look_further() {
    constexpr int most = 3;
    SearchOptions longer = options_;
    longer.work = options_.last_work;
    constexpr double all = 0.999;
    if (found_.found.covered_s >= all * options_.duration_s) return;
    for (int pass = 0; pass < most; ++pass) {
      say("a last estimate");
      const PlanEstimate late = estimate(space_, found_.times, try_, longer);
      if (!late.problem.empty() || late.covered_s <= found_.found.covered_s) return;
      const double growth = late.error / std::max(found_.found.error, 1e-300);
      found_.found = late;
      if (is_met(late) || pass + 1 == most) return;
      const PlanTimes next = shortened_for(late, growth);
      if (next == found_.times) return;
      found_.times = next;
      found_.shares.clear(), found_.found.covered_s = 0.0;  // they were of other times
    }
  }

  /// Shares of a time in which much less happened say nothing about what came later.
  [[nodiscard]] PlanTimes shortened_for(const PlanEstimate& late, double growth) {
    constexpr double much = 10.0;
    now_ = late;
    shares_ = found_.shares;
    if (growth <= much) {
      for (ShareOfError& share : shares_) share.share *= std::max(1.0, growth);
      return shortened(found_.times);
    }
    const bool known =
        late.verdict.empty() && std::isfinite(late.error) && late.error > options_.error;
    PlanTimes next = found_.times;
    for (const FreeTime& time : space_.free()) {
      const double wanted =
          known ? std::pow(room * options_.error / late.error, 1.0 / time.order) : halved;
      PlanTimesSpace::scale(next, time, std::max(shortest_at_once, wanted));
    }
    return space_.fitted(std::move(next));
  }

  /// A time that might be longer, and what that loses and saves.
  struct Offer {
    const FreeTime* time = nullptr;
    double factor = 1.0, loss = 0.0, saving = 0.0;
  };

  /// What costs work and no accuracy.
  void lengthen() {
    for (int pass = 0; pass < most_rounds; ++pass) {
      ++found_.rounds;
      const PlanTimes base = found_.times;
      const PlanTimes next = accepted(offers(base), base);
      if (!(space_.work(next) < worth_it * space_.work(base)) || !look(next) || !met()) break;
      take(next);
    }
    found_.problem.clear();
  }

  std::vector<Offer> offers(const PlanTimes& base) {
    std::vector<PlanTimes> plans{base};
    std::vector<Offer> list;
    for (const FreeTime& time : space_.free())
      for (const double factor : {2.0, 10.0}) {
        PlanTimes longer = space_.moved(base, time, factor);
        const double saving = space_.work(base) - space_.work(longer);
        if (saving <= 0.0 || plans.back() == longer) continue;
        list.push_back({&time, factor, 0.0, saving});
        plans.push_back(std::move(longer));
      }
    if (list.empty()) return list;
    plans.push_back(base);
    const auto answer = tried(plans);
    if (!answer) return {};
    for (std::size_t k = 0; k < list.size(); ++k)
      list[k].loss =
          is_refused(*answer, k + 1) ? HUGE_VAL : worst_of(answer->to_first[k + 1]).error;
    return list;
  }

  /// As many as the error leaves room for, those first that save most for what they lose.
  [[nodiscard]] PlanTimes accepted(std::vector<Offer> list, PlanTimes times) const {
    std::erase_if(list, [](const Offer& offer) { return !std::isfinite(offer.loss); });
    std::sort(list.begin(), list.end(),
              [](const Offer& a, const Offer& b) { return a.loss * b.saving < b.loss * a.saving; });
    double error = found_.found.error;
    std::vector<const FreeTime*> moved;
    for (const Offer& offer : list) {
      if (std::find(moved.begin(), moved.end(), offer.time) != moved.end()) continue;
      if (error + offer.loss > room * options_.error) continue;
      error += offer.loss;
      PlanTimesSpace::scale(times, *offer.time, offer.factor);
      moved.push_back(offer.time);
    }
    return space_.fitted(std::move(times));
  }

  PlanTimesSpace space_;
  const TryPlans& try_;
  const SearchOptions& options_;
  PlanSearch found_;
  PlanEstimate now_;
  std::vector<ShareOfError> shares_;
};

/// A refused plan with all its times shorter, or the one that was there before the search: what the
/// generator takes.
PlanSearch next_best(const PlanTimesSpace& space, PlanSearch found, const TryPlans& try_plans,
                     const SearchOptions& options) {
  std::vector<PlanTimes> others;
  for (const std::int64_t divisor : {2, 4, 10})
    others.push_back(space.divided(found.times, divisor));
  others.push_back(space.fitted(space.times()));
  const auto taken = std::find_if(others.begin(), others.end(), options.accepts);
  if (taken == others.end()) {
    found.problem = "the plan that trials find is refused, and so are those beside it";
    return found;
  }
  found.times = *taken;
  found.shares.clear();  // they were of other times
  found.found = estimate(space, found.times, try_plans, options);
  found.problem = found.found.problem;
  found.met =
      is_met(found.found, options) && found.found.covered_s >= least_seen * options.duration_s;
  found.found_work = space.work(found.times);
  return found;
}

/// Logarithms: how much error for how much work.
double worth(const PlanMove& move, double error, double work) {
  return std::log(move.error / error) / std::log(work / move.work);
}

}  // namespace

PlanSearch search_times(const PlantEquations& plant, const Plan& plan, const TryPlans& try_plans,
                        const SearchOptions& options) {
  PlanSearch found = Search(plant, plan, try_plans, options).run();
  const auto settled = [&options](const PlanSearch& search) {
    return !search.problem.empty() || !options.accepts || options.accepts(search.times);
  };
  if (settled(found)) return found;
  SearchOptions only_shorter = options;
  only_shorter.may_lengthen = false;
  if (options.may_lengthen) found = Search(plant, plan, try_plans, only_shorter).run();
  return settled(found)
             ? found
             : next_best(PlanTimesSpace(plant, plan), std::move(found), try_plans, options);
}

NextPlans next_plans(const PlanTimesSpace& space, const PlanTimes& times, const PlanEstimate& found,
                     const TryPlans& try_plans, const SearchOptions& options) {
  std::vector<PlanTimes> plans{times};
  std::vector<PlanMove> moves;
  for (const FreeTime& time : space.free())
    for (const double factor : {2.0, 0.5}) {
      PlanTimes moved = space.moved(times, time, factor);
      if (moved == times || moved == plans.back()) continue;
      moves.push_back({time, factor, 0.0, space.work(moved)});
      plans.push_back(std::move(moved));
    }
  plans.push_back(space.divided(times, finest));
  NextPlans next;
  if (moves.empty()) return next;
  const TrialAnswer answer = try_plans(plans, duration_of(space, plans, options));
  if (!answer.problem.empty() || answer.covered_s <= 0.0) return next;
  const double here = worst_of(answer.to_last.front()).error, work = space.work(times);
  if (!(here > 0.0) || !std::isfinite(here)) return next;
  for (std::size_t k = 0; k < moves.size(); ++k) {
    PlanMove& move = moves[k];
    const double there = worst_of(answer.to_last[k + 1]).error;
    if (is_refused(answer, k + 1) || !(there > 0.0) || !std::isfinite(there)) continue;
    move.error = found.error * there / here;  // it saw as much of the time as there was work for
    const bool less_work = move.work < worth_it * work,
               less_error = move.error < worth_it * found.error;
    const auto better = [&](const std::optional<PlanMove>& best, double sign) {
      return !best ||
             sign * worth(move, found.error, work) < sign * worth(*best, found.error, work);
    };
    if (less_work && better(next.cheaper, 1.0)) next.cheaper = move;
    if (less_error && move.work > work && better(next.finer, -1.0)) next.finer = move;
  }
  return next;
}

}  // namespace takt::codegen
