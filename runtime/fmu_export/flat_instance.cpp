#include "runtime/fmu_export/flat_instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/fmu_export/flat_bytes.hpp"

namespace takt::fmu_export {
namespace {

using flat::Role;

bool is_given(Role role) { return role != Role::computed && role != Role::hidden; }

}  // namespace

FlatInstance::FlatInstance(const flat::Description& exported, Log log)
    : Unit(std::move(log)),
      exported_(exported),
      given_(exported.start.begin(), exported.start.end()),
      moves_(exported.points) {}

std::string FlatInstance::name_of(std::uint32_t reference) const {
  return exported_.path[reference] + (" (value reference " + std::to_string(reference) + ")");
}

Status FlatInstance::fail(const std::string& why) {
  phase_ = Phase::failed;
  return refuse(why + "; the instance cannot go on: reset it, or give it back a state");
}

Status FlatInstance::enter_initialization(double start_time) {
  if (phase_ != Phase::instantiated) return refuse("initialisation begins after instantiation or reset only");
  if (start_time != 0.0) return refuse("the start time is not 0 s; a plant begins at 0 s, as in every run");
  phase_ = Phase::initializing;
  return Status::ok;
}

/// The plant with the values that have been set, anew where they have changed since.
Status FlatInstance::start() {
  if (plant_) return Status::ok;
  try {
    auto plant = std::make_unique<flat::FlatPlant>(exported_);
    for (std::uint32_t place = 0; place < given_.size(); ++place)
      if (is_given(exported_.role[place])) plant->give(place, given_[place]);
    plant->start();
    plant_ = std::move(plant);
  } catch (const std::runtime_error& error) {
    return refuse(error.what());
  }
  return Status::ok;
}

Status FlatInstance::exit_initialization() {
  if (phase_ != Phase::initializing) return refuse("there is no initialisation to leave");
  const Status status = start();
  phase_ = status == Status::ok ? Phase::events : Phase::failed;
  return status;
}

Status FlatInstance::terminate() {
  if (phase_ != Phase::running && phase_ != Phase::events) return refuse("only a running instance can be terminated");
  phase_ = Phase::terminated;
  return Status::ok;
}

Status FlatInstance::reset() {
  phase_ = Phase::instantiated;
  plant_.reset();
  given_.assign(exported_.start.begin(), exported_.start.end());
  return Status::ok;
}

/// A function of time, states and inputs: where it has no value, the integrator may try a smaller step.
template <class Call>
Status FlatInstance::evaluate(const Call& call) {
  if (phase_ == Phase::instantiated) return refuse("nothing is computed before initialisation");
  if (phase_ == Phase::initializing)
    if (const Status status = start(); status != Status::ok) return status;
  if (!plant_) return refuse("nothing is computed by an instance that did not start");
  try {
    call(*plant_);
  } catch (const flat::Unsolved& error) {
    return refuse(error.what(), Status::discard);
  }
  return Status::ok;
}

Status FlatInstance::get(std::span<const std::uint32_t> references, double* values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::uint32_t place = references[i];
    if (place >= exported_.points || exported_.role[place] == Role::hidden)
      return refuse("there is no variable with value reference " + std::to_string(place));
    if (is_given(exported_.role[place])) {
      values[i] = given_[place];
      continue;
    }
    if (place == exported_.time && !plant_) {
      values[i] = 0.0;
      continue;
    }
    if (phase_ == Phase::instantiated) return refuse(name_of(place) + " has no value before initialisation");
    if (const Status status = evaluate([&](flat::FlatPlant& plant) { values[i] = plant.value(place); });
        status != Status::ok)
      return status;
  }
  return Status::ok;
}

/// @return why; empty: it can be set now
std::string FlatInstance::not_settable(std::uint32_t place) const {
  const Role role = exported_.role[place];
  const bool before = phase_ == Phase::instantiated || phase_ == Phase::initializing;
  if (role == Role::structural)
    return name_of(place) + " is compiled in: export the plant again with --set " + exported_.path[place] + "=VALUE";
  if (!is_given(role)) return name_of(place) + " is computed by the plant and cannot be set";
  if (phase_ == Phase::terminated || phase_ == Phase::failed) return "the instance has ended";
  if (role == Role::fixed && !before)
    return name_of(place) + " is read at the start only and cannot be set while the plant runs";
  if (role != Role::input && phase_ == Phase::running)
    return name_of(place) + " can be set in Event Mode only: it changes what is held between events";
  return {};
}

Status FlatInstance::set(std::span<const std::uint32_t> references, const double* values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::uint32_t place = references[i];
    if (place >= exported_.points || exported_.role[place] == Role::hidden)
      return refuse("there is no variable with value reference " + std::to_string(place));
    if (const std::string why = not_settable(place); !why.empty()) return refuse(why);
    if (!std::isfinite(values[i])) return refuse(name_of(place) + " is set to a value that is not finite");
    given_[place] = values[i];
    if (phase_ == Phase::initializing || phase_ == Phase::instantiated)
      plant_.reset();  // it begins anew with the value
    else
      plant_->give(place, values[i]);
  }
  return Status::ok;
}

Status FlatInstance::enter_events() {
  if (phase_ != Phase::running && phase_ != Phase::events)
    return refuse("Event Mode is entered from Continuous-Time Mode");
  phase_ = Phase::events;
  return Status::ok;
}

Status FlatInstance::enter_continuous_time() {
  if (phase_ != Phase::events) return refuse("Continuous-Time Mode is entered from Event Mode");
  phase_ = Phase::running;
  return Status::ok;
}

Status FlatInstance::set_time(double time) {
  if (phase_ != Phase::running && phase_ != Phase::events) return refuse("time is set in Continuous-Time Mode");
  if (!std::isfinite(time)) return refuse("time is set to a value that is not finite");
  plant_->set_time(time);
  return Status::ok;
}

Status FlatInstance::set_states(const double* values) {
  if (phase_ != Phase::running && phase_ != Phase::events) return refuse("states are set in Continuous-Time Mode");
  if (!std::all_of(values, values + states(), [](double value) { return std::isfinite(value); }))
    return refuse("a continuous state is set to a value that is not finite", Status::discard);
  plant_->set_states(values);
  return Status::ok;
}

Status FlatInstance::get_states(double* values) {
  return evaluate([&](flat::FlatPlant& plant) {
    for (std::size_t k = 0; k < states(); ++k) values[k] = plant.given(exported_.states[k]);
  });
}

Status FlatInstance::get_rates(double* values) {
  return evaluate([&](flat::FlatPlant& plant) {
    for (std::uint32_t k = 0; k < exported_.rates.count; ++k) values[k] = plant.value(exported_.rates.first + k);
  });
}

void FlatInstance::get_nominals(double* values) const noexcept {
  for (std::size_t k = 0; k < states(); ++k) values[k] = exported_.usual[exported_.states[k]];
}

Status FlatInstance::get_indicators(double* values) {
  return evaluate([&](flat::FlatPlant& plant) {
    for (std::size_t k = 0; k < indicators(); ++k) values[k] = plant.value(exported_.modes[k].indicator);
  });
}

Status FlatInstance::update(flat::FlatPlant::Event& event) {
  if (phase_ != Phase::events) return refuse("discrete states are updated in Event Mode");
  try {
    event = plant_->event();
  } catch (const std::runtime_error& error) {
    return fail(error.what());
  }
  return Status::ok;
}

bool FlatInstance::is_known(std::uint32_t reference) const {
  return exported_.role[reference] == Role::input || exported_.role[reference] == Role::event_input ||
         std::binary_search(exported_.states.begin(), exported_.states.end(), reference);
}

Status FlatInstance::check(const Derivatives& of) {
  for (const auto& list : {of.unknowns, of.knowns})
    for (const std::uint32_t reference : list)
      if (reference >= exported_.points || exported_.role[reference] == Role::hidden)
        return refuse("there is no variable with value reference " + std::to_string(reference));
  for (const std::uint32_t known : of.knowns)
    if (!is_known(known)) return refuse(name_of(known) + " is neither a state nor an input: no derivative by it");
  return Status::ok;
}

Status FlatInstance::directional(const Derivatives& of, const double* seed, double* result) {
  if (const Status status = check(of); status != Status::ok) return status;
  std::fill(moves_.begin(), moves_.end(), 0.0);
  for (std::size_t k = 0; k < of.knowns.size(); ++k) moves_[of.knowns[k]] += seed[k];
  const Status status = evaluate([&](flat::FlatPlant& plant) { plant.differentiate(moves_); });
  for (std::size_t k = 0; status == Status::ok && k < of.unknowns.size(); ++k) result[k] = moves_[of.unknowns[k]];
  return status;
}

Status FlatInstance::adjoint(const Derivatives& of, const double* seed, double* result) {
  if (const Status status = check(of); status != Status::ok) return status;
  std::fill(moves_.begin(), moves_.end(), 0.0);
  for (std::size_t k = 0; k < of.unknowns.size(); ++k) moves_[of.unknowns[k]] += seed[k];
  const Status status = evaluate([&](flat::FlatPlant& plant) { plant.differentiate_transposed(moves_); });
  for (std::size_t k = 0; status == Status::ok && k < of.knowns.size(); ++k) result[k] = moves_[of.knowns[k]];
  return status;
}

Status FlatInstance::get_state(std::unique_ptr<InstanceState>& state) {
  if (!state) state = std::make_unique<InstanceState>();
  state->phase = phase_;
  state->started = plant_ != nullptr;
  state->given = given_;
  if (plant_) state->plant.memory = bytes_of(plant_->state());
  return Status::ok;
}

Status FlatInstance::set_state(const InstanceState& state) {
  if (state.given.size() != given_.size()) return refuse("the state is of another plant");
  if (state.started) {
    auto plant = std::make_unique<flat::FlatPlant>(exported_);
    flat::FlatState kept;
    if (!read_bytes(state.plant.memory, kept) || !plant->restore(kept)) return refuse("the state is of another plant");
    plant_ = std::move(plant);
  } else {
    plant_.reset();
  }
  given_ = state.given;
  phase_ = state.phase;
  return Status::ok;
}

std::unique_ptr<Unit> make_unit(Unit::Log log) {
  return std::make_unique<FlatInstance>(exported_flat(), std::move(log));
}

}  // namespace takt::fmu_export
