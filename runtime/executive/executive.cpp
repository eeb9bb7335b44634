#include "runtime/executive/executive.hpp"

#include <bit>
#include <cstring>

#include "runtime/executive/realtime_section.hpp"
#include "runtime/executive/start_up.hpp"
#include "runtime/start/steady_state.hpp"

namespace takt {

constinit thread_local bool in_realtime_section = false;

namespace {

constexpr WallDuration lead_in{10'000'000};  // between the call of run() and the first release
constexpr std::size_t smallest_fetched =
    128 << 10;  // plant memory that, with what is kept about it, still fits the second cache
constexpr std::uint16_t no_subsystem = 0xffff;
constexpr WallDuration back_pressure{200'000};  // a free run waits that long for the recorder at a time

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

struct Executive::SegmentWork {
  Pacer::Wake wake;
  WallTime deadline;
  std::uint64_t woken_ticks = 0, solver_ticks = 0;
  WallDuration blocked;
  double most_excess = -1e300;
  std::uint16_t first_missed = no_subsystem, before_missed = no_subsystem, longest = no_subsystem,
                before_longest = no_subsystem;
  std::uint32_t instant = 0;
};

struct Executive::StepWork {
  std::uint64_t macro_step = 0;
  SimTime start;
  WallTime release;  ///< of the macro-step
  std::uint64_t woken_ticks = 0, blocked_ticks = 0, waited_ticks = 0;
  std::uint32_t opened = 0;  ///< instants that have come
  std::uint16_t before = no_subsystem;
  SegmentWork segment;
};

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
  if (sound && !sent_)
    send(SimTime{}, options_.rig.publish);  // stopped before the first release: safe values may be the last ones
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

/// An instant of the macro-step has come: what has been computed for it leaves, inputs are taken.
/// @return false: the run ends here
bool Executive::open(std::uint32_t number, StepWork& work) noexcept {
  const Schedule::Instant& instant = schedule_.instants()[number];
  const SimTime now = work.start + instant.start;
  if (number > 0) latch_.show_newest();
  if (number > 0 && options_.paced && !stops_) {
    send(now, Publish::early);
    judge(work);
  }
  const std::uint64_t before = number > 0 && options_.paced ? clock_.ticks() : 0;
  const Pacer::Wake wake = stops_ ? Pacer::Wake{} : wait_for_release(work.macro_step, instant);
  const std::uint64_t woken_ticks = clock_.ticks();
  if (number == 0)
    work.woken_ticks = woken_ticks, work.release = wake.release;
  else if (options_.paced)
    work.waited_ticks += woken_ticks - before;
  work.segment = {.wake = wake,
                  .deadline = wake.release + at_real_time(instant.until_next),
                  .woken_ticks = woken_ticks,
                  .blocked = {},
                  .instant = number};
  if (!stops_) send(now, Publish::on_time);
  if (instant.takes_inputs && !latch_inputs(number, now)) return false;
  if (number == 0) wait_for_exchanges(work);
  return true;
}

/// What windows that ended then have computed.
void Executive::send(SimTime now, Publish moment) noexcept {
  if (io_ == nullptr || moment != options_.rig.publish) return;
  io_->publish(now, plant_.memory);
  sent_ = true;
}

/// What the last macro-step has computed is of the time at which the next one would be released.
void Executive::send_last() noexcept {
  if (io_ == nullptr || options_.rig.publish != Publish::on_time) return;
  (void)wait_for_release(steps_done_, schedule_.instants().front());
  send(start_of(steps_done_), Publish::on_time);
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

/// What the last release began has ended.
void Executive::judge(const StepWork& work) noexcept {
  const SegmentWork& segment = work.segment;
  const Pacer::Wake& wake = segment.wake;
  const Schedule::Instant& instant = schedule_.instants()[segment.instant];
  const StepTiming timing{.macro_step = work.macro_step,
                          .start = work.start + instant.start,
                          .release = wake.release,
                          .woken = wake.woken,
                          .finish = clock_.now(),
                          .deadline = segment.deadline,
                          .blocked = segment.blocked,
                          .compute = clock_.duration_of(segment.solver_ticks),
                          .period = at_real_time(instant.until_next),
                          .instant = segment.instant,
                          .dropped = wake.dropped,
                          .waited = wake.waited,
                          .in_grace = work.start < SimTime{options_.rig.grace_ns},
                          .first_missed = segment.first_missed,
                          .before_missed = segment.first_missed != no_subsystem ? segment.before_missed : work.before,
                          .longest = segment.longest,
                          .before_longest = segment.before_longest};
  stops_ = must_stop(timing, judge_.judge(timing)) || stops_;
}

Pacer::Wake Executive::wait_for_release(std::uint64_t k, const Schedule::Instant& instant) noexcept {
  if (!options_.paced) return {};
  const Pacer::Wake wake = instant.start > SimDuration{} ? pacer_.wait_within(k, at_real_time(instant.start))
                                                         : pacer_.wait(k, injected(Injection::Kind::late_wakeup, k));
  if (wake.wakeup >= WallDuration{}) wakeup_ns_.record(static_cast<std::uint64_t>(wake.wakeup.ns()));
  if (wake.waited)
    release_ns_.record(static_cast<std::uint64_t>(std::max(WallDuration{}, wake.woken - wake.release).ns()));
  return wake;
}

/// @return false: the run ends here
bool Executive::latch_inputs(std::uint32_t instant, SimTime now) noexcept {
  // The first macro-step keeps the start values the plant was initialised with: what a bus had brought by then
  // would be logged for its start, and a replay applies that before it initialises.
  if (io_ != nullptr && now > SimTime{}) io_->latch(now, latch_.newest());
  script_.apply(now, latch_.newest());
  latch_.take(instant);
  if (recorder_ != nullptr) log_inputs(now);
  return take(watch_results_.after_inputs());
}

void Executive::log_inputs(SimTime now) noexcept {
  const std::span<const double> newest = latch_.newest();
  for (std::size_t i = 0; i < newest.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(newest[i]);
    if (bits == logged_inputs_[i] && now > SimTime{}) continue;
    bool logged = recorder_->try_log_input(now, static_cast<std::uint32_t>(i), newest[i]);
    while (!logged && !options_.paced) {
      clock_.sleep_until(clock_.now() + back_pressure);
      logged = recorder_->try_log_input(now, static_cast<std::uint32_t>(i), newest[i]);
    }
    if (!logged) recorder_->lose_input();
    logged_inputs_[i] = bits;
  }
}

/// On one core every exchange is ready when it is read; only a test can hold one back. The wait ends at the deadline
/// at the latest: then the last version is extrapolated and the digest no longer stands for the model alone.
void Executive::wait_for_exchanges(StepWork& work) noexcept {
  const WallDuration hold = injected(Injection::Kind::blocked_exchange, work.macro_step);
  if (hold == WallDuration{} || !options_.paced) return;
  const std::uint64_t before = clock_.ticks();
  const WallTime begin = clock_.now(), ready = begin + hold;
  const WallTime last = std::max(begin, work.segment.deadline);
  clock_.spin_until(std::min(ready, last));
  if (ready > last) digest_void_ = true;
  work.blocked_ticks = clock_.ticks() - before;
  work.segment.blocked = clock_.duration_of(work.blocked_ticks);
  blocked_ += work.segment.blocked;
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

bool Executive::must_stop(const StepTiming& timing, bool late) noexcept {
  if (!late || timing.in_grace) return false;
  late_in_step_ = true;
  const RigSettings& rig = options_.rig;
  status_.overruns.store(judge_.log().overruns, std::memory_order_relaxed);
  const bool limited = rig.stop_after_consecutive > 0 || rig.stop_above_ns > 0;
  const bool stop = (rig.policy == OverrunPolicy::stop && !limited) ||
                    (rig.stop_above_ns > 0 && timing.finish - timing.deadline > WallDuration{rig.stop_above_ns});
  if (stop) end_ = End::overrun;
  return stop;
}

/// Overruns in a row are those of macro-steps: one with a stretch that was late is late.
void Executive::count_late_step() noexcept {
  late_in_a_row_ = late_in_step_ ? late_in_a_row_ + 1 : 0;
  late_in_step_ = false;
  const int most = options_.rig.stop_after_consecutive;
  if (most == 0 || late_in_a_row_ < most) return;
  end_ = End::overrun;
  stops_ = true;
}

WallDuration Executive::injected(Injection::Kind kind, std::uint64_t k) const noexcept {
  for (const Injection& injection : options_.injections) {
    if (injection.kind == kind && injection.macro_step == k) return injection.duration;
  }
  return {};
}

}  // namespace takt
