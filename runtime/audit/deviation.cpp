#include "runtime/audit/deviation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "runtime/audit/signal_scale.hpp"
#include "runtime/solver/typical_change.hpp"
#include "runtime/start/plant_rates.hpp"

namespace takt {
namespace {

constexpr double beside_neighbours = 1e-2;   // a range this part of its neighbours' counts as that part, unless
constexpr double left_of_errors = 0.5;       // it is confirmed by the finer plan: of errors less than this is left
constexpr double beside_value = 1e-6;        // of the value itself: below is rounding
constexpr double beside_energies = 1e-12;    // of the plant's largest energy: below is rounding
constexpr double beside_content = 1e-4;      // of a content: gas that has warmed by 0.03 K has not moved
constexpr double beside_natural = 1e-4;      // of the step of a state that moves what can be seen by a typical change
constexpr std::uint64_t fewest_swings = 16;  // from which on an oscillation is judged as one
constexpr double still_growing = 0.8;        // of the last quarter, in the second: 0.43 where a phase drifts evenly
constexpr double leaping = 0.75;             // of its way: a signal that switches
constexpr double beside_leap = 0.25;         // of it are the steps before and after; a fast decay has larger ones
constexpr double out_of_phase = 0.5;         // of the spread: too far apart to come farther

double at(const PlantCopy& copy, std::size_t offset) {
  return *reinterpret_cast<const double*>(copy.memory.data() + offset);
}

/// Charges, fluxes, masses and energies are as small as what they belong to.
bool has_typical_change(std::string_view unit) {
  for (const std::string_view known : {"V", "A", "K", "Pa", "rad/s", "rad", "m/s", "J/kg"})
    if (unit == known) return true;
  return false;
}

/// What it is the rate of is judged, too, and has a size.
bool is_rate(std::string_view path) { return path.ends_with(".der"); }

}  // namespace

std::vector<Quantity> compared_quantities(const PlantDescription& plant) {
  std::map<std::size_t, const MemoryEntry*> entry_at;
  for (const MemoryEntry& entry : plant.table)
    if (entry.role == Role::state || entry.role == Role::output) entry_at.emplace(entry.offset, &entry);
  std::vector<Quantity> quantities;
  const auto add = [&](std::uint16_t index, std::size_t offset) {
    const auto found = entry_at.find(offset);
    const bool known = found != entry_at.end();
    const std::string path = known ? found->second->path : std::string("a state of ") + plant.subsystems[index].name;
    const bool twice =
        std::any_of(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.path == path && known; });
    if (!twice && !is_rate(path)) quantities.push_back({path, known ? found->second->unit : "", index, offset, false});
  };
  const auto count = static_cast<std::uint16_t>(plant.subsystems.size());
  for (std::uint16_t index = 0; index < count; ++index) {
    const SubsystemDescription& s = plant.subsystems[index];
    if (std::string_view(s.method) == "discrete") continue;
    for (std::size_t state = 0; state < s.states; ++state) add(index, s.states_offset + state * sizeof(double));
    for (const ExchangePlan& exchange : plant.exchanges)
      if (exchange.producer == index && exchange.kind == CouplingKind::potential)
        add(index, s.outputs_offset + exchange.output * sizeof(double));
    // Streams carry enthalpies in and out whose difference is rounding; what is lost and warms a wall is a state there.
    const std::string_view domain = s.domain;
    if (domain != "electric") continue;
    const char* const names[] = {"supplied to", "dissipated in", "exchanged by"};
    for (std::size_t k = 0; k < 3; ++k)
      quantities.push_back(
          {std::string("energy ") + names[k] + " " + s.name, "J", index, s.energy_offset + k * sizeof(double), true});
  }
  for (const RecordPlan& record : plant.records)
    for (const std::uint32_t index : record.entries) {
      const MemoryEntry& entry = plant.table[index];
      if (entry.subsystem >= plant.subsystems.size()) continue;
      const SubsystemDescription& s = plant.subsystems[entry.subsystem];
      const bool twice =
          std::any_of(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.path == entry.path; });
      const bool sampled = std::string_view(s.method) == "discrete";
      const bool kept = sampled ? entry.role == Role::output : entry.role == Role::signal && s.observe != nullptr;
      if (kept && !twice && !is_rate(entry.path))
        quantities.push_back({.path = entry.path,
                              .unit = entry.unit,
                              .subsystem = entry.subsystem,
                              .offset = entry.offset,
                              .seen = !sampled,
                              .sampled = sampled});
    }
  return quantities;
}

void give_least_ranges(std::span<Quantity> quantities, Replica& replica) {
  const PlantDescription& plant = replica.plan().plant;
  start::PlantRates rates(plant);
  for (std::size_t k = 0; k < rates.states().size(); ++k) {
    const auto offset =
        static_cast<std::size_t>(reinterpret_cast<const std::byte*>(rates.states()[k].value) - plant.memory);
    for (Quantity& quantity : quantities)
      if (quantity.offset == offset && !quantity.energy && !has_typical_change(quantity.unit))
        quantity.least_range = beside_natural * rates.natural_step(k);
  }
}

void ValueShape::add(double value, double middle, double band) noexcept {
  if (samples == 0) low = high = last = value, above = value > middle;
  const double now = std::abs(value - last);
  if (step > band && std::max(step_before, now) < beside_leap * step) leaps += step;
  way += now;
  step_before = step, step = now, last = value;
  low = std::min(low, value);
  high = std::max(high, value);
  sum += value;
  squares += value * value;
  ++samples;
  const bool turned = above ? value < middle - band : value > middle + band;
  if (turned) above = !above, ++swings;
}

double ValueShape::spread() const noexcept {
  if (samples == 0) return 0.0;
  return std::sqrt(std::max(0.0, squares / static_cast<double>(samples) - mean() * mean()));
}

bool ValueShape::switches() const noexcept { return leaps > leaping * way; }

void Deviation::add(double time_s, double own_value, double finer_value) noexcept {
  const Sample now{time_s, own_value, finer_value};
  if (seen_ > 0) {
    const Sample& first = seen_ > 1 ? before_ : last_;
    const double low = std::min(first.finer, now.finer), high = std::max(first.finer, now.finer),
                 near = 0.1 * (high - low);
    const bool agree = std::abs(first.off()) <= near && std::abs(now.off()) <= near;
    const bool on_jump =
        seen_ > 1 && agree && last_.own >= low - near && last_.own <= high + near && std::abs(last_.off()) > near;
    if (on_jump)
      ++on_jumps_, squares_on_jumps_ += last_.off() * last_.off();
    else
      take(last_);
  }
  before_ = last_, last_ = now;
  ++seen_;
}

void Deviation::end() noexcept {
  if (seen_ > 0) take(last_);
  constexpr double few = 0.03;  // of all samples
  if (static_cast<double>(on_jumps_) <= few * static_cast<double>(seen_)) on_jumps_ = 0, squares_on_jumps_ = 0.0;
}

void Deviation::take(const Sample& at) noexcept {
  squares.add(at.time_s, at.off() * at.off());
  signs.add(at.time_s, at.off());
  if (std::abs(at.off()) > largest) largest = std::abs(at.off()), largest_at_s = at.time_s;
}

double Deviation::rms() const noexcept {
  double sum = squares_on_jumps_;
  std::uint64_t samples = on_jumps_;
  for (std::size_t i = 0; i < squares.size(); ++i) sum += squares[i].sum, samples += squares[i].samples;
  return samples > 0 ? std::sqrt(sum / static_cast<double>(samples)) : 0.0;
}

double Deviation::rms_of_averages() const noexcept {
  double sum = 0.0, samples = 0.0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const auto weight = static_cast<double>(signs[i].samples);
    sum += weight * signs[i].mean() * signs[i].mean(), samples += weight;
  }
  return samples > 0.0 ? std::sqrt(sum / samples) : 0.0;
}

double Deviation::rms_within(double from, double to) const noexcept {
  const auto size = static_cast<double>(squares.size());
  const auto first = static_cast<std::size_t>(from * size), end = static_cast<std::size_t>(std::ceil(to * size));
  double sum = 0.0;
  std::uint64_t samples = 0;
  for (std::size_t i = first; i < end; ++i) sum += squares[i].sum, samples += squares[i].samples;
  return samples > 0 ? std::sqrt(sum / static_cast<double>(samples)) : 0.0;
}

Deviations::Deviations(std::span<const Quantity> quantities, std::span<const PlantCopy> copies)
    : quantities_(quantities), deviations_(quantities.size()), low_(quantities.size()), high_(quantities.size()) {
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    low_[i] = high_[i] = at(copies.front(), quantities[i].offset);
    for (const PlantCopy& copy : copies) {
      low_[i] = std::min(low_[i], at(copy, quantities[i].offset));
      high_[i] = std::max(high_[i], at(copy, quantities[i].offset));
    }
  }
}

void read_values(std::span<const Quantity> quantities, const Replica& replica, std::span<double> values) noexcept {
  for (std::size_t i = 0; i < quantities.size(); ++i) values[i] = replica.value_at(quantities[i].offset);
}

void Deviations::begin(std::span<const double> own, std::span<const double> finer) {
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    if (!quantities_[i].energy) continue;
    deviations_[i].first_own = own[i];
    deviations_[i].first_finer = finer[i];
  }
}

void Deviations::compare(std::span<const double> own, std::span<const double> finer, double time_s) {
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    Deviation& d = deviations_[i];
    const double a = own[i] - d.first_own, b = finer[i] - d.first_finer;
    if (!std::isfinite(b)) {
      d.finite = false;
      continue;
    }
    const double middle = 0.5 * (low_[i] + high_[i]), band = 0.1 * (high_[i] - low_[i]);
    d.own.add(a, middle, band);
    d.finer.add(b, middle, band);
    d.add(time_s, a, b);
  }
}

void Deviations::end() {
  for (Deviation& deviation : deviations_) deviation.end();
}

std::vector<double> Deviations::ranges() const {
  std::vector<double> range(quantities_.size()), size(quantities_.size());
  struct Neighbours {
    double range = 0.0, size = 0.0;
  };
  std::map<std::pair<std::uint16_t, std::string>, Neighbours> of_unit;
  double most_energy = 0.0;
  const auto neighbours = [&](std::size_t i) -> Neighbours& {
    return of_unit[std::pair(quantities_[i].subsystem, quantities_[i].energy ? "energy" : quantities_[i].unit)];
  };
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Deviation& d = deviations_[i];
    // An energy counts from the beginning of the stretch, elsewhere the whole run says what is much.
    const double low = std::min(d.own.low, d.finer.low), high = std::max(d.own.high, d.finer.high);
    const bool energy = quantities_[i].energy;
    range[i] = energy ? std::max(high, 0.0) - std::min(low, 0.0) : std::max(high, high_[i]) - std::min(low, low_[i]);
    size[i] = energy ? 0.0 : std::max({std::abs(low_[i]), std::abs(high_[i]), std::abs(low), std::abs(high)});
    Neighbours& most = neighbours(i);
    most = {std::max(most.range, range[i]), std::max(most.size, size[i])};
    if (energy) most_energy = std::max(most_energy, range[i]);
  }
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Neighbours& most = neighbours(i);
    const bool typical = quantities_[i].seen || quantities_[i].sampled || has_typical_change(quantities_[i].unit);
    const bool on_its_own = is_on_its_own(i) && range[i] >= rounding_beside(quantities_[i].unit) * most.size;
    range[i] = std::max(range[i], (typical ? beside_value : beside_content) * size[i]);
    if (!on_its_own) range[i] = std::max(range[i], (quantities_[i].energy ? 1.0 : beside_neighbours) * most.range);
    if (quantities_[i].energy) range[i] = std::max(range[i], beside_energies * most_energy);
    range[i] = std::max(range[i], typical ? resting_change(quantities_[i].unit) : quantities_[i].least_range);
  }
  return range;
}

/// A signal that is merely small, not what is left of the errors of larger ones.
bool Deviations::is_on_its_own(std::size_t i) const {
  const ValueShape &own = deviations_[i].own, &finer = deviations_[i].finer;
  return !quantities_[i].energy && is_confirmed(own.high - own.low, finer.high - finer.low, left_of_errors);
}

Judgement Deviations::judged(double limit, bool autonomous) const {
  const std::vector<double> range = ranges();
  Judgement worst;
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Deviation& d = deviations_[i];
    if (quantities_[i].sampled && d.finite && d.own.switches() && d.finer.switches()) continue;
    double error = range[i] > 0.0 ? (quantities_[i].seen ? d.rms_of_averages() : d.rms()) / range[i] : 0.0;
    if (!d.finite) error = std::numeric_limits<double>::infinity();
    if (error > limit && d.finite && is_drift_of_phase(d, range[i], limit, autonomous)) {
      worst.drifts = true;
      continue;
    }
    if (error > worst.error) worst.error = error, worst.quantity = i, worst.at_s = d.largest_at_s;
  }
  return worst;
}

bool is_drift_of_phase(const Deviation& deviation, double range, double limit, bool autonomous) {
  const ValueShape &own = deviation.own, &finer = deviation.finer;
  const double swings = static_cast<double>(finer.swings), off = std::abs(static_cast<double>(own.swings) - swings);
  const bool alike = finer.swings >= fewest_swings && off <= std::max(1.0, limit * swings) &&
                     std::abs(own.mean() - finer.mean()) <= limit * range &&
                     std::abs(own.spread() - finer.spread()) <= limit * range;
  const double early = deviation.rms_within(0.25, 0.5), late = deviation.rms_within(0.75, 1.0);
  const bool grows = autonomous || early <= still_growing * late || early >= out_of_phase * finer.spread();
  return alike && grows && deviation.rms_within(0.0, 1.0 / 16.0) <= limit * range;
}

}  // namespace takt
