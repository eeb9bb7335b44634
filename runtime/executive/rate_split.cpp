#include "runtime/executive/rate_split.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace takt {
namespace {

constexpr double least_share = 0.1;  // of the shortest time between releases: a switch of threads costs some us

/// By subsystem: the shortest time of those it exchanges with at lag 0, directly or not.
std::vector<std::int64_t> rates_of(const PlantDescription& plant) {
  std::vector<std::size_t> parent(plant.subsystems.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t item) {
    while (parent[item] != item) item = parent[item] = parent[parent[item]];
    return item;
  };
  for (const ExchangePlan& exchange : plant.exchanges)
    if (exchange.lag == 0) parent[root(exchange.producer)] = root(exchange.consumer);
  std::map<std::size_t, std::int64_t> shortest;
  for (std::size_t s = 0; s < parent.size(); ++s) {
    const auto [rate, is_new] = shortest.try_emplace(root(s), plant.subsystems[s].period_ns);
    rate->second = std::min(rate->second, plant.subsystems[s].period_ns);
  }
  std::vector<std::int64_t> rates(parent.size());
  for (std::size_t s = 0; s < parent.size(); ++s) rates[s] = shortest[root(s)];
  return rates;
}

}  // namespace

std::vector<std::size_t> foreign_alone(const PlantDescription& plant) {
  std::vector<std::size_t> alone;
  for (std::size_t s = 0; s < plant.subsystems.size(); ++s) {
    const bool waits = std::any_of(plant.exchanges.begin(), plant.exchanges.end(), [&](const ExchangePlan& exchange) {
      return exchange.lag == 0 && (exchange.producer == s || exchange.consumer == s);
    });
    if (plant.subsystems[s].foreign && !waits) alone.push_back(s);
  }
  return alone;
}

bool has_slower_parts(const PlantDescription& plant) {
  if (!foreign_alone(plant).empty()) return true;
  const std::vector<std::int64_t> rates = rates_of(plant);
  return std::any_of(rates.begin(), rates.end(), [&](std::int64_t rate) { return rate != rates.front(); });
}

RateSplit split_by_rate(const PlantDescription& plant, const Placement& cores, std::span<const double> costs) {
  const std::vector<std::int64_t> rates = rates_of(plant);
  const std::size_t count = cores.empty() ? 0 : std::size_t{1} + *std::max_element(cores.begin(), cores.end());
  RateSplit split{.placement = cores, .core_of = {}, .below = {}};
  for (std::size_t core = 0; core < count; ++core) split.core_of.push_back(core), split.below.push_back(0);
  std::vector<bool> apart(cores.size(), false);
  for (const std::size_t s : foreign_alone(plant)) apart[s] = true;
  for (std::size_t core = 0; core < count; ++core) {
    std::map<std::int64_t, double> longest;  // what one release can hold up, by rate
    for (std::size_t s = 0; s < cores.size(); ++s)
      if (cores[s] == core && !apart[s]) longest[rates[s]] += costs[s];
    if (longest.empty()) {  // it waits for other processes all the time: for one of them the thread that leads
      for (std::size_t s = 0; s < cores.size() && longest.empty(); ++s)
        if (cores[s] == core) apart[s] = false, longest[rates[s]] = costs[s];
    }
    const double shortest_s = static_cast<double>(longest.begin()->first) * 1e-9;
    int below = 0;
    for (auto rate = std::next(longest.begin()); rate != longest.end(); ++rate) {
      if (rate->second < least_share * shortest_s) continue;
      const auto worker = static_cast<std::uint16_t>(split.core_of.size());
      split.core_of.push_back(core), split.below.push_back(++below);
      for (std::size_t s = 0; s < cores.size(); ++s)
        if (cores[s] == core && !apart[s] && rates[s] == rate->first) split.placement[s] = worker;
    }
    ++below;
    for (std::size_t s = 0; s < cores.size(); ++s) {
      if (cores[s] != core || !apart[s]) continue;
      split.placement[s] = static_cast<std::uint16_t>(split.core_of.size());
      split.core_of.push_back(core), split.below.push_back(below);
    }
  }
  return split;
}

}  // namespace takt
