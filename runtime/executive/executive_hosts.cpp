// The part of the executive that is about several hosts: what a worker leaves on one is taken over on another.

#include <algorithm>

#include "runtime/executive/executive.hpp"

namespace takt {
namespace {

/// Ticks of another host in ticks of this one.
std::uint64_t scaled(std::uint64_t ticks, double factor) {
  return static_cast<std::uint64_t>(static_cast<double>(ticks) * factor);
}

}  // namespace

void Worker::save(ByteWriter& to) const {
  to.put(finding_);
  to.put(found_at_.first), to.put(found_at_.second);
  to.put(busy_total_), to.put(waited_total_), to.put(ledger_alarms_);
  to.put(busy_ticks_), to.put(wakeup_ns_);
  for (const RateStats& rate : rates_) to.put(rate);
  watch_.save(to);
  ledgers_.save(to);
}

void Worker::restore(ByteReader& from, double factor) {
  finding_ = from.take<ResultWatch::Finding>();
  found_at_.first = from.take<std::uint64_t>(), found_at_.second = from.take<std::uint32_t>();
  busy_total_ = from.take<std::uint64_t>(), waited_total_ = from.take<std::uint64_t>();
  ledger_alarms_ = from.take<std::uint64_t>();
  busy_ticks_ = from.take<Histogram>(), wakeup_ns_ = from.take<Histogram>();
  for (RateStats& rate : rates_) rate = from.take<RateStats>(), rate.compute_ticks.scale(factor);
  busy_total_ = scaled(busy_total_, factor), waited_total_ = scaled(waited_total_, factor);
  busy_ticks_.scale(factor);
  watch_.restore(from);
  ledgers_.restore(from);
}

void ResultWatch::save(ByteWriter& to) const {
  to.put(verdicts_), to.put(culprit_);
  to.put(unsolved_ == nullptr ? std::int64_t{-1} : unsolved_ - events_.data());
  for (const EventState& state : events_) {
    to.put(state.before), to.put(state.seen), to.put(state.first);
    to.put(state.last_window), to.put(state.in_a_row);
  }
}

void ResultWatch::restore(ByteReader& from) {
  verdicts_ = from.take<std::uint64_t>(), culprit_ = from.take<std::size_t>();
  const auto unsolved = from.take<std::int64_t>();
  if (unsolved >= static_cast<std::int64_t>(events_.size()))
    throw std::runtime_error("a host reports an event that this plant does not have");
  unsolved_ = unsolved < 0 ? nullptr : &events_[static_cast<std::size_t>(unsolved)];
  for (EventState& state : events_) {
    state.before = from.take<double>(), state.seen = from.take<double>(), state.first = from.take<SimTime>();
    state.last_window = from.take<std::uint64_t>(), state.in_a_row = from.take<int>();
  }
}

void Executive::begin_without_lead() noexcept {
  team_.begin(clock_.now());
  if (!start_values()) team_.end_at(0);
}

void Executive::follow(std::uint64_t macro_step, std::span<const Followed> done) {
  const SimTime now = start_of(macro_step);
  for (const Followed& one : done) followed_.add(one);
  if (!followed_.may_act_at(now) && !steering_->is_due(now)) return;
  while (!steering_->direct(now)) clock_.sleep_until(clock_.now() + back_pressure);
}

/// Up to what comes next in plant memory.
std::span<std::byte> Executive::memory_of(std::size_t subsystem) const noexcept {
  const std::size_t begin = plant_.subsystems[subsystem].offset;
  std::size_t end = plant_.memory_size;
  const auto ends_at = [&](std::size_t other) {
    if (other > begin) end = std::min(end, other);
  };
  for (const SubsystemDescription& s : plant_.subsystems) ends_at(s.offset);
  ends_at(plant_.parameters_offset), ends_at(plant_.inputs_offset);
  return {plant_.memory + begin, end - begin};
}

void Executive::save_memory(std::size_t worker, ByteWriter& to) const {
  for (const std::uint16_t s : workers_[worker].part().subsystems) to.put_bytes(memory_of(s));
}

void Executive::restore_memory(std::size_t worker, ByteReader& from) {
  for (const std::uint16_t s : workers_[worker].part().subsystems) {
    const std::span<std::byte> own = memory_of(s);
    std::ranges::copy(from.take_bytes(own.size()), own.begin());
  }
}

void Executive::save_part(std::size_t worker, ByteWriter& to) const {
  to.put(clock_.ns_per_tick());
  save_memory(worker, to);
  std::vector<std::byte> between(exchanges_.state_size());
  exchanges_.save(between.data());
  to.put_bytes(between);
  for (const std::uint16_t s : workers_[worker].part().subsystems) {
    WindowStats stats = stats_[s];
    Histogram histogram = histograms_[s];
    stats.flush_into(histogram);
    to.put(stats.total), to.put(stats.overruns), to.put(stats.usual);
    to.put(histogram);
  }
  workers_[worker].save(to);
}

void Executive::restore_part(std::size_t worker, ByteReader& from) {
  const double factor = from.take<double>() / clock_.ns_per_tick();
  restore_memory(worker, from);
  std::vector<bool> own(plant_.subsystems.size());
  for (const std::uint16_t s : workers_[worker].part().subsystems) own[s] = true;
  exchanges_.restore_inputs(from.take_bytes(exchanges_.state_size()).data(), own);
  for (const std::uint16_t s : workers_[worker].part().subsystems) {
    stats_[s].total = scaled(from.take<std::uint64_t>(), factor), stats_[s].overruns = from.take<std::uint64_t>();
    stats_[s].usual = from.take<double>() * factor;
    histograms_[s] = from.take<Histogram>();
    histograms_[s].scale(factor);
  }
  workers_[worker].restore(from, factor);
}

}  // namespace takt
