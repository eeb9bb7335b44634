#include "runtime/steering/readings.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/math/elementary.hpp"
#include "runtime/plant/schedule.hpp"

namespace takt {
namespace {

bool is_read_from(const ReaderPoint& point, const MemoryEntry& row) {
  return point.source == row.offset || point.input == row.offset || std::string_view(point.path) == row.path;
}

bool is_sent(const PlantDescription& plant, const MemoryEntry& row) {
  return std::find(plant.sent_to_buses.begin(), plant.sent_to_buses.end(), row.offset) != plant.sent_to_buses.end();
}

const char* home_of(const PlantDescription& plant, const MemoryEntry& row) {
  return row.subsystem < plant.subsystems.size() ? plant.subsystems[row.subsystem].name : "the plant";
}

std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// Of a normal distribution, by time alone: whoever reads a noisy value at the same time sees the same. Box-Muller.
double normal(std::uint64_t seed, std::int64_t ns) noexcept {
  const std::uint64_t first = mixed(mixed(seed) ^ static_cast<std::uint64_t>(ns)), second = mixed(first);
  const double u = (static_cast<double>(first >> 11U) + 1.0) * 0x1p-53;
  const double phase = static_cast<double>(second >> 11U) * 0x1p-53;
  return math::sqrt(-2.0 * math::log(u)) * math::cos(6.283185307179586 * phase);
}

double integral(const InputPolynomial& u, double h) noexcept {
  return h * (u.c0 + h * (u.c1 / 2.0 + h * (u.c2 / 3.0 + h * (u.c3 / 4.0))));
}

}  // namespace

/// Half of its readers would see it.
static std::string why_not_seen(const PlantDescription& plant, const MemoryEntry& entry) {
  if (plant.elsewhere.empty()) return {};
  for (const ReaderPoint& point : reader_points(plant))
    if (is_read_from(point, entry) &&
        std::binary_search(plant.elsewhere.begin(), plant.elsewhere.end(), point.subsystem))
      return std::string("\"") + entry.path + "\" is read by " + plant.subsystems[point.subsystem].name +
             ", too, which another host computes: in real time that one would not see it";
  return {};
}

std::string why_not_overridden(const PlantDescription& plant, std::uint32_t row) {
  const MemoryEntry& entry = plant.table[row];
  if (std::string elsewhere = why_not_seen(plant, entry); !elsewhere.empty()) return elsewhere;
  for (const ReaderPoint& point : reader_points(plant))
    if (is_read_from(point, entry)) return {};
  if (is_sent(plant, entry)) return {};
  return std::string("\"") + entry.path + "\" is read only within " + home_of(plant, entry) +
         ", where it is computed: it cannot be overridden from outside";
}

std::string why_not_distorted(const PlantDescription& plant, std::uint32_t row, const Distortion& distortion) {
  const MemoryEntry& entry = plant.table[row];
  if (std::string elsewhere = why_not_seen(plant, entry); !elsewhere.empty()) return elsewhere;
  bool seen = is_sent(plant, entry);
  for (const ReaderPoint& point : reader_points(plant)) seen = seen || (is_read_from(point, entry) && point.sampled);
  std::int64_t shortest = plant.macro_step_ns;
  for (const SubsystemDescription& s : plant.subsystems) shortest = std::min(shortest, s.period_ns);
  if (!seen)
    return std::string("\"") + entry.path +
           "\" is read by no control block of another rate or circuit and sent on no bus: no sensor of it can fail";
  if (distortion.kind == Distortion::Kind::delay &&
      distortion.amount > static_cast<double>(shortest) * 1e-9 * (Readings::delay_samples - 2))
    return std::string(entry.path) + ": that delay is longer than the " + std::to_string(Readings::delay_samples - 2) +
           " windows of its readers that are kept";
  return {};
}

Readings::Readings(const PlantDescription& plant)
    : plant_(plant),
      points_(reader_points(plant)),
      readers_(points_.size()),
      ranges_(plant.subsystems.size()),
      sent_(plant.sent_to_buses.size()),
      sent_copy_(plant.sent_to_buses.empty() ? 0 : plant.memory_size),
      taken_(delays),
      samples_(delays * delay_samples) {
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    Range& range = ranges_[points_[i].subsystem];
    if (range.begin == range.end) range.begin = i;
    range.end = i + 1;
  }
}

template <class Call>
void Readings::for_readers(std::uint32_t row, bool sampled_only, const Call& call) noexcept {
  const MemoryEntry& entry = plant_.table[row];
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (is_read_from(points_[i], entry) && (points_[i].sampled || !sampled_only))
      call(readers_[i], ranges_[points_[i].subsystem].active);
  for (std::size_t i = 0; i < sent_.size(); ++i)
    if (plant_.sent_to_buses[i] == entry.offset) call(sent_[i], sent_changes_);
}

bool Readings::take_delay(Change& change) noexcept {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i] != 0) continue;
    taken_[i] = 1;
    change.delay = static_cast<std::int16_t>(i);
    return true;
  }
  return false;
}

void Readings::stop(Change& change) noexcept {
  if (change.delay >= 0) taken_[static_cast<std::size_t>(change.delay)] = 0;
  change = {};
}

bool Readings::begin(const Action& action, SimTime now) noexcept {
  const bool injects = action.verb == Action::Verb::inject;
  const Distortion distortion = injects ? action.distortion : Distortion{.amount = action.value};
  end(action.target, injects ? Action::Verb::clear : Action::Verb::release);
  bool whole = true;
  for_readers(action.target, injects, [&](Reader& reader, std::uint32_t& active) {
    Change& change = injects ? reader.injected : reader.overridden;
    change = {.distortion = distortion, .since_s = now.seconds()};
    if (distortion.kind == Distortion::Kind::delay && !take_delay(change)) {
      whole = false;
      return;
    }
    change.active = true;
    reader.was_overridden = reader.was_overridden || !injects;
    ++active;
  });
  if (!whole) end(action.target, Action::Verb::clear);
  return whole;
}

void Readings::end(std::uint32_t row, Action::Verb verb) noexcept {
  for_readers(row, false, [&](Reader& reader, std::uint32_t& active) {
    Change& change = verb == Action::Verb::clear ? reader.injected : reader.overridden;
    active -= change.active ? 1 : 0;
    stop(change);
  });
}

void Readings::distort(std::uint16_t subsystem, const Window& window) noexcept {
  const Range& range = ranges_[subsystem];
  const double length_s = static_cast<double>(window.steps * window.step_ns) * 1e-9;
  const SimTime at{window.start_ns};
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    Reader& reader = readers_[i];
    InputPolynomial& seen = input(points_[i]);
    if (points_[i].flux && reader.overridden.active) reader.planned = integral(seen, length_s);
    if (reader.injected.active) apply(reader.injected, seen, at);
    if (reader.overridden.active) apply(reader.overridden, seen, at);
  }
}

void Readings::book(std::uint16_t subsystem) noexcept {
  const Range& range = ranges_[subsystem];
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    if (!points_[i].flux || !readers_[i].overridden.active) continue;
    double& received = value(points_[i].received);
    readers_[i].booked += received - readers_[i].planned;
    received = readers_[i].planned;
  }
}

void Readings::apply(Change& change, InputPolynomial& seen, SimTime at) noexcept {
  const Distortion& d = change.distortion;
  using Kind = Distortion::Kind;
  switch (d.kind) {
    case Kind::value:
    case Kind::open:
      seen = {.c0 = d.amount};
      return;
    case Kind::stuck:
      if (!change.holds) change.held = seen.c0, change.holds = true;
      seen = {.c0 = change.held};
      return;
    case Kind::offset:
      seen.c0 += d.amount;
      return;
    case Kind::gain:
      seen = {d.amount * seen.c0, d.amount * seen.c1, d.amount * seen.c2, d.amount * seen.c3};
      return;
    case Kind::drift:
      seen.c0 += d.amount * (at.seconds() - change.since_s);
      seen.c1 += d.amount;
      return;
    case Kind::noise:
      seen.c0 += d.amount * normal(d.seed, at.ns());
      return;
    case Kind::delay:
      seen = {.c0 = delayed(change, {at.ns(), seen.c0})};
      return;
  }
}

/// Before so much time has passed, the first value.
double Readings::delayed(Change& change, const Sample& now) noexcept {
  Sample* ring = samples_.data() + static_cast<std::size_t>(change.delay) * delay_samples;
  const auto at = [&](std::uint64_t number) -> Sample& { return ring[number % delay_samples]; };
  if (change.written > 0 && at(change.written - 1).ns == now.ns)
    at(change.written - 1) = now;
  else
    at(change.written++) = now;
  const auto until = now.ns - static_cast<std::int64_t>(change.distortion.amount * 1e9 + 0.5);
  while (change.read + 1 < change.written && at(change.read + 1).ns <= until) ++change.read;
  return at(change.read).v;
}

const std::byte* Readings::as_sent(SimTime now) noexcept {
  if (sent_changes_ == 0) return plant_.memory;
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const std::size_t offset = plant_.sent_to_buses[i];
    InputPolynomial seen{.c0 = value(offset)};
    if (sent_[i].injected.active) apply(sent_[i].injected, seen, now);
    if (sent_[i].overridden.active) apply(sent_[i].overridden, seen, now);
    std::memcpy(sent_copy_.data() + offset, &seen.c0, sizeof seen.c0);
  }
  return sent_copy_.data();
}

std::vector<BookedFlux> Readings::booked() const {
  std::vector<BookedFlux> all;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!points_[i].flux || !readers_[i].was_overridden) continue;
    const auto row = std::find_if(plant_.table.begin(), plant_.table.end(),
                                  [&](const MemoryEntry& entry) { return entry.offset == points_[i].input; });
    all.push_back({row == plant_.table.end() ? "" : row->path, points_[i].unit, readers_[i].booked});
  }
  return all;
}

}  // namespace takt
