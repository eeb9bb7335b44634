#include "runtime/executive/worker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>

namespace takt {
namespace {

constexpr std::size_t smallest_fetched =
    128 << 10;  // plant memory that, with what is kept about it, still fits the second cache

std::vector<std::uint32_t> received_by(const PlantDescription& plant, const WorkPlan& work, std::uint16_t worker) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < plant.exchanges.size(); ++i)
    if (work.worker_of(plant.exchanges[i].consumer) == worker) indices.push_back(i);
  return indices;
}

}  // namespace

Worker::Worker(const Shared& shared, std::uint16_t number)
    : shared_(shared),
      part_(shared.work.parts()[number]),
      number_(number),
      macro_step_(shared.plant.macro_step_ns),
      is_alone_(shared.alone),
      bundles_(find_bundles(shared.plant, shared.work, number, shared.bundled)),
      fetches_ahead_(shared.plant.memory_size > smallest_fetched),
      watch_(shared.plant, part_.subsystems),
      ledgers_(shared.exchanges, shared.ledger_alarm, received_by(shared.plant, shared.work, number)),
      trace_(shared.trace != nullptr ? &shared.trace->tracks[number].ring : nullptr),
      known_(shared.work.parts().size()) {
  find_rates();
}

/// Rates from the shortest period on.
void Worker::find_rates() {
  std::set<std::int64_t> periods;
  for (const Schedule::Slot& slot : part_.slots) periods.insert(shared_.plant.subsystems[slot.subsystem].period_ns);
  for (const std::int64_t period : periods) rates_.emplace_back().period = SimDuration{period};
  std::set<std::pair<std::uint16_t, std::int64_t>> ended;  // rate and release
  rate_of_.resize(part_.slots.size());
  for (std::size_t i = rate_of_.size(); i-- > 0;) {
    const Schedule::Slot& slot = part_.slots[i];
    const auto place = periods.find(shared_.plant.subsystems[slot.subsystem].period_ns);
    const auto rate = static_cast<std::uint16_t>(std::distance(periods.begin(), place));
    rate_of_[i] = {rate, ended.emplace(rate, slot.start.ns()).second};
  }
}

void Worker::count_rate(const Schedule::Slot& slot, const StepWork& work, std::uint64_t begin,
                        std::uint64_t end) noexcept {
  const RateOfSlot of = rate_of_[static_cast<std::size_t>(&slot - part_.slots.data())];
  RateStats& rate = rates_[of.rate];
  rate.sum += end - begin;
  if (!of.ends) return;
  rate.compute_ticks.record(rate.sum);
  rate.sum = 0;
  const WallTime ended = work.segment.wake.woken + shared_.clock.duration_of(end - work.segment.woken_ticks);
  const WallDuration response = ended - (work.release + at_real_time(slot.start));
  rate.response_ns.record(static_cast<std::uint64_t>(std::max(WallDuration{}, response).ns()));
}

void Worker::help() noexcept {
  for (std::uint64_t k = 0;; ++k) {
    StepWork work{.macro_step = k};
    const bool whole = compute(work, [&](std::uint32_t instant) { return enter(instant, work); }) && end_step(work);
    if (!whole) {
      if (finding_ != ResultWatch::Finding::none) shared_.team.end_at(k);
      break;
    }
    const std::uint64_t busy = account(work);
    shared_.team.ended(number_, k,
                       {.digest = work.digest, .busy = busy, .verdicts = watch_.verdicts(), .alarms = ledger_alarms_});
  }
  shared_.team.leave(number_);
}

std::uint64_t Worker::account(const StepWork& work) noexcept {
  const std::uint64_t now = shared_.clock.ticks();
  const std::uint64_t busy = now - work.woken_ticks - work.blocked_ticks - work.waited_ticks;
  trace({.begin = work.woken_ticks,
         .end = now,
         .macro_step = work.number,
         .number = std::bit_cast<std::uint32_t>(static_cast<float>(busy)),
         .kind = TraceKind::step});
  busy_ticks_.record(busy);
  busy_total_ += busy;
  waited_total_ += work.blocked_ticks;
  return busy;
}

bool Worker::look_at_start() noexcept {
  for (const std::uint16_t subsystem : part_.subsystems)
    if (!take(watch_.after_window(subsystem, SimTime{}, true))) return false;
  return true;
}

bool Worker::end_step(const StepWork& work) noexcept {
  const SimTime end = work.start + macro_step_;
  ledger_alarms_ += ledgers_.judge(end);
  if (!is_looked_at(end) || observe(end)) return true;
  found_at_ = {work.macro_step, static_cast<std::uint32_t>(-1)};
  return false;
}

/// Wherever the other one computes: on its own core nobody spins for long.
bool Worker::wait_for_others(std::size_t index, StepWork& work, std::uint64_t& since) noexcept {
  for (std::uint32_t i = part_.first_wait[index]; i < part_.first_wait[index + bundles_[index].copies]; ++i) {
    const WorkPlan::Wait& wait = part_.waits[i];
    const auto others = static_cast<std::int64_t>(shared_.work.parts()[wait.worker].slots.size());
    const std::int64_t needed = static_cast<std::int64_t>(work.macro_step) * others + wait.slots;
    std::uint64_t& known = known_[wait.worker];
    if (static_cast<std::int64_t>(known) >= needed) continue;
    const auto holds = [&] {
      known = shared_.team.slots_of(wait.worker);
      return static_cast<std::int64_t>(known) >= needed;
    };
    if (holds()) continue;
    const bool comes = shared_.team.wait_until(holds, work.macro_step, shared_.team.looks_for(number_, wait.worker));
    const std::uint64_t now = shared_.clock.ticks();
    work.blocked_ticks += now - since;
    if (shared_.paced) {
      const WallDuration waited = shared_.clock.duration_of(now - since);
      work.segment.blocked += waited;
      if (waited > work.segment.longest_wait) work.segment.longest_wait = waited, work.segment.waited_for = wait.worker;
    }
    trace({.begin = since, .end = now, .macro_step = work.number, .number = wait.worker, .kind = TraceKind::waited});
    since = now;
    if (!comes) return false;
  }
  return true;
}

WallTime Worker::release_of(std::uint64_t macro_step) const noexcept {
  return shared_.team.origin() +
         at_real_time(macro_step_) * static_cast<std::int64_t>(macro_step + shared_.team.dropped());
}

/// The leader has opened this instant of the macro-step.
bool Worker::enter(std::uint32_t number, StepWork& work) noexcept {
  const std::uint64_t instant = work.macro_step * shared_.instants.size() + number;
  const std::uint64_t before = number > 0 ? shared_.clock.ticks() : 0;
  const auto is_open = [&] { return shared_.team.opened() > instant; };
  SegmentWork segment{.instant = number};
  const WallDuration after = at_real_time(shared_.instants[number].start);
  if (shared_.paced && !is_open()) {
    while (shared_.team.origin() == WallTime{} && shared_.team.ends_at() > work.macro_step) shared_.team.rest();
    sleep_to_release(release_of(work.macro_step) + after, segment);
  }
  if (!shared_.team.wait_until(is_open, work.macro_step, shared_.team.looks_for(number_, 0))) return false;
  segment.woken_ticks = shared_.clock.ticks();
  if (number == 0) {
    work.woken_ticks = segment.woken_ticks;
    work.number = work.macro_step + shared_.team.jumped();
    work.start = SimTime{} + macro_step_ * static_cast<std::int64_t>(work.number);
  } else {
    work.waited_ticks += segment.woken_ticks - before;
  }
  if (shared_.paced) {
    const WallTime macro_release = release_of(work.macro_step);
    segment.wake.woken = shared_.clock.now();
    segment.wake.waited = segment.wake.waited && shared_.team.leader_waited();  // else it is late with the leader
    segment.wake.release = macro_release + after;
    segment.deadline = macro_release + at_real_time(part_.deadlines[number]);
    work.release = macro_release;
  }
  work.segment = segment;
  note_woken(work);
  return true;
}

void Worker::sleep_to_release(WallTime release, SegmentWork& segment) noexcept {
  const WallTime target = release - shared_.spin;
  if (shared_.team.hurries() || shared_.clock.now() >= target) return;
  shared_.clock.sleep_until(target);
  segment.wake.waited = true;
  segment.wake.wakeup = std::max(WallDuration{}, shared_.clock.now() - target);
  wakeup_ns_.record(static_cast<std::uint64_t>(segment.wake.wakeup.ns()));
}

/// What it has just computed may be read by others.
void Worker::publish(std::size_t index, StepWork& work) noexcept {
  const std::vector<Schedule::Slot>& slots = part_.slots;
  const bool ends_segment = index + 1 == slots.size() || slots[index + 1].opens > slots[index].opens;
  if (shared_.paced && number_ > 0 && ends_segment) {
    work.segment.finish = shared_.clock.now();
    const std::uint64_t instant = work.macro_step * shared_.instants.size() + slots[index].opens - 1;
    shared_.team.segment_of(number_, instant) = work.segment;
  }
  shared_.team.computed(number_, work.macro_step * slots.size() + index + 1);
}

/// What windows to come will touch, asked for while this one is computed, or this bundle.
void Worker::fetch_ahead(std::size_t index) const noexcept {
  const std::vector<Schedule::Slot>& slots = part_.slots;
  const Exchanges& exchanges = shared_.exchanges;
  const auto behind = [&](std::size_t at) noexcept { return at + bundles_[at].copies; };
  const std::size_t next = behind(index) < slots.size() ? behind(index) : 0;
  const std::size_t second = behind(next) < slots.size() ? behind(next) : 0;
  for (std::size_t at = index, end = behind(index); at < end; ++at) exchanges.prefetch_outputs(slots[at].subsystem);
  for (std::size_t at = next, end = behind(next); at < end; ++at) {
    const std::byte* own = slots[at].own;
    const std::byte* const touched = own + slots[at].touched;
    for (; own < touched; own += 64) __builtin_prefetch(own, 1);
    exchanges.prefetch_inputs(slots[at].subsystem);
    shared_.digest.prefetch(slots[at].subsystem);
  }
  for (std::size_t at = second, end = behind(second); at < end; ++at) {
    exchanges.prefetch_ports(slots[at].subsystem);
    shared_.digest.prefetch_range(slots[at].subsystem);
    __builtin_prefetch(&shared_.stats[slots[at].subsystem], 1);
  }
}

/// What another process computes is waited for almost to the end of its window; where this worker has more to do
/// within it, to the middle. Where the plant itself is late, half a window from now.
void Worker::set_limits(const Schedule::Slot& slot, const StepWork& work, Window& window) const noexcept {
  constexpr WallDuration most_margin{200'000};  // what comes after the answer: exchanges, digest, the leader's work
  const WallTime begin = work.release + at_real_time(slot.start), end = work.release + at_real_time(slot.due);
  const bool is_alone = part_.subsystems.size() == 1;
  const WallDuration length = end - begin;
  const WallDuration margin = is_alone ? std::min(length / 8, most_margin) : length / 2;
  window.answer_by_ns = std::max(end - margin, shared_.clock.now() + length / 2).ns();
  window.next_ns = end.ns();
}

/// What a window reads.
[[gnu::always_inline]] inline Window Worker::begin_window(const Schedule::Slot& slot, const StepWork& work) noexcept {
  Window window = slot.window_of(work.start);
  if (slot.foreign && shared_.paced) [[unlikely]]
    set_limits(slot, work, window);
  shared_.exchanges.feed(slot.subsystem, shared_.latch.seen_by(slot));
  if (distorts(slot.subsystem)) [[unlikely]]
    shared_.readings->distort(slot.subsystem, window);
  if (copies(slot.subsystem)) [[unlikely]]
    shared_.copies->keep(slot.subsystem);
  return window;
}

/// For tests: the first window of a macro-step takes longer.
inline void Worker::stretch(StepWork& work) noexcept {
  if (work.stretch <= WallDuration{}) return;
  shared_.clock.spin_until(shared_.clock.now() + work.stretch);
  work.stretch = {};
}

/// What it has computed is looked at and goes on its way.
[[gnu::always_inline]] inline bool Worker::hand_on(const Schedule::Slot& slot, StepWork& work) noexcept {
  if (distorts(slot.subsystem)) [[unlikely]]
    shared_.readings->book(slot.subsystem);
  const SimTime window_end = slot.end_of(work.start);
  const bool leaves = shared_.sends_within[slot.subsystem] && !slot.last;
  if (shared_.observes_always || leaves) observe(slot.subsystem, window_end);
  if (!take(watch_.after_window(slot.subsystem, window_end, !slot.last)) ||
      (leaves && !take(watch_.after_observing(slot.subsystem))))
    return false;
  shared_.exchanges.collect(slot.subsystem);
  if (!slot.last) return true;
  if (!shared_.digest.add(slot.subsystem, work.digest)) {
    finding_ = watch_.not_finite(slot.subsystem);
    return false;
  }
  ledgers_.after(slot.subsystem);
  return true;
}

inline bool Worker::end_window(const Schedule::Slot& slot, StepWork& work) noexcept {
  if (hand_on(slot, work)) [[likely]]
    return true;
  found_at_ = {work.macro_step, part_.order[static_cast<std::size_t>(&slot - part_.slots.data())]};
  return false;
}

/// One window with its exchanges and its part of the digest: reading the counter twice would cost as much as a small
/// subsystem.
/// @return ticks at its end
std::uint64_t Worker::compute_window(const Schedule::Slot& slot, StepWork& work, std::uint64_t begin) noexcept {
  const Window window = begin_window(slot, work);
  slot.run(slot.own, window);
  stretch(work);
  if (!end_window(slot, work)) return shared_.clock.ticks();
  const std::uint64_t end = shared_.clock.ticks_in_passing();
  count_window(slot, work, {begin, end, end});
  return end;
}

/// The same of all windows of a bundle, which take the same window of time.
std::uint64_t Worker::compute_bundle(std::size_t index, StepWork& work, std::uint64_t begin) noexcept {
  const Bundle& bundle = bundles_[index];
  const std::span slots = std::span(part_.slots).subspan(index, bundle.copies);
  std::array<std::byte*, most_bundled> own;  // NOLINT(cppcoreguidelines-pro-type-member-init): as many as are read
  Window window;
  for (std::size_t k = 0; k < slots.size(); ++k) window = begin_window(slots[k], work), own[k] = slots[k].own;
  bundle.together(own.data(), slots.size(), window);
  stretch(work);
  for (const Schedule::Slot& slot : slots)
    if (!end_window(slot, work)) return shared_.clock.ticks();
  const std::uint64_t end = shared_.clock.ticks_in_passing(), share = (end - begin) / slots.size();
  for (std::size_t k = 0; k < slots.size(); ++k)
    count_window(slots[k], work, {begin + k * share, k + 1 < slots.size() ? begin + (k + 1) * share : end, end});
  return end;
}

[[gnu::always_inline]] inline void Worker::count_window(const Schedule::Slot& slot, StepWork& work,
                                                        const Span& ticks) noexcept {
  WindowStats& stats = shared_.stats[slot.subsystem];
  SegmentWork& segment = work.segment;
  const std::uint64_t taken = ticks.end - ticks.begin;
  trace({.begin = ticks.begin,
         .end = ticks.end,
         .macro_step = work.number,
         .number = static_cast<std::uint32_t>(&slot - part_.slots.data()),
         .kind = TraceKind::window});
  if (shared_.paced) count_rate(slot, work, ticks.begin, ticks.end);
  stats.record(taken);
  segment.solver_ticks += taken;
  const double excess = static_cast<double>(taken) - stats.usual;
  stats.usual += excess / 64.0;
  if (excess > segment.most_excess) {
    segment.most_excess = excess;
    segment.longest = slot.subsystem, segment.before_longest = work.before;
  }
  if (shared_.paced) {
    // What a window has computed leaves at its end; and whoever is computing at the next release is late for it.
    const WallTime ended = segment.wake.woken + shared_.clock.duration_of(ticks.finished - segment.woken_ticks);
    if (ended > work.release + at_real_time(slot.due)) ++stats.overruns;
    if (ended > segment.deadline) {
      if (segment.first_missed == no_subsystem)
        segment.first_missed = slot.subsystem, segment.before_missed = work.before;
      segment.policy = std::max(segment.policy, std::optional(shared_.policies[slot.subsystem]));
    }
  }
  work.before = slot.subsystem;
}

void Worker::observe(std::size_t subsystem, SimTime now) noexcept {
  const SubsystemDescription& s = shared_.plant.subsystems[subsystem];
  if (s.observe == nullptr) return;
  const std::int64_t since_ns = now > SimTime{} ? s.period_ns : 0;
  s.observe(shared_.plant.memory + s.offset, static_cast<double>(now.ns()) / 1e9, static_cast<double>(since_ns) / 1e9);
}

bool Worker::observe(SimTime now) noexcept {
  for (const std::uint16_t subsystem : part_.subsystems) observe(std::size_t{subsystem}, now);
  watch_.note_events(now);
  for (const std::uint16_t subsystem : part_.subsystems)
    if (!take(watch_.after_observing(std::size_t{subsystem}))) return false;
  return true;
}

}  // namespace takt
