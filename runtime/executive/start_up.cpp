#include "runtime/executive/start_up.hpp"

#include <cstring>
#include <vector>

namespace takt {

void start_histories(const PlantDescription& plant, const Schedule& schedule, Exchanges& exchanges,
                     std::int64_t macro_step) {
  const int order = exchanges.highest_order();
  if (order < 2) return;
  const std::vector<std::byte> start(plant.memory, plant.memory + plant.memory_size);
  for (int sweep = 0; sweep <= order; ++sweep) {
    for (std::int64_t k = macro_step; k <= macro_step + order + 1; ++k) {
      for (const Schedule::Slot& slot : schedule.slots()) {
        exchanges.feed(slot.subsystem);
        // The state of an FMU is not in plant memory and would not come back: its outputs stay as they are.
        if (!slot.foreign) slot.run(slot.own, slot.window_of(SimTime{k * plant.macro_step_ns}));
        exchanges.collect(slot.subsystem);
      }
    }
    std::memcpy(plant.memory, start.data(), start.size());
    exchanges.begin_with_first();
  }
}

}  // namespace takt
