#include "runtime/fmu_export/instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace takt::fmu_export {
namespace {

constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

std::string seconds(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g s", value);
  return text;
}

const double& place_of(const PlantDescription& plant, std::size_t row) {
  return *reinterpret_cast<const double*>(plant.memory + plant.table[row].offset);
}

bool is_given(Role role) { return role == Role::parameter || role == Role::plant_input || role == Role::structural; }

/// Times are sums of many steps in the caller: so far they may be off, in macro-steps.
constexpr double time_slack = 1e-3;

}  // namespace

Instance::Instance(const PlantDescription& exported, Log log)
    : Unit(std::move(log)), exported_(exported), given_(exported.table.size()), input_of_(exported.table.size(), none) {
  const PlantDescription& plant = exported;
  for (std::size_t row = 0; row < plant.table.size(); ++row)
    if (plant.table[row].role == Role::plant_input)
      input_of_[row] = static_cast<std::uint32_t>((plant.table[row].offset - plant.inputs_offset) / sizeof(double));
  take_start_values();
}

void Instance::take_start_values() {
  const PlantDescription& plant = exported_;
  for (std::size_t row = 0; row < plant.table.size(); ++row)
    if (input_of_[row] != none)
      given_[row] = plant.plant_inputs[input_of_[row]].start;
    else if (is_given(plant.table[row].role))
      given_[row] = place_of(plant, row);
}

std::string Instance::name_of(std::uint32_t reference) const {
  const auto number = " (value reference " + std::to_string(reference) + ")";
  return is_time(reference) ? "time" + number : exported_.table[reference].path + number;
}

Status Instance::fail(const std::string& why) {
  phase_ = Phase::failed;
  return refuse(why + "; the instance cannot go on: reset it, or give it back a state");
}

Status Instance::enter_initialization(double start_time) {
  if (phase_ != Phase::instantiated) return refuse("initialisation begins after instantiation or reset only");
  if (start_time != 0.0)
    return refuse("the start time is " + seconds(start_time) + "; a plant begins at 0 s, as in every run");
  phase_ = Phase::initializing;
  return Status::ok;
}

/// The plant with the values that have been set, anew where they have changed since.
Status Instance::start() {
  if (plant_) return Status::ok;
  const PlantDescription& plant = exported_;
  std::vector<Given> start;
  for (std::uint32_t row = 0; row < given_.size(); ++row)
    if (plant.table[row].role == Role::parameter || plant.table[row].role == Role::plant_input)
      start.push_back({row, given_[row]});
  try {
    plant_ = std::make_unique<SteppedPlant>(plant, start);
  } catch (const std::runtime_error& error) {
    return refuse(error.what());
  }
  told_.clear();
  told_ledgers_ = 0;
  if (plant_->unsettled().empty()) return Status::ok;
  return refuse("coupled values did not settle at the start, first " + plant_->unsettled(), Status::warning);
}

Status Instance::exit_initialization() {
  if (phase_ != Phase::initializing) return refuse("there is no initialisation to leave");
  const Status status = start();
  if (status >= Status::discard) return phase_ = Phase::failed, status;
  phase_ = Phase::running;
  return status;
}

Status Instance::terminate() {
  if (phase_ != Phase::running) return refuse("only a running instance can be terminated");
  phase_ = Phase::terminated;
  return Status::ok;
}

Status Instance::reset() {
  phase_ = Phase::instantiated;
  plant_.reset();
  take_start_values();
  return Status::ok;
}

double Instance::time() const noexcept { return plant_ ? static_cast<double>(plant_->now().ns()) / 1e9 : 0.0; }

Status Instance::get(std::span<const std::uint32_t> references, double* values) {
  Status status = Status::ok;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::uint32_t reference = references[i];
    if (reference > exported_.table.size())
      return refuse("there is no variable with value reference " + std::to_string(reference));
    if (is_time(reference)) {
      values[i] = time();
      continue;
    }
    if (is_given(exported_.table[reference].role)) {
      values[i] = given_[reference];
      continue;
    }
    if (phase_ == Phase::instantiated) return refuse(name_of(reference) + " has no value before initialisation");
    if (phase_ == Phase::initializing) status = worse(status, start());
    if (!plant_ || status >= Status::discard) return worse(status, Status::error);
    if (phase_ != Phase::failed && !plant_->observe()) return fail(plant_->problem());
    values[i] = plant_->value(reference);
  }
  return status;
}

/// @return why; empty: it can be set now
std::string Instance::not_settable(std::uint32_t reference) const {
  if (is_time(reference)) return "time is set by steps";
  const MemoryEntry& entry = exported_.table[reference];
  if (entry.role == Role::structural)
    return name_of(reference) + " is compiled in: export the plant again with --set " + entry.path + "=VALUE";
  if (entry.role != Role::parameter && entry.role != Role::plant_input)
    return name_of(reference) + " is computed by the plant and cannot be set";
  if (phase_ == Phase::running && entry.start_only)
    return name_of(reference) + " is read at the start only and cannot be set while the plant runs";
  if (phase_ == Phase::terminated || phase_ == Phase::failed) return "the instance has ended";
  return {};
}

Status Instance::set(std::span<const std::uint32_t> references, const double* values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::uint32_t row = references[i];
    if (row > exported_.table.size()) return refuse("there is no variable with value reference " + std::to_string(row));
    if (const std::string why = not_settable(row); !why.empty()) return refuse(why);
    if (!std::isfinite(values[i])) return refuse(name_of(row) + " is set to a value that is not finite");
    if (phase_ != Phase::running) {
      plant_.reset();  // it begins anew with the value
    } else if (input_of_[row] != none) {
      plant_->set_input(input_of_[row], values[i]);
    } else if (values[i] != given_[row]) {
      if (const std::string why = plant_->tune(row, values[i]); !why.empty()) return refuse(why);
    }
    given_[row] = values[i];
  }
  return Status::ok;
}

Status Instance::steps_of(double length, std::int64_t& steps) const {
  const std::int64_t step_ns = exported_.macro_step_ns;
  const double h = static_cast<double>(step_ns) / 1e9, wanted = std::round(length / h);
  if (wanted >= 1.0 && wanted < 1e15 && std::abs(length - wanted * h) <= time_slack * h) {
    steps = static_cast<std::int64_t>(wanted);
    return Status::ok;
  }
  return refuse("a communication step of " + seconds(length) +
                    " is no multiple of the macro-step of this plant: take " + seconds(h) + " or a multiple of it",
                Status::discard);
}

Status Instance::step(double now, double length) {
  if (phase_ != Phase::running) return refuse("only an initialised instance computes steps");
  const double h = static_cast<double>(exported_.macro_step_ns) / 1e9;
  if (!(std::abs(now - time()) <= time_slack * h))
    return refuse("a step from " + seconds(now) + " is asked for, but the last one ended at " + seconds(time()));
  std::int64_t steps = 0;
  if (const Status status = steps_of(length, steps); status != Status::ok) return status;
  for (std::int64_t done = 0; done < steps; ++done)
    if (!plant_->step()) return fail(plant_->problem());
  if (!plant_->observe()) return fail(plant_->problem());  // what nobody reads may be what is wrong
  return tell_events();
}

/// What has been counted for the first time. A verdict is a warning: the values that follow are not to be trusted.
Status Instance::tell_events() {
  Status status = Status::ok;
  const PlantDescription& plant = exported_;
  if (plant_->ledger_alarms() != std::exchange(told_ledgers_, plant_->ledger_alarms()))
    status = refuse("a coupled flux has been lost or made up: its ledger does not close", Status::warning);
  std::size_t place = 0;
  for (std::size_t i = 0; i < plant.subsystems.size(); ++i) {
    if (plant.subsystems[i].events.empty()) continue;
    told_.resize(std::max(told_.size(), place + plant.subsystems[i].events.size()));
    for (const EventResult& event : plant_->events(i)) {
      const std::uint64_t before = std::exchange(told_[place++], event.count);
      if (event.count == 0 || before != 0) continue;
      const std::string text = std::string(event.text) + " [" + event.code + "], in " + plant.subsystems[i].name;
      if (event.verdict)
        status = refuse(text, Status::warning);
      else
        tell("logEvents", text);
    }
  }
  return status;
}

Status Instance::get_state(std::unique_ptr<InstanceState>& state) {
  if (!state) state = std::make_unique<InstanceState>();
  state->phase = phase_;
  state->started = plant_ != nullptr;
  state->given = given_;
  if (plant_) state->plant = plant_->state();
  return Status::ok;
}

Status Instance::set_state(const InstanceState& state) {
  if (state.given.size() != given_.size()) return refuse("the state is of another plant");
  if (!state.started || phase_ == Phase::failed) plant_.reset();
  if (state.started) {
    if (!plant_) plant_ = std::make_unique<SteppedPlant>(exported_, std::span<const Given>{});
    if (!plant_->restore(state.plant)) return refuse("the state is of another plant");
  }
  given_ = state.given;
  phase_ = state.phase;
  return Status::ok;
}

std::unique_ptr<Unit> make_unit(Unit::Log log) { return std::make_unique<Instance>(exported_plant(), std::move(log)); }

}  // namespace takt::fmu_export
