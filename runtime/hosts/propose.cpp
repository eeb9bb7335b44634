#include "runtime/hosts/propose.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "runtime/plant/schedule.hpp"
#include "runtime/stats/format.hpp"

namespace takt::hosts {
namespace {

constexpr double slack = 0.1;       // of the mean, that a host may have more
constexpr double message_s = 1e-6;  // computing time of what crosses
constexpr std::size_t most_starts = 200, most_turns = 50;

/// By subsystem: whom it is coupled with, and how much a cut between them counts.
std::vector<std::map<std::uint16_t, double>> neighbours_in(const PlantDescription& plant) {
  std::vector<std::map<std::uint16_t, double>> neighbours(plant.subsystems.size());
  for (const ExchangePlan& exchange : plant.exchanges) {
    if (exchange.producer == exchange.consumer) continue;
    const std::int64_t h = exchange.period_ns > 0 ? exchange.period_ns : plant.macro_step_ns;
    const double often = static_cast<double>(plant.macro_step_ns) / static_cast<double>(h);
    const double weight = exchange.lag == 0 ? 2.0 * often : often;
    neighbours[exchange.producer][exchange.consumer] += weight;
    neighbours[exchange.consumer][exchange.producer] += weight;
  }
  return neighbours;
}

class Sharing {
 public:
  Sharing(const PlantDescription& plant, std::span<const double> work, std::size_t hosts)
      : work_(work),
        hosts_(hosts),
        neighbours_(neighbours_in(plant)),
        mean_(std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(hosts)) {}

  Placement best() {
    Placement best;
    std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0.0};
    for (std::uint16_t start = 0; start < std::min(work_.size(), most_starts); ++start) {
      Placement placement = grown_from(start);
      improve(placement);
      const std::pair now{excess(placement), cut(placement)};
      if (now < least) least = now, best = std::move(placement);
    }
    return best;
  }

 private:
  [[nodiscard]] std::vector<double> loads(const Placement& placement) const {
    std::vector<double> loads(hosts_);
    for (std::size_t s = 0; s < placement.size(); ++s) loads[placement[s]] += work_[s];
    return loads;
  }
  /// What the busiest has beyond the slack; an empty host makes a placement the worst.
  [[nodiscard]] double excess(const Placement& placement) const {
    if (std::set<std::uint16_t>(placement.begin(), placement.end()).size() < hosts_)
      return std::numeric_limits<double>::max();
    const std::vector<double> all = loads(placement);
    return std::max(0.0, *std::max_element(all.begin(), all.end()) - (1.0 + slack) * mean_);
  }
  [[nodiscard]] double cut(const Placement& placement) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < placement.size(); ++s)
      for (const auto& [other, weight] : neighbours_[s])
        if (placement[s] != placement[other]) sum += weight;
    return sum;
  }
  /// Along the couplings, host by host; what is coupled with nothing comes where there is room.
  [[nodiscard]] Placement grown_from(std::uint16_t start) const {
    Placement placement(work_.size(), 0);
    std::vector<bool> seen(work_.size());
    std::deque<std::uint16_t> next{start};
    seen[start] = true;
    double load = 0.0;
    std::size_t host = 0, left = work_.size();
    for (std::size_t rest = 0; left > 0;) {
      while (next.empty()) {
        if (!seen[rest]) seen[rest] = true, next.push_back(static_cast<std::uint16_t>(rest));
        ++rest;
      }
      const std::uint16_t s = next.front();
      next.pop_front();
      const bool full = load + work_[s] / 2.0 > mean_ || left <= hosts_ - host - 1;
      if (full && host + 1 < hosts_ && load > 0.0) ++host, load = 0.0;
      placement[s] = static_cast<std::uint16_t>(host);
      load += work_[s], --left;
      for (const auto& [other, weight] : neighbours_[s])
        if (!seen[other]) seen[other] = true, next.push_back(other);
    }
    return placement;
  }
  void improve(Placement& placement) const {
    std::vector<double> all = loads(placement);
    const auto fits = [&](std::size_t s, std::size_t to) {
      const double busiest = *std::max_element(all.begin(), all.end());
      return all[to] + work_[s] <= std::max((1.0 + slack) * mean_, 0.999 * busiest);
    };
    for (std::size_t turn = 0, moved = 1; turn < most_turns && moved > 0; ++turn) {
      moved = 0;
      for (std::size_t s = 0; s < placement.size(); ++s) {
        std::vector<double> near(hosts_);
        for (const auto& [other, weight] : neighbours_[s]) near[placement[other]] += weight;
        const std::size_t from = placement[s];
        std::size_t best = from;
        const bool heavy = all[from] > (1.0 + slack) * mean_;
        for (std::size_t to = 0; to < hosts_; ++to)
          if (to != from && fits(s, to) &&
              (heavy ? all[to] + work_[s] < all[from] && best == from : near[to] > near[best]))
            best = to;
        const bool alone = std::count(placement.begin(), placement.end(), static_cast<std::uint16_t>(from)) == 1;
        if (best == from || alone) continue;
        all[from] -= work_[s], all[best] += work_[s];
        placement[s] = static_cast<std::uint16_t>(best);
        ++moved;
      }
    }
  }

  std::span<const double> work_;
  std::size_t hosts_;
  std::vector<std::map<std::uint16_t, double>> neighbours_;
  double mean_;
};

std::string tables(const PlantDescription& plant, const Placement& placement, std::size_t hosts) {
  std::string text;
  for (std::size_t host = 0; host < hosts; ++host) {
    text += "[host." + (host == 0 ? std::string("lead") : "host_" + std::to_string(host + 1)) + "]\n" +
            "interface = \"lo\"  # of the network between the hosts\n";
    if (host == 0) continue;  // what is left
    std::string names;
    for (std::size_t s = 0; s < placement.size(); ++s)
      if (placement[s] == host) names += (names.empty() ? "\"" : ", \"") + std::string(plant.subsystems[s].name) + "\"";
    text += "computes = [" + names + "]\n";
  }
  return text;
}

}  // namespace

Cut cut_of(const PlantDescription& plant, std::span<const double> work, const Placement& placement) {
  Cut cut;
  for (const ExchangePlan& exchange : plant.exchanges) {
    if (placement[exchange.producer] == placement[exchange.consumer]) continue;
    const std::int64_t h = exchange.period_ns > 0 ? exchange.period_ns : plant.macro_step_ns;
    ++cut.couplings;
    cut.without_lag += exchange.lag == 0 ? 1 : 0;
    cut.shortest_ns = cut.shortest_ns == 0 ? h : std::min(cut.shortest_ns, h);
  }
  cut.shares.assign(std::size_t{1} + *std::max_element(placement.begin(), placement.end()), 0.0);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  for (std::size_t s = 0; s < placement.size(); ++s) cut.shares[placement[s]] += all > 0.0 ? work[s] / all : 0.0;
  return cut;
}

Placement share_evenly(const PlantDescription& plant, std::span<const double> work, std::size_t hosts) {
  return Sharing(plant, work, hosts).best();
}

std::string proposed_hosts(const PlantDescription& plant, std::span<const double> costs, const Wish& wish) {
  if (wish.hosts > plant.subsystems.size())
    throw std::runtime_error("the plant has " + std::to_string(plant.subsystems.size()) +
                             " subsystems: they are shared out among so many hosts at most");
  const Schedule schedule(plant);
  std::vector<double> work(costs.size());
  for (const Schedule::Slot& slot : schedule.slots()) work[slot.subsystem] += costs[slot.subsystem];
  const PlacementSearch search(plant, schedule, costs, {.journey_s = wish.round_trip_s / 2.0, .message_s = message_s});
  PlacementResult best = search.rate(share_evenly(plant, work, wish.hosts));
  if (PlacementResult other = search.spread(wish.hosts);
      other.workers == wish.hosts && other.concurrency.reached < best.concurrency.reached)
    best = std::move(other);
  const Cut cut = cut_of(plant, work, best.placement);
  const double alone = best.concurrency.work;
  const auto ms = [](double seconds) { return short_duration(seconds); };
  std::string text = "# measured here: a macro-step of " + ms(static_cast<double>(plant.macro_step_ns) * 1e-9) +
                     " takes " + ms(alone) + " of computing, its critical path " + ms(best.concurrency.critical_path) +
                     "\n";
  text += "# in lock-step with a round trip of " + ms(wish.round_trip_s) + ": " + ms(best.concurrency.reached) +
          " per macro-step on these hosts, " + ms(alone) + " on one" +
          (best.concurrency.reached < 0.95 * alone ? "" : ": one host is as fast, or faster") + "\n";
  text += "# shares of the work:";
  for (const double share : cut.shares) text += " " + formatted("%.0f %%", 100.0 * share);
  text += "; " + std::to_string(cut.couplings) + " of " + std::to_string(plant.exchanges.size()) +
          " couplings cross, " + std::to_string(cut.without_lag) + " of them without lag" +
          (cut.couplings > 0 ? ", the most frequent every " + ms(static_cast<double>(cut.shortest_ns) * 1e-9) : "") +
          "\n";
  return text + tables(plant, best.placement, wish.hosts);
}

}  // namespace takt::hosts
