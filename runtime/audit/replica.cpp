#include "runtime/audit/replica.hpp"

#include <cstring>
#include <utility>

#include "runtime/executive/start_up.hpp"

namespace takt {

Replica::Replica(const PlantDescription& plant, RefinedPlan plan, InputScript script)
    : memory_((plant.memory_size + sizeof(Line) - 1) / sizeof(Line)),
      plan_(std::move(plan)),
      from_start_(std::move(script)) {
  PlantDescription& own = plan_.plant;
  own.memory = reinterpret_cast<std::byte*>(memory_.data());
  std::memcpy(own.memory, plant.memory, plant.memory_size);
  own.subsystems = plan_.subsystems;
  own.groups = plan_.groups;
  own.windows = plan_.windows;
  own.exchanges = plan_.exchanges;
  schedule_ = std::make_unique<Schedule>(own);
  exchanges_ = std::make_unique<Exchanges>(own, Exchanges::Options{});
  latch_ = std::make_unique<InputLatch>(
      *schedule_, std::span(reinterpret_cast<double*>(own.memory + own.inputs_offset), own.plant_inputs.size()));
}

void Replica::load(const PlantCopy& copy) {
  std::memcpy(plan_.plant.memory, copy.memory.data(), copy.memory.size());
  macro_step_ = copy.macro_step;
  script_ = from_start_;
  latch_->begin();
  take_steps_over();
  if (!plan_.other_times) {
    exchanges_->restore(copy.exchanges.data());
    return;
  }
  exchanges_->begin_histories();
  start_histories(plan_.plant, *schedule_, *exchanges_, static_cast<std::int64_t>(macro_step_) * plan_.divisor);
}

/// Coefficients that hang on the length of a step.
void Replica::take_steps_over() {
  const auto* parameters = reinterpret_cast<const double*>(plan_.plant.memory + plan_.plant.parameters_offset);
  std::vector<double> read;
  for (const SubsystemDescription& s : plan_.subsystems) {
    if (s.step_offset == 0) continue;
    auto& step_s = *reinterpret_cast<double*>(plan_.plant.memory + s.step_offset);
    const double wanted = static_cast<double>(s.step_ns) * 1e-9;
    if (step_s == wanted) continue;
    step_s = wanted;
    read.clear();
    for (const std::uint32_t parameter : s.parameters) read.push_back(parameters[parameter]);
    s.prepare(plan_.plant.memory + s.offset, read.data());
  }
}

void Replica::scale_states(double factor) noexcept {
  for (const SubsystemDescription& s : plan_.subsystems) {
    if (s.foreign || std::strcmp(s.domain, "control") == 0) continue;
    auto* states = reinterpret_cast<double*>(plan_.plant.memory + s.states_offset);
    for (std::uint32_t k = 0; k < s.states; ++k) states[k] *= factor;
  }
}

void Replica::advance() {
  const PlantDescription& own = plan_.plant;
  for (std::int64_t part = 0; part < plan_.divisor; ++part) {
    const SimTime start{(static_cast<std::int64_t>(macro_step_) * plan_.divisor + part) * own.macro_step_ns};
    std::uint32_t opened = 0;
    for (const Schedule::Slot& slot : schedule_->slots()) {
      for (; opened < slot.opens; ++opened) take_inputs(opened, start);
      exchanges_->feed(slot.subsystem, latch_->seen_by(slot));
      slot.run(slot.own, slot.window_of(start));
      exchanges_->collect(slot.subsystem);
    }
  }
  ++macro_step_;
}

void Replica::take_inputs(std::uint32_t number, SimTime macro_step) noexcept {
  const Schedule::Instant& instant = schedule_->instants()[number];
  if (!instant.takes_inputs) return;
  script_.apply(macro_step + instant.start, latch_->newest());
  latch_->take(number);
}

void Replica::observe() noexcept {
  const PlantDescription& own = plan_.plant;
  const auto now_ns = static_cast<std::int64_t>(macro_step_) * plan_.divisor * own.macro_step_ns;
  for (const SubsystemDescription& s : own.subsystems)
    if (s.observe != nullptr)
      s.observe(own.memory + s.offset, static_cast<double>(now_ns) / 1e9,
                now_ns > 0 ? static_cast<double>(s.period_ns) / 1e9 : 0.0);
}

}  // namespace takt
