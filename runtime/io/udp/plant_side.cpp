#include "runtime/io/udp/plant_side.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/receiver.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::udp {

void PlantSide::receives(const FramePlan& plan, ValueRing& ring, const PlantDescription& plant) {
  Inlet inlet;
  inlet.plan = &plan, inlet.ring = &ring;
  inlet.has_time = std::any_of(plan.fields.begin(), plan.fields.end(),
                               [](const FieldPlan& field) { return field.use == FieldUse::time; });
  constexpr double all = std::numeric_limits<double>::infinity();
  for (const FieldPlan* field : joined_fields(plan)) {
    const auto it = std::find_if(plant.plant_inputs.begin(), plant.plant_inputs.end(),
                                 [&](const auto& input) { return std::strcmp(input.path, field->path) == 0; });
    if (it == plant.plant_inputs.end()) throw std::runtime_error(std::string("the plant has no input ") + field->path);
    Value value{.input = static_cast<std::size_t>(it - plant.plant_inputs.begin()), .safe = it->safe};
    value.moves = plan.missing == Missing::extrapolate && is_float(field->type);
    const bool ranged = field->minimum <= field->maximum;
    const double low = ranged ? field->minimum * field->scale + field->offset : -all;
    const double high = ranged ? field->maximum * field->scale + field->offset : all;
    value.least = std::min(low, high), value.most = std::max(low, high);
    value.newest = value.before = it->start;
    inlet.values.push_back(value);
  }
  inlets_.push_back(std::move(inlet));
}

void PlantSide::sends(const FramePlan& plan, ValueRing& ring, const PlantDescription& plant) {
  Outlet outlet;
  outlet.plan = &plan, outlet.ring = &ring, outlet.fields = joined_fields(plan);
  for (const FieldPlan* field : outlet.fields) {
    outlet.values.push_back(field->constant);
    outlet.windows.emplace_back(1);
    if (field->path == nullptr) {
      outlet.offsets.push_back(not_of_plant);
      continue;
    }
    const auto it = std::find_if(plant.table.begin(), plant.table.end(),
                                 [&](const auto& entry) { return std::strcmp(entry.path, field->path) == 0; });
    if (it == plant.table.end()) throw std::runtime_error(std::string("the plant has no signal ") + field->path);
    outlet.offsets.push_back(it->offset);
    if (it->subsystem >= plant.subsystems.size()) continue;
    outlet.windows.back() = SimDuration{plant.subsystems[it->subsystem].period_ns};
    senders_.push_back(it->subsystem);
  }
  outlets_.push_back(std::move(outlet));
}

std::vector<std::size_t> PlantSide::sent_offsets() const {
  std::vector<std::size_t> all;
  for (const Outlet& outlet : outlets_)
    std::copy_if(outlet.offsets.begin(), outlet.offsets.end(), std::back_inserter(all),
                 [](std::size_t offset) { return offset != not_of_plant; });
  return all;
}

void PlantSide::hear_meanwhile() noexcept {
  for (Inlet& inlet : inlets_)
    for (std::size_t taken = 0; taken < inlet.ring->size(); ++taken) {
      const ValueRing::Row* const row = inlet.ring->front();
      if (row == nullptr) break;
      take(inlet, *row);
      inlet.ring->pop();
      inlet.has_early = true;
    }
}

void PlantSide::latch(SimTime now, WallTime release, std::span<double> inputs) noexcept {
  if (!first_latch_) first_latch_ = release;
  const WallTime wall = wall_now();
  for (std::size_t k = 0; k < inlets_.size(); ++k) {
    Inlet& inlet = inlets_[k];
    const bool is_new = take_new(inlet, release, wall) || inlet.has_early;
    inlet.has_early = false;
    judge(k, now, release);
    if (inlet.timed_out && inlet.plan->missing != Missing::hold) {
      // What is no number then leaves them there, too.
      for (Value& value : inlet.values) inputs[value.input] = value.newest = value.before = value.safe;
    } else if (is_new || inlet.plan->missing == Missing::extrapolate) {
      show(inlet, release, inputs);
    }
  }
}

bool PlantSide::take_new(Inlet& inlet, WallTime release, WallTime wall) noexcept {
  bool is_new = false;
  // Bounded by the ring, although its other end may be writing meanwhile.
  for (std::size_t taken = 0; taken < inlet.ring->size(); ++taken) {
    const ValueRing::Row* const row = inlet.ring->front();
    if (row == nullptr || row->stamp > release) break;
    take(inlet, *row);
    ++inlet.counts.used;
    arrival_to_window_.record(static_cast<std::uint64_t>(std::max<std::int64_t>((wall - row->stamp).ns(), 0)));
    inlet.ring->pop();
    is_new = true;
  }
  return is_new;
}

/// What is no number leaves its input as it was.
void PlantSide::take(Inlet& inlet, const ValueRing::Row& row) noexcept {
  for (std::size_t k = 0; k < inlet.values.size(); ++k) {
    Value& value = inlet.values[k];
    value.before = value.newest;
    if (std::isfinite(row.values[k])) value.newest = row.values[k];
  }
  // Stamps of a foreign program may be anything: their difference wraps, and is not believed where the frames came much
  // further apart, as with stamps in ms where ns are meant.
  const auto apart =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(row.time_ns) - static_cast<std::uint64_t>(inlet.time_ns));
  const bool is_believed = inlet.has_time && !inlet.timed_out && (row.stamp - inlet.stamp).ns() / 4 <= apart;
  inlet.apart_ns = is_believed ? apart : 0;
  inlet.stamp = row.stamp, inlet.time_ns = row.time_ns;
  inlet.seen = std::min<std::uint32_t>(inlet.seen + 1, 2);
}

/// The newest values, or the line through the last two: of two frames that are further apart than the time-out nothing
/// is concluded.
void PlantSide::show(const Inlet& inlet, WallTime release, std::span<double> inputs) noexcept {
  if (inlet.seen == 0) return;
  const bool has_line = inlet.seen == 2 && inlet.apart_ns > 0 && inlet.apart_ns <= inlet.plan->timeout_ns;
  const double ahead =
      has_line ? static_cast<double>((release - inlet.stamp).ns()) / static_cast<double>(inlet.apart_ns) : 0.0;
  for (const Value& value : inlet.values) {
    const double moved = value.newest + (value.newest - value.before) * ahead;
    const bool goes_on = value.moves && has_line && std::isfinite(moved);
    inputs[value.input] =
        goes_on ? std::clamp(moved, std::min(value.least, value.newest), std::max(value.most, value.newest))
                : value.newest;
  }
}

void PlantSide::judge(std::size_t frame, SimTime now, WallTime release) noexcept {
  Inlet& inlet = inlets_[frame];
  const bool was_seen = inlet.seen > 0;
  const WallDuration age = release - (was_seen ? inlet.stamp : *first_latch_);
  const bool late = age > WallDuration{inlet.plan->timeout_ns};
  TimeOut entry{.bus = bus_, .frame = static_cast<std::uint16_t>(frame), .time = now, .age = age};
  if (late && !inlet.timed_out) {
    ++inlet.counts.timeouts;
    entry.is = was_seen ? TimeOut::Is::timed_out : TimeOut::Is::never_seen;
    log_.note(entry);
  } else if (!late && inlet.timed_out) {
    entry.is = TimeOut::Is::back;
    log_.note(entry);
  }
  inlet.timed_out = late;
  if (!late && was_seen) inlet.counts.max_age = std::max(inlet.counts.max_age, age);
}

void PlantSide::publish(SimTime now, WallTime wall, const std::byte* memory) noexcept {
  for (Outlet& outlet : outlets_) {
    // A longer window may already have been computed, and be of a time to come: its value is taken at its end.
    for (std::size_t k = 0; k < outlet.offsets.size(); ++k) {
      if (outlet.offsets[k] == not_of_plant || now.since_origin() % outlet.windows[k] != SimDuration{}) continue;
      double value = 0.0;
      std::memcpy(&value, memory + outlet.offsets[k], sizeof value);
      outlet.values[k] = value * outlet.fields[k]->scale + outlet.fields[k]->offset;
    }
    if (now < outlet.due) continue;
    const SimDuration period{outlet.plan->period_ns};  // the grid is kept: what was missed is not sent later
    outlet.due += period * ((now - outlet.due) / period + 1);
    hand_over(outlet, now, wall);
  }
}

void PlantSide::publish_safe(SimTime now, WallTime wall) noexcept {
  for (Outlet& outlet : outlets_) {
    const bool is_known = std::all_of(outlet.fields.begin(), outlet.fields.end(),
                                      [](const FieldPlan* field) { return !std::isnan(field->safe); });
    if (!outlet.was_sent && !is_known) continue;
    for (std::size_t k = 0; k < outlet.fields.size(); ++k)
      if (!std::isnan(outlet.fields[k]->safe)) outlet.values[k] = outlet.fields[k]->safe;
    hand_over(outlet, now, wall);
  }
}

void PlantSide::hand_over(Outlet& outlet, SimTime now, WallTime wall) noexcept {
  ValueRing::Row* const row = outlet.ring->begin();
  if (row == nullptr) {
    ++send_ring_full_;
    return;
  }
  row->stamp = wall, row->time_ns = now.ns();
  std::copy(outlet.values.begin(), outlet.values.end(), row->values);
  outlet.was_sent = true;
  outlet.ring->push();
}

}  // namespace takt::udp
