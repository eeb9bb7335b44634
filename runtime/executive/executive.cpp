#include "runtime/executive/executive.hpp"

#include <cstring>

#include "runtime/executive/realtime_section.hpp"
#include "runtime/executive/start_up.hpp"
#include "runtime/executive/step_work.hpp"
#include "runtime/start/steady_state.hpp"

namespace takt {

constinit thread_local bool in_realtime_section = false;

namespace {

constexpr WallDuration lead_in{10'000'000};  // between the call of run() and the first release
constexpr std::size_t smallest_fetched =
    128 << 10;  // plant memory that, with what is kept about it, still fits the second cache

SimDuration shortest_of(const Schedule& schedule) {
  const auto& instants = schedule.instants();
  return std::min_element(instants.begin(), instants.end(),
                          [](const auto& a, const auto& b) { return a.until_next < b.until_next; })
      ->until_next;
}

double* doubles(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<double*>(plant.memory + offset);
}

}  // namespace

Executive::Executive(const PlantDescription& plant, Options options, Surroundings surroundings)
    : plant_(plant),
      macro_step_(plant.macro_step_ns),
      options_(std::move(options)),
      clock_(surroundings.clock),
      io_(surroundings.io),
      recorder_(surroundings.recorder),
      script_(std::move(surroundings.script)),
      schedule_(plant),
      inputs_(doubles(plant, plant.inputs_offset), plant.plant_inputs.size()),
      latch_(schedule_, inputs_),
      exchanges_(plant, {.sample_fluxes = options_.sample_fluxes}),
      pacer_(clock_, {.period = macro_step_,
                      .spin = WallDuration{options_.rig.spin_ns},
                      .shortest = shortest_of(schedule_),
                      .max_catch_up = options_.rig.max_catch_up,
                      .skip = options_.rig.policy == OverrunPolicy::skip}),
      judge_(schedule_.instants().size()),
      logged_inputs_(plant.plant_inputs.size()),
      digest_(plant_, exchanges_, inputs_),
      watch_results_(plant),
      ledgers_(exchanges_, options_.ledger_alarm),
      stats_(plant.subsystems.size()),
      histograms_(plant.subsystems.size()),
      stored_start_(plant.subsystems.size()) {
  for (std::size_t i = 0; i < stats_.size(); ++i) stats_[i].begin(histograms_[i], i);
  fetches_ahead_ = plant.memory_size > smallest_fetched;
  sends_within_.resize(plant.subsystems.size());
  for (std::size_t i = 0; i < sends_within_.size(); ++i)
    sends_within_[i] = io_ != nullptr && schedule_.instants().size() > 1 && io_->sends_from(i);
  if (options_.keep_copies)
    copies_.emplace(plant_, exchanges_, PlantCopies::Options{.macro_steps = options_.macro_steps});
}

std::string Executive::prepare() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = plant_.plant_inputs[i].start;
  script_.apply(SimTime{}, inputs_);
  latch_.begin();
  const int unsettled = exchanges_.settle();
  if (options_.steady) {
    start_ = find_steady_state(plant_);
    exchanges_.begin_histories();
  }
  start_histories(plant_, schedule_, exchanges_);
  for (std::size_t i = 0; i < stored_start_.size(); ++i) {
    stored_start_[i] = doubles(plant_, plant_.subsystems[i].energy_offset)[3];
  }
  return unsettled < 0 ? "" : plant_.exchanges[static_cast<std::size_t>(unsettled)].from;
}

void Executive::run() noexcept {
  const RealtimeSection section;
  status_.running.store(true, std::memory_order_relaxed);
  origin_ = clock_.now() + (options_.paced ? lead_in : WallDuration{});
  pacer_.begin(origin_);
  watch_results_.begin();
  bool sound = observe_all(SimTime{});
  for (std::size_t subsystem = 0; subsystem < stats_.size(); ++subsystem)
    sound = sound && take(watch_results_.after_window(subsystem, SimTime{}, true));
  if (sound) send(SimTime{}, Publish::early);
  if (sound) record(SimTime{});
  for (std::size_t subsystem = 0; subsystem < stats_.size(); ++subsystem)
    (void)digest_.add(static_cast<std::uint16_t>(subsystem));  // finite: observe_all() has looked
  digest_.close(0);
  if (copies_) copies_->look(0);
  while (sound && (options_.macro_steps == 0 || steps_done_ < options_.macro_steps)) {
    if (stop_.load(std::memory_order_relaxed) != nullptr) {
      end_ = End::asked;
      break;
    }
    if (!step(steps_done_)) break;
  }
  observe_all(start_of(steps_done_));
  if (sound && end_ == End::time_reached) send_last();
  if (sound && end_ == End::asked && steps_done_ == 0)
    send(SimTime{}, Publish::on_time);  // nothing has left yet, and what has no safe value keeps its last one
  if (io_ != nullptr) io_->publish_safe(start_of(steps_done_));
  for (WindowStats& stats : stats_) stats.flush();
  finish_ = clock_.now();
  status_.running.store(false, std::memory_order_relaxed);
}

/// One macro-step.  @return false: the run ends here
bool Executive::step(std::uint64_t k) noexcept {
  StepWork work;
  work.macro_step = k;
  work.start = start_of(k);
  if (!compute(work)) return false;  // nothing of what has just been computed is sent or recorded
  const SimTime end = work.start + macro_step_;
  if (const std::uint64_t opened = ledgers_.judge(end); opened > 0)
    status_.ledger_alarms.fetch_add(opened, std::memory_order_relaxed);
  const bool looked_at = io_ != nullptr || (recorder_ != nullptr && recorder_->is_due(end));
  latch_.show_newest();
  if (looked_at && !observe_all(end)) return false;
  if (!stops_) send(end, Publish::early);
  digest_.close(k + 1);
  work.waited_ticks += record(end);
  if (copies_) copies_->look(k + 1);

  account(work);
  if (options_.paced && !stops_) judge(work);
  count_late_step();
  return !stops_;
}

/// Statistics of the whole macro-step.
void Executive::account(const StepWork& work) noexcept {
  const std::uint64_t busy = clock_.ticks() - work.woken_ticks - work.blocked_ticks - work.waited_ticks;
  busy_ticks_.record(busy);
  busy_total_ += busy;
  const double rtf = static_cast<double>(busy) * clock_.ns_per_tick() / static_cast<double>(macro_step_.ns());
  rtf_series_.add(work.start.seconds(), rtf);
  steps_done_ = work.macro_step + 1;
  status_.macro_steps.store(steps_done_, std::memory_order_relaxed);
  status_.verdicts.store(watch_results_.verdicts(), std::memory_order_relaxed);
  status_.busy.store(clock_.duration_of(busy_total_), std::memory_order_relaxed);
}

/// Each window when its instant has come.
/// @return false: a value is not finite or a block stays unsolved; the windows after it are not computed
bool Executive::compute(StepWork& work) noexcept {
  WallDuration stretch = injected(Injection::Kind::long_computation, work.macro_step);
  std::uint64_t since = 0;
  const std::vector<Schedule::Slot>& slots = schedule_.slots();
  for (std::size_t index = 0; index < slots.size(); ++index) {
    while (work.opened < slots[index].opens) {
      if (!open(work.opened++, work)) return false;
      since = clock_.ticks();
    }
    if (fetches_ahead_) fetch_ahead(slots, index);
    since = compute_window(slots[index], stretch, work, since);
    stretch = {};
    if (!sound_) return false;
  }
  return true;
}

/// What windows to come will touch, asked for while this one is computed.
void Executive::fetch_ahead(const std::vector<Schedule::Slot>& slots, std::size_t index) const noexcept {
  const std::size_t second = index + 2 < slots.size() ? index + 2 : 0;
  const Schedule::Slot& next = slots[index + 1 < slots.size() ? index + 1 : 0];
  exchanges_.prefetch_outputs(slots[index].subsystem);
  for (std::uint32_t at = 0; at < next.touched; at += 64) __builtin_prefetch(next.own + at, 1);
  exchanges_.prefetch_inputs(next.subsystem);
  digest_.prefetch(next.subsystem);
  exchanges_.prefetch_ports(slots[second].subsystem);
  digest_.prefetch_range(slots[second].subsystem);
  __builtin_prefetch(&stats_[slots[second].subsystem], 1);
}

/// One window with its exchanges and its part of the digest: reading the counter twice would cost as much as a small
/// subsystem.
/// @return ticks at its end
std::uint64_t Executive::compute_window(const Schedule::Slot& slot, WallDuration stretch, StepWork& work,
                                        std::uint64_t begin) noexcept {
  WindowStats& stats = stats_[slot.subsystem];
  SegmentWork& segment = work.segment;
  const Window window = slot.window_of(work.start);
  latch_.show(slot);
  exchanges_.feed(slot.subsystem);
  slot.run(slot.own, window);
  if (stretch > WallDuration{}) clock_.spin_until(clock_.now() + stretch);
  const SimTime window_end = slot.end_of(work.start);
  const bool leaves = sends_within_[slot.subsystem] && !slot.last;
  if (options_.sample_fluxes || leaves) observe(slot.subsystem, window_end);
  sound_ = take(watch_results_.after_window(slot.subsystem, window_end, !slot.last)) &&
           (!leaves || take(watch_results_.after_observing(slot.subsystem)));
  if (!sound_) return clock_.ticks();
  exchanges_.collect(slot.subsystem);
  if (slot.last) {
    if (!digest_.add(slot.subsystem)) {
      sound_ = take(watch_results_.not_finite(slot.subsystem));
      return clock_.ticks();
    }
    ledgers_.after(slot.subsystem);
  }
  const std::uint64_t end = clock_.ticks_in_passing(), taken = end - begin;

  stats.record(taken);
  segment.solver_ticks += taken;
  const double excess = static_cast<double>(taken) - stats.usual;
  stats.usual += excess / 64.0;
  if (excess > segment.most_excess) {
    segment.most_excess = excess;
    segment.longest = slot.subsystem, segment.before_longest = work.before;
  }
  if (options_.paced) {
    // What a window has computed leaves at its end; and whoever is computing at the next release is late for it.
    const WallTime ended = segment.wake.woken + clock_.duration_of(end - segment.woken_ticks);
    if (ended > work.release + at_real_time(slot.due)) ++stats.overruns;
    if (ended > segment.deadline && segment.first_missed == no_subsystem)
      segment.first_missed = slot.subsystem, segment.before_missed = work.before;
  }
  work.before = slot.subsystem;
  return end;
}

/// What nothing in the plant reads is computed only where somebody looks.
void Executive::observe(std::size_t subsystem, SimTime now) noexcept {
  const SubsystemDescription& s = plant_.subsystems[subsystem];
  if (s.observe == nullptr) return;
  const std::int64_t since_ns = now > SimTime{} ? s.period_ns : 0;
  s.observe(plant_.memory + s.offset, static_cast<double>(now.ns()) / 1e9, static_cast<double>(since_ns) / 1e9);
}

/// @return all that can be seen is finite
bool Executive::observe_all(SimTime now) noexcept {
  for (std::size_t subsystem = 0; subsystem < plant_.subsystems.size(); ++subsystem) observe(subsystem, now);
  return take(watch_results_.after_observing(now));
}

/// @return false: the run ends here
bool Executive::take(ResultWatch::Finding finding) noexcept {
  if (finding == ResultWatch::Finding::none) [[likely]]
    return true;
  end_ = End::bad_values;
  return false;
}

/// @return ticks waited for the recorder
std::uint64_t Executive::record(SimTime now) noexcept {
  if (recorder_ == nullptr || recorder_->try_record(now)) return 0;
  if (options_.paced) {
    recorder_->skip(now);
    return 0;
  }
  const std::uint64_t before = clock_.ticks();
  do {
    clock_.sleep_until(clock_.now() + back_pressure);
  } while (!recorder_->try_record(now));
  return clock_.ticks() - before;
}

}  // namespace takt
