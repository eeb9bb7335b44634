#include "runtime/tap/scope_replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "denormals.hpp"
#include "runtime/plant/window.hpp"
#include "runtime/steering/window_copies.hpp"

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
  if (const std::size_t bytes = WindowCopies::macro_step_bytes(plant, subsystem); bytes > WindowCopies::room)
    return name + " has " + std::to_string(bytes) + " bytes of windows in a macro-step, " +
           std::to_string(WindowCopies::room) + " can be copied";
  for (const ExchangePlan& exchange : plant.exchanges)
    if (exchange.delay.travel_s > 0.0 && (exchange.producer == subsystem || exchange.consumer == subsystem))
      return name + " has the end of a line, what arrives by it within a window is not kept";
  const bool shared = std::any_of(plant.subsystems.begin(), plant.subsystems.end(),
                                  [&s](const auto& other) { return &other != &s && other.offset == s.offset; });
  if (s.touched == 0 || shared) return name + " has no memory of its own";
  return {};
}

ScopeReplay::ScopeReplay(const PlantDescription& plant, std::uint16_t subsystem)
    : subsystem_(plant.subsystems[subsystem]),
      macro_step_ns_(plant.macro_step_ns),
      work_((own_memory_size(plant, subsystem) + sizeof(Line) - 1) / sizeof(Line)),
      largest_(subsystem_.states) {}

bool ScopeReplay::take(std::int64_t end_ns, std::span<const double> windows, const OnStep& each) {
  const bool follows = end_ns_ == end_ns - macro_step_ns_;
  const std::size_t words = WindowCopies::window_bytes(subsystem_) / sizeof(double);
  std::int64_t begin_ns = end_ns - macro_step_ns_;
  for (std::size_t at = 0; at + words <= windows.size(); at += words, begin_ns += subsystem_.period_ns) {
    const std::span<const double> window = windows.subspan(at, words);
    if (follows || at > 0) compare(window);
    compute(begin_ns, window, each);
  }
  end_ns_ = end_ns;
  return follows;
}

void ScopeReplay::compute(std::int64_t begin_ns, std::span<const double> begin, const OnStep& each) {
  const std::uint64_t control = platform::floating_point_control();
  platform::compute_as_in_runs();
  std::memcpy(own(), begin.data(), begin.size() * sizeof(double));
  std::vector<InputPolynomial> inputs(subsystem_.inputs);
  auto* told = reinterpret_cast<InputPolynomial*>(own() + (inputs.empty() ? 0 : at(subsystem_.inputs_offset)));
  std::copy_n(told, inputs.size(), inputs.begin());
  const std::int64_t h = subsystem_.step_ns;
  for (std::int64_t step = 0; step < subsystem_.period_ns / h; ++step) {
    const double passed = static_cast<double>(step * h) / 1e9;
    for (std::size_t k = 0; k < inputs.size(); ++k) told[k] = step == 0 ? inputs[k] : inputs[k].from(passed);
    const std::int64_t begins = begin_ns + step * h;
    subsystem_.run(own(), {.start_ns = begins, .step_ns = h, .steps = 1});
    if (subsystem_.observe != nullptr)
      subsystem_.observe(own(), static_cast<double>(begins + h) / 1e9, static_cast<double>(h) * 1e-9);
    each(begins + h, own());
  }
  platform::set_floating_point_control(control);
}

/// With the next window, as the plant has it.
void ScopeReplay::compare(std::span<const double> next) {
  if (subsystem_.states == 0) return;
  const auto* mine = reinterpret_cast<const double*>(own() + at(subsystem_.states_offset));
  const double* told = next.data() + at(subsystem_.states_offset) / sizeof(double);
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(told[k]));
    if (largest_[k] > 0.0) deviation_ = std::max(deviation_, std::fabs(mine[k] - told[k]) / largest_[k]);
  }
}

}  // namespace takt
