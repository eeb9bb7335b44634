#include "runtime/executive/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace takt {
namespace {

constexpr std::size_t most_slots = 20'000;  // looked at
constexpr double most_evaluated = 20e6;     // slots, in the search: about a tenth of a second
constexpr int turns = 4;                    // macro-steps that are followed
constexpr std::uint16_t nobody = 0xffff;

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t item) {
  while (parent[item] != item) item = parent[item] = parent[parent[item]];
  return item;
}

/// Numbers without gaps; who has most windows leads, as the leader opens every release.
void renumber(Placement& placement, const std::vector<std::uint16_t>& subsystem_of) {
  std::map<std::uint16_t, std::size_t> slots;
  for (const std::uint16_t worker : placement) slots[worker];
  for (const std::uint16_t subsystem : subsystem_of) ++slots[placement[subsystem]];
  std::vector<std::uint16_t> order;
  for (const auto& [worker, count] : slots) order.push_back(worker);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return slots[a] > slots[b]; });
  for (std::uint16_t& worker : placement)
    worker = static_cast<std::uint16_t>(std::find(order.begin(), order.end(), worker) - order.begin());
}

}  // namespace

PlacementSearch::PlacementSearch(const PlantDescription& plant, const Schedule& schedule, std::span<const double> costs,
                                 const Crossing& crossing)
    : crossing_(crossing), costs_(costs.begin(), costs.end()), parts_(plant.subsystems.size()) {
  const std::size_t count = std::min(schedule.slots().size(), most_slots);
  for (std::size_t i = 0; i < count; ++i) subsystem_of_.push_back(schedule.slots()[i].subsystem);
  scale_ = static_cast<double>(schedule.slots().size()) / static_cast<double>(count);
  needs_.resize(count);
  const bool whole = count == schedule.slots().size();
  for (const Precedence& p : precedences(plant, schedule))
    if (p.carries_values && p.before < count && p.after < count && (p.earlier == 0 || whole))
      needs_[p.after].push_back({p.before, p.earlier});
  std::iota(parts_.begin(), parts_.end(), std::size_t{0});
  for (const ExchangePlan& exchange : plant.exchanges)
    parts_[root_of(parts_, exchange.producer)] = root_of(parts_, exchange.consumer);
  for (std::size_t& part : parts_) part = root_of(parts_, part);
  std::set<std::pair<std::uint16_t, std::uint16_t>> pairs;
  for (const ExchangePlan& exchange : plant.exchanges)
    if (exchange.producer != exchange.consumer) pairs.emplace(exchange.producer, exchange.consumer);
  pairs_.assign(pairs.begin(), pairs.end());
}

/// Of the windows with their messages.
std::vector<double> PlacementSearch::costs_in(const Placement& placement) const {
  std::vector<double> costs = costs_;
  for (const auto& [from, to] : pairs_)
    if (placement[from] != placement[to]) costs[from] += crossing_.message_s, costs[to] += crossing_.message_s;
  return costs;
}

double PlacementSearch::time_of(const Placement& placement, bool with_exchange) const {
  const double exchange = with_exchange ? crossing_.journey_s : 0.0;
  const std::vector<double> costs = with_exchange ? costs_in(placement) : costs_;
  const std::size_t workers = std::size_t{1} + *std::max_element(placement.begin(), placement.end());
  std::vector<double> free_at(workers, 0.0), ended(needs_.size(), 0.0), ended_before(needs_.size(), 0.0);
  double first = 0.0, last = 0.0;
  for (int turn = 0; turn < turns; ++turn) {
    ended.swap(ended_before);
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      const std::uint16_t subsystem = subsystem_of_[i], worker = placement[subsystem];
      double ready = free_at[worker];
      for (const Need& need : needs_[i]) {
        if (need.earlier > 1 || (need.earlier == 1 && turn == 0)) continue;
        const bool here = placement[subsystem_of_[need.slot]] == worker;
        const double value = need.earlier == 0 ? ended[need.slot] : ended_before[need.slot];
        ready = std::max(ready, value + (here ? 0.0 : exchange));
      }
      ended[i] = free_at[worker] = ready + costs[subsystem];
    }
    last = *std::max_element(free_at.begin(), free_at.end());
    if (turn == 0) first = last;
  }
  return scale_ * std::max((last - first) / (turns - 1), last / turns);
}

/// What exchanges nothing with the rest stays together; the heaviest first, to whoever has least.
Placement PlacementSearch::by_parts(std::size_t cores) const {
  std::map<std::size_t, double> weight;
  for (const std::uint16_t subsystem : subsystem_of_) weight[parts_[subsystem]] += costs_[subsystem];
  std::vector<std::pair<double, std::size_t>> order;
  for (const auto& [part, cost] : weight) order.emplace_back(-cost, part);
  std::sort(order.begin(), order.end());
  std::vector<double> load(cores, 0.0);
  std::map<std::size_t, std::uint16_t> chosen;
  for (const auto& [cost, part] : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least -= cost;
    chosen[part] = static_cast<std::uint16_t>(least - load.begin());
  }
  Placement placement(parts_.size(), 0);
  for (std::size_t s = 0; s < parts_.size(); ++s)
    if (const auto found = chosen.find(parts_[s]); found != chosen.end()) placement[s] = found->second;
  return placement;
}

/// In the order of the schedule, each to the worker on which it ends first.
Placement PlacementSearch::by_order(std::size_t cores) const {
  Placement placement(parts_.size(), nobody);
  std::vector<double> free_at(cores, 0.0), ended(needs_.size(), 0.0);
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    const std::uint16_t subsystem = subsystem_of_[i];
    const auto ready_on = [&](std::size_t worker) {
      double ready = free_at[worker];
      for (const Need& need : needs_[i])
        if (need.earlier == 0)
          ready = std::max(
              ready, ended[need.slot] + (placement[subsystem_of_[need.slot]] == worker ? 0.0 : crossing_.journey_s));
      return ready;
    };
    if (placement[subsystem] == nobody) {
      std::size_t best = 0;
      for (std::size_t worker = 1; worker < cores; ++worker)
        if (ready_on(worker) < ready_on(best)) best = worker;
      placement[subsystem] = static_cast<std::uint16_t>(best);
    }
    const std::uint16_t worker = placement[subsystem];
    ended[i] = free_at[worker] = ready_on(worker) + costs_[subsystem];
  }
  std::replace(placement.begin(), placement.end(), nobody, std::uint16_t{0});
  return placement;
}

/// One subsystem at a time to another worker, or two change places, as long as it helps.
void PlacementSearch::improve(Placement& placement, double& time, std::size_t cores) const {
  double left = most_evaluated;
  const auto try_it = [&](Placement other) {
    left -= static_cast<double>(turns) * static_cast<double>(needs_.size());
    const double now = time_of(other);
    if (now > time * 0.999) return false;
    placement = std::move(other), time = now;
    return true;
  };
  const double enough = 1.01 * rate(placement).concurrency.bound(cores);
  for (bool better = true; better && left > 0.0 && time > enough;) {
    better = false;
    for (std::size_t s = 0; s < placement.size() && left > 0.0 && time > enough; ++s) {
      for (std::uint16_t worker = 0; worker < cores; ++worker) {
        Placement other = placement;
        if (other[s] == worker) continue;
        other[s] = worker;
        better = try_it(std::move(other)) || better;
      }
    }
    for (std::size_t a = 0; a < placement.size() && !better && left > 0.0; ++a) {
      for (std::size_t b = a + 1; b < placement.size() && left > 0.0 && time > enough; ++b) {
        if (placement[a] == placement[b]) continue;
        Placement other = placement;
        std::swap(other[a], other[b]);
        better = try_it(std::move(other)) || better;
      }
    }
  }
}

PlacementResult PlacementSearch::rate(const Placement& placement) const {
  PlacementResult result{.placement = placement, .concurrency = {}};
  result.workers = std::size_t{1} + *std::max_element(placement.begin(), placement.end());
  for (const std::uint16_t subsystem : subsystem_of_) result.concurrency.work += scale_ * costs_[subsystem];
  Placement apart(placement.size());
  std::iota(apart.begin(), apart.end(), std::uint16_t{0});
  result.concurrency.critical_path = time_of(apart, false);
  result.concurrency.reached = time_of(placement);
  return result;
}

PlacementResult PlacementSearch::place(std::size_t cores) const {
  const Placement one(parts_.size(), 0);
  PlacementResult alone = rate(one);
  if (cores < 2 || parts_.size() < 2) return alone;
  PlacementResult best = spread(cores);
  return best.concurrency.reached > (1.0 - least_gain) * alone.concurrency.reached ? alone : best;
}

PlacementResult PlacementSearch::spread(std::size_t cores) const {
  Placement best = by_parts(cores);
  double time = time_of(best);
  if (Placement other = by_order(cores); time_of(other) < time) {
    time = time_of(other);
    best = std::move(other);
  }
  improve(best, time, cores);
  renumber(best, subsystem_of_);
  return rate(best);
}

}  // namespace takt
