#include "runtime/audit/refined_plan.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>

namespace takt {
namespace {

/// Not 2 at first: a source sampled at whole steps looks the same to halves of them more often than to fifths.
constexpr std::int64_t divisors[] = {5, 3, 7, 2, 4, 10};

bool is_discrete(const SubsystemDescription& s) { return std::string_view(s.method) == "discrete"; }

/// The micro-step in a window of this length; 0: there is none in whole nanoseconds.
std::int64_t step_in(const SubsystemDescription& s, std::int64_t period_ns, std::int64_t divisor) {
  if (is_discrete(s) && period_ns % s.step_ns == 0) return s.step_ns;
  return s.step_ns % divisor == 0 ? s.step_ns / divisor : 0;
}

/// Commands for gates take effect by the windows of the blocks that give them: other synchronisation times are another
/// plant.
bool gates_follow_control(const PlantDescription& plant) {
  const auto is_switched = [](const SubsystemDescription& s) { return std::string_view(s.method) == "trapezoidal"; };
  return std::any_of(plant.subsystems.begin(), plant.subsystems.end(), is_switched) &&
         std::any_of(plant.subsystems.begin(), plant.subsystems.end(), is_discrete);
}

bool divides(const PlantDescription& plant, std::int64_t divisor) {
  const auto whole = [&](std::int64_t time_ns) { return time_ns % divisor == 0; };
  return whole(plant.macro_step_ns) &&
         std::all_of(plant.groups.begin(), plant.groups.end(),
                     [&](const GroupPlan& g) { return whole(g.period_ns); }) &&
         std::all_of(plant.exchanges.begin(), plant.exchanges.end(),
                     [&](const ExchangePlan& e) { return whole(e.period_ns); }) &&
         std::all_of(plant.subsystems.begin(), plant.subsystems.end(), [&](const SubsystemDescription& s) {
           return whole(s.period_ns) && step_in(s, s.period_ns / divisor, divisor) > 0;
         });
}

/// Of each subsystem.
std::vector<std::uint16_t> groups_of(const PlantDescription& plant) {
  std::vector<std::uint16_t> group(plant.subsystems.size());
  for (const WindowPlan& window : plant.windows) group[window.subsystem] = window.group;
  return group;
}

/// The innermost group that holds both. Groups stand after those they lie in.
std::uint16_t common_group(std::span<const GroupPlan> groups, std::uint16_t a, std::uint16_t b) {
  while (a != b) {
    std::uint16_t& later = a > b ? a : b;
    later = groups[later].parent;
  }
  return a;
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace

RefinedPlan same_plan(const PlantDescription& plant) {
  return {.plant = plant,
          .subsystems = {plant.subsystems.begin(), plant.subsystems.end()},
          .groups = {plant.groups.begin(), plant.groups.end()},
          .windows = {plant.windows.begin(), plant.windows.end()},
          .exchanges = {plant.exchanges.begin(), plant.exchanges.end()}};
}

RefinedPlan with_shorter_steps(const PlantDescription& plant) {
  RefinedPlan refined = same_plan(plant);
  for (SubsystemDescription& s : refined.subsystems) {
    if (is_discrete(s)) continue;
    const auto* divisor =
        std::find_if(std::begin(divisors), std::end(divisors), [&](std::int64_t d) { return s.step_ns % d == 0; });
    if (divisor == std::end(divisors)) continue;
    s.step_ns /= *divisor;
    refined.finest = std::max(refined.finest, *divisor);
  }
  return refined;
}

std::optional<RefinedPlan> with_shorter_times(const PlantDescription& plant) {
  const auto* found =
      std::find_if(std::begin(divisors), std::end(divisors), [&](std::int64_t d) { return divides(plant, d); });
  if (found == std::end(divisors) || gates_follow_control(plant)) return std::nullopt;
  RefinedPlan refined = same_plan(plant);
  refined.divisor = refined.finest = *found;
  refined.other_times = true;
  refined.plant.macro_step_ns /= *found;
  for (SubsystemDescription& s : refined.subsystems) {
    s.period_ns /= *found;
    s.step_ns = step_in(s, s.period_ns, *found);
  }
  for (GroupPlan& group : refined.groups) group.period_ns /= *found;
  for (ExchangePlan& exchange : refined.exchanges) exchange.period_ns /= *found;
  for (WindowPlan& window : refined.windows) window.period_ns /= *found;
  return refined;
}

RefinedPlan with_times(const PlantDescription& plant, const PlanTimes& times, std::int64_t advance_ns) {
  RefinedPlan other = same_plan(plant);
  if (other.groups.empty()) other.groups = {{.name = plant.name, .parent = 0, .period_ns = plant.macro_step_ns}};
  require(times.step_ns.size() == plant.subsystems.size() && times.period_ns.size() == other.groups.size(),
          "times of another plant");
  for (std::size_t k = 0; k < other.groups.size(); ++k) {
    GroupPlan& group = other.groups[k];
    group.period_ns = times.period_ns[k];
    require(group.period_ns > 0 && times.period_ns[group.parent] % group.period_ns == 0,
            std::string("the time of ") + group.name + " does not divide that of the group around it");
  }
  other.plant.macro_step_ns = other.groups.front().period_ns;
  require(advance_ns % other.plant.macro_step_ns == 0, "the outermost time does not divide what is compared");
  other.divisor = advance_ns / other.plant.macro_step_ns;
  other.other_times = true;
  const std::vector<std::uint16_t> group = groups_of(plant);
  for (std::size_t k = 0; k < other.subsystems.size(); ++k) {
    SubsystemDescription& s = other.subsystems[k];
    s.period_ns = other.groups[group[k]].period_ns;
    s.step_ns = is_discrete(s) ? std::gcd(s.step_ns, s.period_ns) : times.step_ns[k];
    require(s.step_ns > 0 && s.period_ns % s.step_ns == 0,
            std::string("the step of ") + s.name + " does not divide its window");
  }
  for (WindowPlan& window : other.windows) window.period_ns = other.subsystems[window.subsystem].period_ns;
  for (ExchangePlan& exchange : other.exchanges)
    exchange.period_ns =
        other.groups[common_group(other.groups, group[exchange.producer], group[exchange.consumer])].period_ns;
  return other;
}

}  // namespace takt
