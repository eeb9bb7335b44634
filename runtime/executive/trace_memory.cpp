#include "runtime/executive/trace_memory.hpp"

#include <algorithm>
#include <limits>

namespace takt {
namespace {

/// So that the surroundings of an overrun lie in two blocks at most.
constexpr std::size_t steps_in_block = KeptPlaces::before + KeptPlaces::after + 1;

/// At most, of one worker in a macro-step that goes its way.
std::size_t events_in_step(const WorkPlan::Part& part, std::size_t instants) {
  const std::size_t at_instants = 5;  // woken, sent, inputs, waited for all, overrun
  return part.slots.size() + std::min(part.waits.size(), part.slots.size()) + at_instants * instants + 3;
}

/// As many macro-steps as fit; each worker gets the same time.
std::vector<TraceRing::Size> sizes_of(const WorkPlan& work, std::size_t instants, const TraceSettings& settings) {
  std::vector<TraceRing::Size> sizes;
  std::size_t one_block = 0;  // of all workers
  for (const WorkPlan::Part& part : work.parts()) {
    sizes.push_back({.block = steps_in_block * events_in_step(part, instants)});
    one_block += sizes.back().block;
  }
  const std::size_t room = std::max<std::size_t>(4, most_trace_events / one_block);
  auto steps = static_cast<std::uint64_t>((settings.last + settings.macro_step - SimDuration{1}) / settings.macro_step);
  if (settings.macro_steps > 0) steps = std::min(steps, settings.macro_steps);
  const std::size_t spare = settings.paced ? std::min(2 * KeptPlaces::most, room / 2) : 0;
  const std::uint64_t wanted = steps / steps_in_block + 2;  // one is being filled, one is of odd length
  const std::size_t blocks = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, room - spare));
  for (TraceRing::Size& size : sizes) size.blocks = std::max<std::size_t>(3, blocks), size.spare = spare;
  return sizes;
}

}  // namespace

RunTracePointer make_run_trace(const WorkPlan& work, const Schedule& schedule, const TraceSettings& settings) {
  if (settings.last <= SimDuration{}) return nullptr;
  std::pmr::polymorphic_allocator<> allocator;
  RunTracePointer trace(allocator.new_object<RunTrace>(),
                        [allocator](RunTrace* it) mutable { allocator.delete_object(it); });
  trace->paced = settings.paced;
  trace->macro_step = settings.macro_step;
  trace->ns_per_tick = settings.ns_per_tick;
  const auto& instants = schedule.instants();
  const std::vector<TraceRing::Size> sizes = sizes_of(work, instants.size(), settings);
  for (std::size_t worker = 0; worker < sizes.size(); ++worker) {
    const WorkPlan::Part& part = work.parts()[worker];
    std::vector<std::uint16_t> subsystems;
    for (const Schedule::Slot& slot : part.slots) subsystems.push_back(slot.subsystem);
    std::vector<WallDuration> allowed;
    for (std::size_t i = 0; i < instants.size(); ++i)
      allowed.push_back(at_real_time(worker == 0 ? instants[i].until_next : part.deadlines[i] - instants[i].start));
    trace->tracks.push_back({std::move(subsystems), std::move(allowed), TraceRing(sizes[worker], trace->places)});
  }
  return trace;
}

TraceAnchor read_anchor(Clock& clock) noexcept {
  TraceAnchor best{};
  WallDuration shortest{std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < 5; ++i) {  // the closest of several: an interruption between two readings does not count
    const WallTime before = clock.now();
    const std::uint64_t ticks = clock.ticks();
    const WallTime after = clock.now();
    if (after - before < shortest) shortest = after - before, best = {before + (after - before) / 2, ticks};
  }
  return best;
}

}  // namespace takt
