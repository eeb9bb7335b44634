#include "runtime/executive/schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace takt {
namespace {

void require(bool holds, const char* subsystem, const std::string& what) {
  if (!holds) throw std::invalid_argument("plan: " + std::string(subsystem) + ": " + what);
}

}  // namespace

Schedule::Schedule(const PlantDescription& plant) {
  if (plant.macro_step_ns <= 0) throw std::invalid_argument("plan: the macro-step is not above zero");
  std::vector<int> planned(plant.subsystems.size(), 0);
  for (const WindowPlan& window : plant.windows) {
    if (window.subsystem >= plant.subsystems.size()) throw std::invalid_argument("plan: a window of no subsystem");
    const SubsystemDescription& s = plant.subsystems[window.subsystem];
    require(++planned[window.subsystem] == 1, s.name, "planned twice");
    require(window.core == 0, s.name, "several cores are not served yet");
    require(window.period_ns == s.period_ns && window.period_ns > 0, s.name,
            "its window is not its synchronisation time");
    require(plant.macro_step_ns % window.period_ns == 0, s.name, "its window does not divide the macro-step");
    require(s.step_ns > 0 && s.period_ns % s.step_ns == 0, s.name, "its step does not divide its window");
    require(window.offset_ns >= 0 && window.offset_ns < window.period_ns, s.name, "its offset lies outside its window");
    for (std::int64_t start = window.offset_ns; start < plant.macro_step_ns; start += window.period_ns) {
      slots_.push_back({.run = s.run,
                        .start_ns = start,
                        .end_ns = start + window.period_ns,
                        .deadline_ns = start + window.deadline_ns,
                        .step_ns = s.step_ns,
                        .steps = static_cast<std::int32_t>(s.period_ns / s.step_ns),
                        .subsystem = window.subsystem});
    }
  }
  for (std::size_t i = 0; i < planned.size(); ++i) require(planned[i] == 1, plant.subsystems[i].name, "has no window");
  std::stable_sort(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.start_ns < b.start_ns; });
}

}  // namespace takt
