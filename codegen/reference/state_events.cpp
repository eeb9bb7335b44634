#include "codegen/reference/state_events.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <unordered_set>

namespace takt::codegen {
namespace {

constexpr std::size_t most_rounds = 100;  // at one instant

}  // namespace

void StateEvents::start() {
  for (std::size_t k = 0; k < armed_.size(); ++k)
    armed_[k] = network_.events[k].level || !(indicator(k) > 0.0);
}

void StateEvents::add_conditions(Values& conditions) const {
  for (std::size_t k = 0; k < armed_.size(); ++k)
    conditions.push_back(armed_[k] ? indicator(k) : -HUGE_VAL);
}

void StateEvents::arm() {
  for (std::size_t k = 0; k < armed_.size(); ++k) armed_[k] = armed_[k] || indicator(k) < 0.0;
}

void StateEvents::occur(double time, Values& y, std::vector<std::size_t> due,
                        const EventSink& sink) {
  for (std::size_t round = 0; !due.empty(); ++round) {
    if (round == most_rounds)
      throw std::runtime_error(fmt::format("events do not come to rest at {:.9g} s, such as {}",
                                           time, network_.events[due.front()].path));
    std::vector<double> before;
    for (std::size_t k = 0; k < armed_.size(); ++k) before.push_back(indicator(k));
    set(time, y, due, sink);
    for (const std::size_t k : due)
      armed_[k] = network_.events[k].level || (indicator(k) != before[k] && !(indicator(k) > 0.0));
    due.clear();
    for (std::size_t k = 0; k < armed_.size(); ++k)
      if (armed_[k] && indicator(k) > 0.0) due.push_back(k);
  }
}

void StateEvents::set(double time, Values& y, const std::vector<std::size_t>& due,
                      const EventSink& sink) {
  std::unordered_set<SymbolId> taken;
  for (const std::size_t k : due) {
    const StateEvent& event = network_.events[k];
    for (std::size_t j = 0; j < event.sets.size(); ++j) {
      if (!taken.insert(event.sets[j].symbol).second) continue;
      const double value = system_.observed(flat_.events[k].values[j]);
      y[system_.place_of(event.sets[j].symbol)] = value;
      sink({time, event.sets[j].symbol, value, indicator(k)});
    }
  }
  system_.solve_algebra(time, y);
  system_.observe(time, y);
}

}  // namespace takt::codegen
