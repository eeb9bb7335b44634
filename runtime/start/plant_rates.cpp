#include "runtime/start/plant_rates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/solver/typical_change.hpp"

namespace takt::start {
namespace {

constexpr int newton_passes = 20;  // repeated solutions of nonlinear blocks, each with the plant's iterations
constexpr int most_sweeps = 300;   // over all subsystems, until coupled values stop changing
constexpr double still = 1e-14;    // relative change of a coupled value that counts as none, after the first sweeps

double* doubles(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<double*>(plant.memory + offset);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool is_discrete(const SubsystemDescription& s) { return std::string_view(s.method) == "discrete"; }

}  // namespace

PlantRates::PlantRates(const PlantDescription& plant)
    : plant_(plant),
      links_(plant.subsystems.size()),
      observed_(plant.subsystems.size()),
      stale_(plant.subsystems.size(), 1),
      touched_(plant.subsystems.size(), 1),
      fluxes_(plant.subsystems.size(), 0) {
  std::unordered_map<std::size_t, const MemoryEntry*> by_offset;
  for (const MemoryEntry& entry : plant.all_rows()) {
    if (entry.role == Role::state) by_offset.emplace(entry.offset, &entry);
    const bool observable = entry.role == Role::signal || entry.role == Role::output;
    if (observable && entry.subsystem < observed_.size())
      observed_[entry.subsystem].push_back({doubles(plant, entry.offset), typical_change(entry.unit)});
  }
  const auto count = static_cast<std::uint16_t>(plant.subsystems.size());
  for (std::uint16_t index = 0; index < count; ++index) {
    const SubsystemDescription& s = plant.subsystems[index];
    first_.push_back(states_.size());
    if (s.rates == nullptr) continue;
    for (std::uint32_t k = 0; k < s.states; ++k) {
      const std::size_t offset = s.states_offset + k * sizeof(double);
      const auto entry = by_offset.find(offset);
      const bool named = entry != by_offset.end();
      states_.push_back({.subsystem = index,
                         .value = doubles(plant, offset),
                         .discrete = is_discrete(s),
                         .fixed = std::find(s.fixed.begin(), s.fixed.end(), k) != s.fixed.end(),
                         .path = named ? entry->second->path : std::string(s.name) + " state " + std::to_string(k),
                         .unit = named ? entry->second->unit : ""});
    }
  }
  for (const ExchangePlan& exchange : plant.exchanges) {
    const SubsystemDescription &producer = plant.subsystems[exchange.producer],
                               &consumer = plant.subsystems[exchange.consumer];
    const std::size_t output = exchange.kind == CouplingKind::flux ? exchange.flux_value : exchange.output;
    auto* input = reinterpret_cast<InputPolynomial*>(plant.memory + consumer.inputs_offset) + exchange.input;
    if (exchange.delay.travel_s > 0.0) {  // at rest what arrives is what leaves: a state that follows it
      lines_.push_back({doubles(plant, producer.outputs_offset) + output, exchange.delay.travel_s});
      states_.push_back({.subsystem = exchange.consumer,
                         .value = &input->c0,
                         .discrete = false,
                         .fixed = false,
                         .path = exchange.to,
                         .unit = exchange.quantity});
      continue;
    }
    if (exchange.kind == CouplingKind::flux) fluxes_[exchange.producer] = 1;
    links_[exchange.producer].push_back({doubles(plant, producer.outputs_offset) + output, input, exchange.consumer});
  }
  rates_.assign(states_.size(), 0.0);
  std::map<std::pair<std::uint16_t, std::string_view>, std::size_t> kinds;
  for (std::size_t i = 0; i < states_.size(); ++i)
    states_[i].kind = kinds.try_emplace({states_[i].subsystem, states_[i].unit}, i).first->second;
}

std::vector<double> PlantRates::values() const {
  std::vector<double> z;
  for (const PlantState& state : states_) z.push_back(*state.value);
  return z;
}

std::vector<std::string> PlantRates::without_rates() const {
  std::vector<std::string> names;
  for (const SubsystemDescription& s : plant_.subsystems)
    if (s.rates == nullptr) names.emplace_back(s.name);
  return names;
}

void PlantRates::set(const std::vector<double>& z) {
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (same_bits(*states_[i].value, z[i])) continue;
    *states_[i].value = z[i];
    stale_[states_[i].subsystem] = touched_[states_[i].subsystem] = 1;
  }
}

const std::vector<double>& PlantRates::at(const std::vector<double>& z) {
  kept_.is_now = false;
  set(z);
  propagate();
  follow_lines();
  return rates_;
}

const std::vector<double>& PlantRates::afresh(const std::vector<double>& z) {
  kept_.is_now = false;
  set(z);
  std::fill(stale_.begin(), stale_.end(), char{1});
  std::fill(touched_.begin(), touched_.end(), char{1});
  propagate();
  follow_lines();
  for (std::uint16_t index = 0; index < plant_.subsystems.size(); ++index) observe(index);
  return rates_;
}

void PlantRates::follow_lines() {
  const std::size_t first = states_.size() - lines_.size();
  for (std::size_t k = 0; k < lines_.size(); ++k)
    rates_[first + k] = (*lines_[k].leaves - *states_[first + k].value) / lines_[k].travel_s;
}

void PlantRates::propagate() {
  const int exact_sweeps = static_cast<int>(plant_.subsystems.size()) + 2;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    settled_ = true;
    for (const WindowPlan& window : plant_.windows) {
      if (!stale_[window.subsystem]) continue;
      stale_[window.subsystem] = 0;
      compute(window.subsystem);
      if (hand_on(window.subsystem, sweep < exact_sweeps ? 0.0 : still)) settled_ = false;
    }
    if (settled_) return;
  }
}

/// Nonlinear blocks are solved until their residual stops falling: rates must be a function of the states, not of the
/// guess the blocks began with.
void PlantRates::compute(std::uint16_t index) {
  const SubsystemDescription& s = plant_.subsystems[index];
  touched_[index] = 1;
  if (s.rates == nullptr) {
    s.initialize(plant_.memory + s.offset);
    return;
  }
  double* rates = rates_.data() + first_[index];
  double* newton = s.newton_blocks > 0 ? doubles(plant_, s.newton_offset) : nullptr;
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < newton_passes; ++pass) {
    if (newton != nullptr) newton[0] = 0.0;
    s.rates(plant_.memory + s.offset, rates);
    if (newton == nullptr || newton[0] == 0.0 || !(newton[0] < 0.5 * last)) break;
    last = newton[0];
  }
  if (fluxes_[index] != 0) observe(index);
}

void PlantRates::observe(std::uint16_t index) {
  const SubsystemDescription& s = plant_.subsystems[index];
  if (s.observe != nullptr) s.observe(plant_.memory + s.offset, 0.0, 0.0);
}

bool PlantRates::hand_on(std::uint16_t producer, double tolerance) {
  bool any = false;
  for (const Link& link : links_[producer]) {
    const double before = link.input->c0, now = *link.output;
    if (same_bits(before, now)) continue;
    link.input->c0 = now;
    touched_[link.consumer] = 1;
    if (std::fabs(now - before) <= tolerance * std::fabs(now)) continue;
    stale_[link.consumer] = 1;
    any = true;
  }
  return any;
}

void PlantRates::keep() {
  if (kept_.is_now) return;
  kept_.memory.assign(plant_.memory, plant_.memory + plant_.memory_size);
  kept_.rates = rates_;
  kept_.is_now = true;
  std::fill(touched_.begin(), touched_.end(), char{0});
}

void PlantRates::go_back() {
  for (std::size_t index = 0; index < touched_.size(); ++index) {
    if (touched_[index] == 0) continue;
    const SubsystemDescription& s = plant_.subsystems[index];
    if (s.touched == 0) {  // not known
      std::copy(kept_.memory.begin(), kept_.memory.end(), plant_.memory);
      break;
    }
    const auto from = kept_.memory.begin() + static_cast<std::ptrdiff_t>(s.offset);
    std::copy(from, from + s.touched, plant_.memory + s.offset);
  }
  std::fill(touched_.begin(), touched_.end(), char{0});
  std::fill(stale_.begin(), stale_.end(), char{0});
  rates_ = kept_.rates;
  kept_.is_now = true;
}

/// @pre keep()
std::vector<double> PlantRates::between(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> answer = at(above);
  go_back();
  const std::vector<double>& other = at(below);
  for (std::size_t i = 0; i < answer.size(); ++i) answer[i] -= other[i];
  go_back();
  return answer;
}

std::vector<double> PlantRates::difference(const std::vector<double>& z, const std::vector<double>& steps) {
  keep();
  std::vector<double> above = z, below = z;
  for (std::size_t i = 0; i < z.size(); ++i) above[i] += steps[i], below[i] -= steps[i];
  return between(above, below);
}

std::vector<double> PlantRates::answer(const std::vector<double>& z, std::size_t state, double step) {
  const auto is_finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  keep();
  std::vector<double> above = z, below = z;
  const auto by = [&](double distance) {
    above[state] = z[state] + distance, below[state] = z[state] - distance;
    return between(above, below);
  };
  std::vector<double> change = by(step);
  for (double shorter = 1e-2; shorter > 1e-9 && !is_finite(change); shorter *= 1e-2) {
    change = by(shorter * step);
    for (double& value : change) value /= shorter;
  }
  return change;
}

double PlantRates::natural_step(std::size_t state) {
  constexpr int most_probes = 12;
  const std::uint16_t subsystem = states_[state].subsystem;
  const double base = *states_[state].value;
  double step = std::max(std::fabs(base), 1.0), response = 0.0;
  keep();
  std::vector<double> before;
  observe(subsystem);
  for (const Observed& at : observed_[subsystem]) before.push_back(*at.value);
  for (int probe = 0; probe < most_probes; ++probe) {
    *states_[state].value = base + step;
    compute(subsystem);
    observe(subsystem);
    response = 0.0;
    bool finite = true;
    for (std::size_t k = 0; k < before.size(); ++k) {
      const double change = std::fabs(*observed_[subsystem][k].value - before[k]) / observed_[subsystem][k].typical;
      finite = finite && std::isfinite(change);
      response = std::max(response, change);
    }
    go_back();
    if (finite && response <= 1.0) break;
    step = finite ? 0.5 * step / response : 1e-3 * step;
  }
  constexpr double least_response = 1e-3;  // a state that hardly shows has no larger magnitude than a thousand steps
  return std::isfinite(response) && response > 0.0 ? step / std::clamp(response, least_response, 1.0) : step;
}

}  // namespace takt::start
