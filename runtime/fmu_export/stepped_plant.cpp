#include "runtime/fmu_export/stepped_plant.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "runtime/executive/start_up.hpp"
#include "runtime/start/steady_state.hpp"
#include "runtime/start/tuned_steps.hpp"

namespace takt::fmu_export {
namespace {

double* doubles(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<double*>(plant.memory + offset);
}

template <class Index>
std::vector<Index> indices(std::size_t count) {
  std::vector<Index> all(count);
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

constexpr double ledger_share = 1e-9;  // as Executive::Options::ledger_alarm

}  // namespace

PlantDescription SteppedPlant::with_memory(const PlantDescription& original, std::vector<Line>& lines) {
  PlantDescription own = original;
  lines.resize((original.memory_size + sizeof(Line) - 1) / sizeof(Line));
  own.memory = reinterpret_cast<std::byte*>(lines.data());
  std::memcpy(own.memory, original.memory, original.memory_size);
  return own;
}

SteppedPlant::SteppedPlant(const PlantDescription& original, std::span<const Given> start)
    : plant_(with_memory(original, lines_)),
      schedule_(plant_),
      all_(indices<std::uint16_t>(plant_.subsystems.size())),
      shown_(doubles(plant_, plant_.inputs_offset), plant_.plant_inputs.size()),
      latch_(schedule_, shown_),
      exchanges_(plant_, {}),
      watch_(plant_, all_),
      ledgers_(exchanges_, ledger_share, indices<std::uint32_t>(plant_.exchanges.size())),
      digest_(plant_, exchanges_, shown_) {
  take(start);
  begin();
}

/// Start values, within their limits.
void SteppedPlant::take(std::span<const Given> start) {
  for (std::size_t i = 0; i < shown_.size(); ++i) shown_[i] = plant_.plant_inputs[i].start;
  std::vector<std::string> changed;
  for (const Given& given : start) {
    double& place = *doubles(plant_, plant_.table[given.row].offset);
    if (plant_.table[given.row].role == Role::parameter && place != given.value)
      changed.emplace_back(plant_.table[given.row].path);
    place = given.value;
  }
  inputs_.assign(shown_.begin(), shown_.end());
  if (const char* wrong = plant_.check != nullptr ? plant_.check(plant_.memory) : nullptr)
    throw std::runtime_error(wrong);
  if (const std::string unstable = unstable_after_tuning(plant_, changed); !unstable.empty())
    throw std::runtime_error(unstable);
}

/// As Executive::prepare() and what it does at time 0.
void SteppedPlant::begin() {
  latch_.begin();
  const int unsettled = exchanges_.settle();
  if (unsettled >= 0) unsettled_ = plant_.exchanges[static_cast<std::size_t>(unsettled)].from;
  if (plant_.steady_start) {
    (void)find_steady_state(plant_);
    exchanges_.begin_histories();
  }
  start_histories(plant_, schedule_, exchanges_);
  watch_.begin();
  bool sound = observe() && watch_.after_inputs() == ResultWatch::Finding::none;
  for (std::size_t i = 0; sound && i < plant_.subsystems.size(); ++i)
    sound = watch_.after_window(i, SimTime{}, true) == ResultWatch::Finding::none;
  if (!sound) throw std::runtime_error(problem());
  std::uint64_t sum = 0;
  for (const std::uint16_t subsystem : all_) (void)digest_.add(subsystem, sum);
  digest_.close(0, sum);
}

bool SteppedPlant::compute(const Schedule::Slot& slot, SimTime begin, std::uint64_t& sum) noexcept {
  exchanges_.feed(slot.subsystem, latch_.seen_by(slot));
  slot.run(slot.own, slot.window_of(begin));
  if (watch_.after_window(slot.subsystem, slot.end_of(begin), !slot.last) != ResultWatch::Finding::none) return false;
  exchanges_.collect(slot.subsystem);
  if (!slot.last) return true;
  if (!digest_.add(slot.subsystem, sum)) {
    (void)watch_.not_finite(slot.subsystem);
    return false;
  }
  ledgers_.after(slot.subsystem);
  return true;
}

bool SteppedPlant::step() noexcept {
  const SimTime begin = now();
  std::copy(inputs_.begin(), inputs_.end(), latch_.newest().begin());
  observed_ = false;
  std::uint64_t sum = 0;
  std::uint32_t opened = 0;
  const auto open = [&] {
    if (schedule_.instants()[opened].takes_inputs) latch_.take(opened);
    ++opened;
    return watch_.after_inputs() == ResultWatch::Finding::none;
  };
  for (const Schedule::Slot& slot : schedule_.slots()) {
    while (opened < slot.opens)
      if (!open()) return false;
    if (!compute(slot, begin, sum)) return false;
  }
  while (opened < schedule_.instants().size())
    if (!open()) return false;
  ++macro_steps_;
  ledger_alarms_ += ledgers_.judge(now());
  digest_.close(macro_steps_, sum);
  return true;
}

bool SteppedPlant::observe() noexcept {
  if (observed_) return true;
  const SimTime time = now();
  const bool started = macro_steps_ > 0;
  for (const SubsystemDescription& s : plant_.subsystems) {
    if (s.observe == nullptr) continue;
    const std::int64_t since_ns = started ? s.period_ns : 0;
    s.observe(plant_.memory + s.offset, static_cast<double>(time.ns()) / 1e9, static_cast<double>(since_ns) / 1e9);
  }
  watch_.note_events(time);
  for (std::size_t i = 0; i < plant_.subsystems.size(); ++i)
    if (watch_.after_observing(i) != ResultWatch::Finding::none) return false;
  return observed_ = true;
}

/// As Steering::apply().
std::string SteppedPlant::tune(std::uint32_t row, double value) {
  if (!tuner_) tuner_ = std::make_unique<Tuner>(plant_, Tuned(plant_));
  const std::unique_ptr<Patch> patch = tuner_->compute({.verb = Action::Verb::tune, .target = row, .value = value});
  if (!patch->refused.empty()) return patch->refused;
  const double time = now().seconds();
  const auto since = [&](const SubsystemDescription& s) {
    return macro_steps_ > 0 ? static_cast<double>(s.period_ns) * 1e-9 : 0.0;
  };
  for (const std::uint16_t subsystem : patch->subsystems) {
    const SubsystemDescription& s = plant_.subsystems[subsystem];
    if (s.observe != nullptr) s.observe(plant_.memory + s.offset, time, since(s));
  }
  for (const Patch::Word& word : patch->words) std::memcpy(plant_.memory + word.offset, &word.bits, sizeof word.bits);
  for (const std::uint16_t subsystem : patch->subsystems) {
    const SubsystemDescription& s = plant_.subsystems[subsystem];
    if (s.tuned == nullptr) continue;
    double* energy = doubles(plant_, s.energy_offset);
    const double before = energy[3];
    s.tuned(plant_.memory + s.offset, time, since(s));
    energy[0] += energy[3] - before;
    energy[4] += std::abs(energy[3] - before);
  }
  observed_ = false;
  return {};
}

PlantState SteppedPlant::state() const {
  PlantState state{.macro_steps = macro_steps_,
                   .digest = digest_.value(),
                   .memory = {plant_.memory, plant_.memory + plant_.memory_size},
                   .exchanges = std::vector<std::byte>(exchanges_.state_size()),
                   .inputs = inputs_,
                   .events = {}};
  exchanges_.save(state.exchanges.data());
  std::size_t events = 0;
  for (const SubsystemDescription& s : plant_.subsystems) events += s.events.size();
  state.events.resize(events);
  auto place = state.events.begin();
  for (std::size_t i = 0; i < plant_.subsystems.size(); ++i) place = watch_.save_begin(i, place);
  return state;
}

bool SteppedPlant::restore(const PlantState& state) {
  std::size_t events = 0;
  for (const SubsystemDescription& s : plant_.subsystems) events += s.events.size();
  if (state.memory.size() != plant_.memory_size || state.exchanges.size() != exchanges_.state_size() ||
      state.inputs.size() != inputs_.size() || state.events.size() != events)
    return false;
  std::memcpy(plant_.memory, state.memory.data(), state.memory.size());
  exchanges_.restore(state.exchanges.data());
  inputs_ = state.inputs;
  auto place = state.events.begin();
  for (std::size_t i = 0; i < plant_.subsystems.size(); ++i) place = watch_.restore_begin(i, place);
  digest_.go_on(state.digest);
  macro_steps_ = state.macro_steps;
  latch_.begin();
  tuner_.reset();  // what it knows are the parameters of before
  observed_ = false;
  return true;
}

}  // namespace takt::fmu_export
