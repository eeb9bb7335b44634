#include "runtime/steering/tuner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/start/tuned_steps.hpp"

namespace takt {
namespace {

std::uint64_t word_at(const std::byte* memory, std::size_t offset) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, memory + offset, sizeof bits);
  return bits;
}

std::size_t number_of_parameters(const PlantDescription& plant) {
  std::size_t number = 0;
  for (const MemoryEntry& entry : plant.all_rows())
    if (entry.role == Role::parameter || entry.role == Role::structural)
      number = std::max(number, (entry.offset - plant.parameters_offset) / sizeof(double) + 1);
  return number;
}

/// Where a subsystem's own memory ends: at the next one's, or that of the plant.
std::size_t end_of(const PlantDescription& plant, std::size_t subsystem) {
  std::size_t end = plant.memory_size;
  for (const SubsystemDescription& other : plant.subsystems)
    if (other.offset > plant.subsystems[subsystem].offset) end = std::min(end, other.offset);
  return end;
}

}  // namespace

Tuned::Tuned(const PlantDescription& plant) : faults(plant.faults.size()) {
  const auto* parameters = reinterpret_cast<const double*>(plant.memory + plant.parameters_offset);
  values.assign(parameters, parameters + number_of_parameters(plant));
}

void Tuned::take(const PlantDescription& plant, const Action& action) noexcept {
  if (action.verb == Action::Verb::tune) {
    values[(plant.table[action.target].offset - plant.parameters_offset) / sizeof(double)] = action.value;
    return;
  }
  const auto end = faults.begin() + fault_count;
  fault_count = static_cast<std::uint32_t>(std::remove(faults.begin(), end, action.target) - faults.begin());
  if (action.verb == Action::Verb::fault) faults[fault_count++] = action.target;
}

Tuner::Tuner(const PlantDescription& plant, Tuned tuned)
    : memory_((plant.memory_size + sizeof(Line) - 1) / sizeof(Line)), plant_(plant), tuned_(std::move(tuned)) {
  plant_.memory = reinterpret_cast<std::byte*>(memory_.data());
  std::memcpy(plant_.memory, plant.memory, plant.memory_size);
}

Tuner::~Tuner() {
  const Patch* patch = nullptr;
  while (done_.pop(patch)) delete patch;
  free_used();
}

void Tuner::free_used() noexcept {
  const Patch* patch = nullptr;
  while (used_.pop(patch)) delete patch;
}

bool Tuner::work() {
  free_used();
  Action action;
  if (!asked_.pop(action)) return false;
  done_.push(compute(action).release());
  return true;
}

/// Values of all parameters with the faults that are there.
std::vector<double> Tuner::wanted() const {
  std::vector<double> values = tuned_.values;
  for (std::uint32_t i = 0; i < tuned_.fault_count; ++i)
    for (const FaultChange& change : plant_.faults[tuned_.faults[i]].changes)
      values[change.parameter] =
          change.of == FaultChange::none ? change.value : change.factor * tuned_.values[change.of];
  return values;
}

std::string Tuner::refusal_of(const std::vector<std::uint32_t>& changed) const {
  if (const char* wrong = plant_.check != nullptr ? plant_.check(plant_.memory) : nullptr) return wrong;
  std::vector<std::string> paths;
  for (const MemoryEntry& entry : plant_.table) {
    if (entry.role != Role::parameter) continue;
    const auto index = static_cast<std::uint32_t>((entry.offset - plant_.parameters_offset) / sizeof(double));
    if (std::find(changed.begin(), changed.end(), index) != changed.end()) paths.emplace_back(entry.path);
  }
  return unstable_after_tuning(plant_, paths);
}

/// Its coefficients, and which of their words are others than before.
void Tuner::prepare(std::size_t subsystem, Patch& patch) {
  const SubsystemDescription& s = plant_.subsystems[subsystem];
  const auto* parameters = reinterpret_cast<const double*>(plant_.memory + plant_.parameters_offset);
  std::vector<double> read;
  for (const std::uint32_t parameter : s.parameters) read.push_back(parameters[parameter]);
  const std::size_t size = end_of(plant_, subsystem) - s.offset;
  const std::vector<std::byte> before(plant_.memory + s.offset, plant_.memory + s.offset + size);
  s.prepare(plant_.memory + s.offset, read.data());
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t)) {
    const std::uint64_t bits = word_at(plant_.memory + s.offset, at);
    if (bits != word_at(before.data(), at)) patch.words.push_back({s.offset + at, bits});
  }
  patch.subsystems.push_back(static_cast<std::uint16_t>(subsystem));
}

std::unique_ptr<Patch> Tuner::compute(const Action& action) {
  auto patch = std::make_unique<Patch>();
  patch->action = action;
  const Tuned tuned_before = tuned_;
  tuned_.take(plant_, action);

  auto* parameters = reinterpret_cast<double*>(plant_.memory + plant_.parameters_offset);
  const std::vector<double> before(parameters, parameters + tuned_.values.size());
  const std::vector<double> values = wanted();
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (std::bit_cast<std::uint64_t>(values[i]) != std::bit_cast<std::uint64_t>(before[i])) changed.push_back(i);
  std::copy(values.begin(), values.end(), parameters);
  patch->refused = refusal_of(changed);
  if (!patch->refused.empty()) {
    std::copy(before.begin(), before.end(), parameters);
    tuned_ = tuned_before;
    return patch;
  }
  for (const std::uint32_t i : changed)
    patch->words.push_back({plant_.parameters_offset + i * sizeof(double), std::bit_cast<std::uint64_t>(values[i])});
  for (std::size_t s = 0; s < plant_.subsystems.size(); ++s) {
    const auto reads = plant_.subsystems[s].parameters;
    if (std::any_of(changed.begin(), changed.end(),
                    [&](auto i) { return std::find(reads.begin(), reads.end(), i) != reads.end(); }))
      prepare(s, *patch);
  }
  return patch;
}

}  // namespace takt
