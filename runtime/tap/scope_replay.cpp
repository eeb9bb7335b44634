#include "runtime/tap/scope_replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "denormals.hpp"
#include "runtime/plant/window.hpp"

namespace takt {

std::size_t own_memory_size(const PlantDescription& plant, std::size_t subsystem) noexcept {
  const std::size_t begin = plant.subsystems[subsystem].offset;
  std::size_t end = plant.memory_size;
  for (const SubsystemDescription& other : plant.subsystems)
    if (other.offset > begin) end = std::min(end, other.offset);
  return end - begin;
}

std::string why_no_replay(const PlantDescription& plant, std::size_t subsystem) {
  const SubsystemDescription& s = plant.subsystems[subsystem];
  const std::string name = s.name;
  if (s.foreign) return name + " is computed by another program, which shows no micro-steps";
  if (s.period_ns != plant.macro_step_ns)
    return name + " exchanges several times in a macro-step: only a subsystem whose windows are macro-steps can be scoped";
  for (const ExchangePlan& exchange : plant.exchanges)
    if (exchange.delay.travel_s > 0.0 && (exchange.producer == subsystem || exchange.consumer == subsystem))
      return name + " has the end of a line, what arrives by it within a window is not kept";
  for (const SubsystemDescription& other : plant.subsystems)
    if (&other != &s && other.offset == s.offset) return name + " has no memory of its own";
  return {};
}

ScopeReplay::ScopeReplay(const PlantDescription& plant, std::uint16_t subsystem)
    : subsystem_(plant.subsystems[subsystem]),
      work_((own_memory_size(plant, subsystem) + sizeof(Line) - 1) / sizeof(Line)),
      largest_(subsystem_.states) {}

bool ScopeReplay::take(std::int64_t time_ns, std::span<const double> memory, const OnStep& each) {
  const bool follows = begin_ns_ >= 0 && time_ns == begin_ns_ + subsystem_.period_ns && begin_.size() == memory.size();
  if (follows) compute(memory, each);
  begin_.assign(memory.begin(), memory.end());
  begin_ns_ = time_ns;
  return follows;
}

void ScopeReplay::compute(std::span<const double> end, const OnStep& each) {
  const std::uint64_t control = platform::floating_point_control();
  platform::compute_as_in_runs();
  std::memcpy(own(), begin_.data(), begin_.size() * sizeof(double));
  std::vector<InputPolynomial> inputs(subsystem_.inputs);
  const auto* told = reinterpret_cast<const std::byte*>(end.data()) + (inputs.empty() ? 0 : at(subsystem_.inputs_offset));
  if (!inputs.empty()) std::memcpy(inputs.data(), told, inputs.size() * sizeof(InputPolynomial));
  auto* to = reinterpret_cast<InputPolynomial*>(own() + (inputs.empty() ? 0 : at(subsystem_.inputs_offset)));
  const std::int64_t h = subsystem_.step_ns;
  for (std::int64_t step = 0; step < steps_per_window(); ++step) {
    const double passed = static_cast<double>(step * h) / 1e9;
    for (std::size_t k = 0; k < inputs.size(); ++k) to[k] = step == 0 ? inputs[k] : inputs[k].from(passed);
    const std::int64_t begins = begin_ns_ + step * h;
    subsystem_.run(own(), {.start_ns = begins, .step_ns = h, .steps = 1});
    if (subsystem_.observe != nullptr)
      subsystem_.observe(own(), static_cast<double>(begins + h) / 1e9, static_cast<double>(h) * 1e-9);
    each(begins + h, own());
  }
  platform::set_floating_point_control(control);
  compare(end);
}

void ScopeReplay::compare(std::span<const double> end) {
  if (subsystem_.states == 0) return;
  const auto* mine = reinterpret_cast<const double*>(own() + at(subsystem_.states_offset));
  const double* told = end.data() + at(subsystem_.states_offset) / sizeof(double);
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(told[k]));
    if (largest_[k] > 0.0) deviation_ = std::max(deviation_, std::fabs(mine[k] - told[k]) / largest_[k]);
  }
}

}  // namespace takt
